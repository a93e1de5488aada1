#!/usr/bin/python3
"""Bad networks, servers and plugins: never a wrong answer, never a wait without end. A part of a list
is not shown as the whole, and what is wrong is said."""

import json
import os
import subprocess
import tempfile
import time
import unittest

from bed import (PATIENCE, WMAP, admin, bring_up, changed, environment, kubectl, plugin, temporary,
                 until, wmap)
from faulty_proxy import Exchange, FaultyProxy

COUNT = 7


def setUpModule():
    unittest.addModuleCleanup(bring_up())
    kubectl("create", "namespace", "faults")
    unittest.addModuleCleanup(kubectl, "delete", "namespace", "faults", "--wait=false")
    kubectl("create", "deployment", "web", "-n", "faults", "--image=x", f"--replicas={COUNT}")
    kubectl("wait", "deployment/web", "-n", "faults", "--for=condition=Available", PATIENCE)


def is_pods(exchange):
    return exchange.path.split("?")[0].endswith("/pods") and "watch" not in exchange.query


def is_next_page(exchange):
    return is_pods(exchange) and "continue" in exchange.query


class Proxied(unittest.TestCase):
    def proxy(self, meant, fault, times=None):
        proxy = FaultyProxy(meant, fault, times)
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        return proxy

    def through(self, proxy):
        return changed(self, lambda cluster, _: (cluster.clear(), cluster.update(server=proxy.url)))


class Faults(Proxied):
    def get(self, fault, *arguments, meant=is_pods, times=None):
        proxy = self.proxy(meant, fault, times)
        begin = time.monotonic()
        result = wmap("get", "-n", "faults", "-o", "json", *arguments, kubeconfig=self.through(proxy))
        result.seconds = time.monotonic() - begin
        self.assertGreater(proxy.asked, 0)
        return result

    def right(self, *arguments, **options):
        """What comes is the same as without the fault."""
        result = self.get(*arguments, **options)
        self.assertEqual(result.code, 0, result.err)
        wanted = wmap("get", "-n", "faults", "-o", "json").json()
        self.assertEqual(result.json(), wanted)
        self.assertEqual(result.json()["items"][0]["totals"]["pods"]["ready"], COUNT)
        return result

    def wrong(self, word, *arguments, **options):
        """The answer says that it is not whole, and why."""
        result = self.get(*arguments, **options)
        self.assertEqual(result.code, 1, result.err)
        self.assertFalse(result.json()["complete"])
        self.assertIn("error: cannot list pods: ", result.err)
        self.assertIn(word, result.err)
        self.assertLess(result.seconds, 15)
        return result

    def test_cut_in_the_middle_of_a_list(self):
        self.right(Exchange.cut, times=2)
        self.right(Exchange.cut, "--chunk-size=2", meant=is_next_page, times=1)
        self.right(lambda exchange: None, times=1)  # no answer at all
        result = self.wrong("was cut", Exchange.cut)
        # Why it takes long is told.
        self.assertIn("trying again in 1 s", result.err)

    def test_a_server_that_is_busy(self):
        result = self.right(lambda exchange: exchange.fail(429, Retry_After=1), times=1)
        self.assertEqual(result.err, "fault 429; trying again in 1 s\n")
        self.assertGreater(result.seconds, 1)
        self.right(lambda exchange: exchange.fail(503), times=2)
        self.wrong("fault 500", lambda exchange: exchange.fail(500))

    def test_expired_while_reading_pages(self):
        self.right(Exchange.expire, "--chunk-size=2", meant=is_next_page, times=1)

        def go_on(exchange):
            # A token for the same place is that of a page of the same size from the same beginning.
            _, _, body = exchange.ask(exchange.path.split("&continue=")[0])
            exchange.expire(json.loads(body)["metadata"]["continue"])
        self.right(go_on, "--chunk-size=2", meant=is_next_page, times=1)
        self.wrong("too old", Exchange.expire)

    def test_half_a_text(self):
        self.wrong("is no list", Exchange.half)
        for text in (b"", b"{", b"[]", b"null", b'{"kind": "Status", "metadata": {}}', b"\x00" * 100):
            self.wrong("is no list", lambda exchange, text=text: exchange.send(200, text))

    def test_compressed_and_in_chunks(self):
        self.right(Exchange.zipped)
        self.right(Exchange.chunked)
        self.wrong("", lambda exchange: exchange.zipped(keep=0.5))
        self.wrong("was cut", lambda exchange: exchange.chunked(whole=False))
        self.right(lambda exchange: exchange.chunked(whole=False), times=1)
        self.wrong("", lambda exchange: exchange.send(200, b"no gzip", Content_Encoding="gzip"))

    def test_a_page_for_people(self):
        page = b"<html><body>Please log in</body></html>"
        self.wrong("is no list", lambda exchange: exchange.send(200, page, kind="text/html"))
        self.wrong("answered 403", lambda exchange: exchange.send(403, page, kind="text/html"))
        self.wrong("is the address that of an API server?",
                   lambda exchange: exchange.send(302, b"", Location="https://login.example.com/"))
        # The text counts, whatever it is called.
        self.right(lambda exchange: exchange.send(200, exchange.ask()[2], kind="text/plain"))

    def test_headers_without_end(self):
        self.wrong("", lambda exchange: exchange.send(200, b"{}", Long="x" * 200_000))

        def many(exchange):
            exchange.write(b"HTTP/1.1 200 OK\r\n")
            for number in range(200_000):
                exchange.write(f"X-{number}: {number}\r\n".encode())
        self.wrong("headers", many)

    def test_a_server_that_is_slow(self):
        for fault in (Exchange.trickle, Exchange.hang):
            result = self.wrong("in time" if fault is Exchange.hang else "stopped coming", fault,
                                "--request-timeout=2s")
            self.assertLess(result.seconds, 5)

    def test_discovery_that_is_broken(self):
        def is_discovery(exchange):
            return exchange.path in ("/api", "/apis")
        for fault in (Exchange.half, Exchange.cut, lambda exchange: exchange.send(200, b"<html>")):
            proxy = self.proxy(is_discovery, fault)
            result = wmap("get", "-n", "faults", kubeconfig=self.through(proxy))
            self.assertEqual((result.code, result.out), (1, ""))
            self.assertTrue(result.err.splitlines()[-1].startswith("error: "), result.err)


