"""The processes of a bed: started for good, found again by pid and start time, ended by SIGTERM."""

import dataclasses
import os
import pathlib
import signal
import subprocess
import time

GRACE = 15  # seconds from SIGTERM to SIGKILL


@dataclasses.dataclass
class Process:
    name: str
    pid: int
    started: str  # as the kernel counts it: another process with the same pid has another

    def alive(self):
        return self.started == start_of(self.pid)

    def memory(self):
        """Resident, in MB."""
        try:
            pages = int(pathlib.Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        except (OSError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def start_of(pid):
    """The start time of a process in clock ticks, None when it is gone or only waits to be reaped."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def start(name, command, log, environment=None):
    """In a session of its own: it outlives the shell that asked for the bed."""
    with open(log, "ab") as out:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                 start_new_session=True, env={**os.environ, **(environment or {})})
    return Process(name, child.pid, start_of(child.pid) or "")


def send(process, number):
    try:
        os.kill(process.pid, number)
    except ProcessLookupError:
        pass


def reap():
    """Children of this very process that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def wait_for_end(processes, seconds):
    until = time.monotonic() + seconds
    while True:
        reap()
        left = [process for process in processes if process.alive()]
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.05)


def stop(processes):
    """Ends them; returns those that had to be killed."""
    running = [process for process in processes if process.alive()]
    for process in running:
        send(process, signal.SIGTERM)
    stubborn = wait_for_end(running, GRACE)
    for process in stubborn:
        send(process, signal.SIGKILL)
    wait_for_end(stubborn, 5)
    return stubborn
