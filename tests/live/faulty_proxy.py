"""A proxy between client and API server that does to answers what a bad network does."""

import gzip
import http.client
import http.server
import json
import socket
import ssl
import threading
import time
import urllib.parse

from bed import admin


class Exchange:
    """One request of a client, and what it can be answered with."""

    def __init__(self, handler, number):
        self.handler, self.number = handler, number
        self.path = handler.path
        self.query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))

    def ask(self, path=None):
        """The answer of the API server: status, content type, body. A watch is no such answer."""
        connection, response = self.open(path or self.path)
        body = response.read()
        connection.close()
        return response.status, response.getheader("Content-Type"), body

    def open(self, path):
        config = admin()
        server = urllib.parse.urlsplit(config["clusters"][0]["cluster"]["server"])
        connection = http.client.HTTPSConnection(server.hostname, server.port,
                                                 context=ssl._create_unverified_context())
        connection.request("GET", path, headers={
            "Accept": self.handler.headers["Accept"],
            "Authorization": "Bearer " + config["users"][0]["user"]["token"]})
        return connection, connection.getresponse()

    def send(self, status, body, length=None, kind="application/json", **headers):
        """A head with this length, and this body."""
        lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}", "Connection: close",
                 *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
        if length is not False:
            lines.append(f"Content-Length: {len(body) if length is None else length}")
        self.write("\r\n".join([*lines, "", ""]).encode() + body)

    def write(self, data):
        self.handler.wfile.write(data)

    def forward(self):
        """As if there was no proxy; a watch as it comes."""
        if "watch" not in self.query:
            status, kind, body = self.ask()
            return self.send(status, body, kind=kind)
        connection, response = self.open(self.path)
        self.send(response.status, b"", length=False, kind=response.getheader("Content-Type"))
        self.handler.server.watches.append((self, connection))
        try:
            while line := response.readline():
                if not self.handler.server.silent:
                    self.write(line)
        finally:
            connection.close()
        return None

    # --- Faults ---

    def cut(self):
        status, kind, body = self.ask()
        self.send(status, body[:len(body) // 2], length=len(body), kind=kind)

    def fail(self, status, **headers):
        text = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": status,
                "message": f"fault {status}"}
        self.send(status, json.dumps(text).encode(), **headers)

    def expire(self, go_on=None):
        """410; `go_on` is a token for going on with what is there now."""
        text = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 410,
                "reason": "Expired", "message": "too old", "metadata": {}}
        if go_on:
            text["metadata"]["continue"] = go_on
        self.send(410, json.dumps(text).encode())

    def half(self):
        """A whole answer with half of the text."""
        status, kind, body = self.ask()
        self.send(status, body[:len(body) // 2], kind=kind)

    def zipped(self, keep=1.0):
        status, kind, body = self.ask()
        data = gzip.compress(body)
        self.send(status, data[:int(len(data) * keep)], kind=kind, Content_Encoding="gzip")

    def chunked(self, whole=True):
        status, kind, body = self.ask()
        self.send(status, b"", length=False, kind=kind, Transfer_Encoding="chunked")
        for begin in range(0, len(body), 1000):
            part = body[begin:begin + 1000]
            self.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            if not whole and begin > len(body) // 2:
                return
        self.write(b"0\r\n\r\n")

    def trickle(self):
        status, kind, body = self.ask()
        self.send(status, b"", length=len(body), kind=kind)
        for byte in body:
            self.write(bytes([byte]))
            time.sleep(0.05)

    def hang(self):
        time.sleep(30)


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.close_connection = True
        try:
            self.server.answer(self)
        except (OSError, http.client.HTTPException):
            pass  # the client has gone, or what it watched was cut


class FaultyProxy(http.server.ThreadingHTTPServer):
    """Answers with `fault(exchange)` where `meant(exchange)`, at most `times` times; else forwards."""

    daemon_threads = True

    def __init__(self, meant, fault, times=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.meant, self.fault, self.times = meant, fault, times
        self.lock = threading.Lock()
        self.asked = 0
        self.tokens = []  # that clients have shown
        self.watches = []
        self.silent = False  # accepts connections, and lets nothing through
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer(self, handler):
        with self.lock:
            self.tokens.append(handler.headers.get("Authorization"))
            exchange = Exchange(handler, self.asked)
            is_meant = self.meant(exchange) and (self.times is None or self.asked < self.times)
            self.asked += is_meant
        if self.silent:
            exchange.hang()
        elif is_meant:
            self.fault(exchange)
        else:
            exchange.forward()

    def cut_watches(self):
        """In the middle of an event."""
        while self.watches:
            exchange, _ = self.watches.pop()
            try:
                exchange.write(b'{"type":"MODIF')
                exchange.handler.connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Tunnel:
    """Passes bytes on to a server; connections may be frozen, which nobody is told."""

    def __init__(self, host, port):
        self.target = (host, port)
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.frozen = set()
        self.connections = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            pair = (client, socket.create_connection(self.target))
            self.connections.append(pair)
            for one, other in (pair, pair[::-1]):
                threading.Thread(target=self.pump, args=(pair, one, other), daemon=True).start()

    def pump(self, pair, one, other):
        try:
            while data := one.recv(65536):
                if pair not in self.frozen:
                    other.sendall(data)
        except OSError:
            pass
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def freeze(self):
        """All connections of now, and none that comes."""
        self.frozen.update(self.connections)

    def close(self):
        self.server.close()
        for pair in self.connections:
            for end in pair:
                end.close()