class Following(Proxied):
    def follow(self, proxy, config=None):
        process = subprocess.Popen([WMAP, "get", "deploy", "-n", "faults", "-w"], text=True, bufsize=1,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment(kubeconfig=config or self.through(proxy)))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def until(self, process, *words):
        """The lines up to the one with these words. None of them says that something is gone."""
        for line in process.stdout:
            self.assertNotIn("Deleted", line)
            if all(word in line.split() for word in words):
                return
        raise AssertionError(f"no line with {words}: {process.stderr.read()}")

    def scale(self, replicas):
        kubectl("scale", "deployment/web", "-n", "faults", f"--replicas={replicas}")

    def tearDown(self):
        self.scale(COUNT)
        for count in ("readyReplicas", "replicas"):
            kubectl("wait", "deployment/web", "-n", "faults", f"--for=jsonpath={{.status.{count}}}={COUNT}",
                    PATIENCE)

    def test_a_watch_that_is_cut(self):
        proxy = self.proxy(lambda exchange: False, None)
        process = self.follow(proxy)
        self.until(process, "web", f"{COUNT}/{COUNT}")
        for replicas in (COUNT + 1, COUNT + 3):
            time.sleep(0.5)
            proxy.cut_watches()
            self.scale(replicas)
            self.until(process, "web", f"{replicas}/{replicas}")

    def test_a_watch_that_has_expired(self):
        def expire(exchange):
            if exchange.number % 2 == 0:
                return exchange.expire()
            error = {"type": "ERROR", "object": {"kind": "Status", "code": 410, "message": "too old"}}
            return exchange.send(200, json.dumps(error).encode() + b"\n", length=False)
        proxy = self.proxy(lambda exchange: "watch" in exchange.query and "/pods" in exchange.path,
                           expire, times=4)
        process = self.follow(proxy)
        self.until(process, "web", f"{COUNT}/{COUNT}")
        until(lambda: proxy.asked == 4, "four watches that have expired")
        # New pods are only seen by a watch or a list of pods.
        self.scale(COUNT + 2)
        self.until(process, "web", f"{COUNT + 2}/{COUNT + 2}")

    def test_a_list_that_cannot_be_read_again(self):
        """Half of a list would show half of the pods as gone."""
        state = {"broken": False}

        def meant(exchange):
            if "/pods" not in exchange.path:
                return False
            return "watch" in exchange.query or state["broken"]

        def fault(exchange):
            if "watch" in exchange.query:
                state["broken"] = True
                return exchange.expire()
            return exchange.half()
        proxy = self.proxy(meant, fault, times=4)
        process = self.follow(proxy)
        # It is waited out, and told.
        line = process.stderr.readline()
        self.assertIn("is no list", line)
        self.assertIn("what is shown may be out of date", line)
        until(lambda: proxy.asked == 4, "four faults")
        self.scale(COUNT + 2)
        for line in process.stdout:
            self.assertNotIn("Deleted", line)
            self.assertNotIn("0/", line)
            if f"{COUNT + 2}/{COUNT + 2}" in line.split():
                break

    def test_a_watch_that_nobody_answers_is_told_once(self):
        proxy = self.proxy(lambda exchange: "watch" in exchange.query,
                           lambda exchange: exchange.fail(503))
        process = self.follow(proxy)
        self.until(process, "web", f"{COUNT}/{COUNT}")
        self.assertEqual(process.stderr.readline(), "fault 503; what is shown may be out of date\n")
        time.sleep(3)
        process.kill()
        self.assertEqual(process.stderr.read(), "")

    def test_credentials_that_end(self):
        """Every token is good for a second, and the plugin gives a new one."""
        with tempfile.TemporaryDirectory() as folder:
            count = os.path.join(folder, "count")
            config = plugin(self, f"""
                echo x >> {count}
                until=$(date -u -d '+1 second' +%Y-%m-%dT%H:%M:%SZ)
                echo '{{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential"'
                echo ', "status": {{"token": "'token-$(wc -l < {count})'", "expirationTimestamp": "'$until'"}}}}'
            """)
            proxy = self.proxy(lambda exchange: "watch" in exchange.query,
                               lambda exchange: exchange.fail(401), times=3)
            with open(config, encoding="utf-8") as file:
                text = json.load(file)
            text["clusters"][0]["cluster"] = {"server": proxy.url}
            process = self.follow(proxy, temporary(self, json.dumps(text), ".yaml"))
            self.until(process, "web", f"{COUNT}/{COUNT}")
            for replicas in (COUNT + 1, COUNT + 3):
                time.sleep(1.2)
                proxy.cut_watches()
                self.scale(replicas)
                self.until(process, "web", f"{replicas}/{replicas}")
            self.assertGreater(len(set(proxy.tokens)), 5)

    def test_credentials_that_are_refused_for_good(self):
        proxy = self.proxy(lambda exchange: "watch" in exchange.query,
                           lambda exchange: exchange.fail(401))
        process = self.follow(proxy)
        self.assertEqual(process.wait(timeout=20), 1)
        self.assertIn("does not accept these credentials", process.stderr.read())


