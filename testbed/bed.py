"""A bed: its folder, its ports, and what is written down of its processes."""

import dataclasses
import json
import os
import pathlib
import shutil
import socket
import time

import processes
from programs import Stop

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The ports of a bed follow each other in this order.
PORTS = ("kube-apiserver", "etcd", "etcd-peers", "kube-controller-manager", "kube-scheduler", "kwok",
         "ray-operator", "training-operator", "ray-dashboard")
# Below the ports that the kernel gives to clients, which could take one of ours in between.
FIRST_PORT, LAST_PORT = 21000, 32000
PATIENCE = 120  # seconds that a step may take; a busy machine needs far more than an idle one


class Bed:
    def __init__(self, name):
        self.name = name
        self.folder = ROOT / "build" / "testbed" / name
        self.logs = self.folder / "logs"
        self.file = self.folder / "bed.json"
        self.port = None        # the first of its ports
        self.processes = []     # in the order of their start
        if self.file.exists():
            self.load()

    def load(self):
        written = json.loads(self.file.read_text())
        self.port = written["port"]
        self.processes = [processes.Process(**process) for process in written["processes"]]

    def save(self):
        unfinished = self.file.with_suffix(".new")
        unfinished.write_text(json.dumps({
            "port": self.port,
            "processes": [dataclasses.asdict(process) for process in self.processes]}, indent=1))
        unfinished.rename(self.file)

    def create(self, port):
        """A new folder; what an earlier bed of this name has left there goes."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.logs.mkdir(parents=True)
        self.folder.chmod(0o700)
        self.port, self.processes = port, []
        self.save()

    def remove(self, keep_logs):
        for path in self.folder.iterdir():
            if path == self.logs and keep_logs:
                continue
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if not keep_logs:
            self.folder.rmdir()

    # --- where things are ---

    def port_of(self, name):
        return self.port + PORTS.index(name)

    @property
    def server(self):
        return f"https://127.0.0.1:{self.port_of('kube-apiserver')}"

    @property
    def kubeconfig(self):
        return self.folder / "kubeconfig" / "admin"

    # --- processes ---

    def running(self):
        return [process for process in self.processes if process.alive()]

    def start(self, name, command, environment=None):
        started = processes.start(name, command, self.logs / f"{name}.log", environment)
        self.processes.append(started)
        self.save()

    def stop(self):
        """Clients first: the API server waits for them, and etcd ends last. Returns who was killed."""
        order = [process for process in reversed(self.processes)]
        servers = [p for p in order if p.name in ("kube-apiserver", "etcd")]
        killed = processes.stop([p for p in order if p not in servers])
        for process in servers:
            killed += processes.stop([process])
        return killed

    def wait(self, what, ready, pause=0.1):
        """Until ready() is true; a process that ends meanwhile is named, with the end of its log."""
        until = time.monotonic() + PATIENCE
        while not ready():
            processes.reap()
            for process in self.processes:
                if not process.alive():
                    raise Stop(f"{process.name} ended while waiting for {what}\n"
                               + self.end_of_log(process.name))
            if time.monotonic() > until:
                raise Stop(f"{what}: not within {PATIENCE} s")
            time.sleep(pause)

    def end_of_log(self, name):
        lines = (self.logs / f"{name}.log").read_text(errors="replace").splitlines()
        return "\n".join(f"  {line[:300]}" for line in lines[-8:])


# --- ports ---------------------------------------------------------------------------------------

def is_free(port):
    with socket.socket() as probe:
        # As servers do it: connections that were closed a moment ago are no hindrance.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def choose_port(wanted):
    """The first of as many free ports as a bed has."""
    starts = [wanted] if wanted else range(FIRST_PORT, LAST_PORT, 20)
    for start in starts:
        if all(is_free(start + offset) for offset in range(len(PORTS))):
            return start
    raise Stop(f"ports {wanted} to {wanted + len(PORTS) - 1} are not all free" if wanted
               else "no free ports")


def link_programs(bed, paths):
    """bin/ of the bed's folder, for PATH."""
    (bed.folder / "bin").mkdir()
    for name, path in paths.items():
        os.symlink(path, bed.folder / "bin" / name)