class Plugins(unittest.TestCase):
    def test_one_that_hangs_is_stopped_in_time(self):
        begin = time.monotonic()
        result = wmap("definitions", "--request-timeout=1s",
                      kubeconfig=plugin(self, "sleep 300\n"))
        self.assertLess(time.monotonic() - begin, 4)
        self.assertEqual(result.code, 0)
        self.assertIn("did not end within 1 s", result.err)
        # The same for a command that needs the cluster; and before that ends it is said what is waited for.
        begin = time.monotonic()
        result = wmap("get", "--request-timeout=4s", kubeconfig=plugin(self, "sleep 300\n"))
        self.assertLess(time.monotonic() - begin, 7)
        self.assertEqual(result.code, 1)
        self.assertIn("waiting for the credential plugin ", result.err.splitlines()[0])
        self.assertIn("did not end within 4 s", result.err.splitlines()[-1])

    def test_one_whose_credentials_are_refused_is_asked_twice(self):
        answer = {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential"}
        for status in ({"token": "no"}, {"token": "no", "expirationTimestamp": "2020-01-01T00:00:00Z"}):
            with tempfile.TemporaryDirectory() as folder:
                count = os.path.join(folder, "count")
                text = json.dumps({**answer, "status": status})
                result = wmap("get", "-A", kubeconfig=plugin(
                    self, f"echo x >> {count}\ncat <<'END'\n{text}\nEND\n"))
                self.assertEqual((result.code, result.out), (1, ""))
                self.assertIn("401", result.err)
                with open(count, encoding="utf-8") as file:
                    self.assertEqual(len(file.readlines()), 2)

    def test_one_that_writes_without_end(self):
        result = wmap("get", kubeconfig=plugin(self, "exec yes\n"))
        self.assertEqual((result.code, result.out), (1, ""))
        self.assertIn("was stopped", result.err)

    def test_garbage(self):
        token = admin()["users"][0]["user"]["token"]
        answer = {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential"}
        for status in ({}, {"token": ""}, {"token": token + "\nEvil: 1"},
                       {"token": token, "expirationTimestamp": "soon"}, {"clientKeyData": "x"}):
            text = json.dumps({**answer, "status": status})
            result = wmap("get", kubeconfig=plugin(self, f"cat <<'END'\n{text}\nEND\n"))
            self.assertEqual((result.code, result.out), (1, ""))
            self.assertIn("credential plugin", result.err)
            self.assertNotIn(token, result.err)


if __name__ == "__main__":
    unittest.main()
