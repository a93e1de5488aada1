"""jq's side of the differential test: reads pairs, writes the outcome of each, in the form that
../main.cc describes. Runs in an environment with the package `jq`.

jq cannot be interrupted, so a child does the work and an alarm ends it; another one goes on behind
the pair that it stopped at."""

import json
import mmap
import os
import resource
import signal
import sys

import jq

MAX_RESULTS = 1000
SECONDS = 1
BYTES = 2 << 30


def outcome(results, at=None, error=None):
    # The results are JSON already: jq's own, whose numbers must not pass through Python.
    tail = "" if at is None else f',"at":"{at}","error":{json.dumps(str(error))}'
    return ('{"results":[' + ",".join(results) + "]" + tail + "}\n").encode()


def run(program, pair):
    """The outcome of a compiled program, or of the error that compiling it gave."""
    if isinstance(program, ValueError):
        return outcome([], "compile", program)
    results = []
    try:
        for result in program.input_text(pair):
            if len(results) == MAX_RESULTS:
                return outcome(results, "limit", "too many results")
            results.append(result)
    except ValueError as error:
        return outcome(results, "run", error)
    return outcome(results)


def compiled(program):
    # jq reads the pair and writes the result itself, so that numbers stay as they are.
    try:
        return jq.compile(f".input | ({program}\n) | tojson")
    except ValueError as error:
        return error


def work(pairs, done):
    """Runs pairs[done[0]:] and counts in done[0]."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    source, program = None, None
    for pair in pairs[done[0]:]:
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        if json.loads(pair)["program"] != source:
            source = json.loads(pair)["program"]
            program = compiled(source)
        told = run(program, pair)
        # From here on the alarm must not end it: the outcome would be told twice.
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.write(1, told)
        done[0] += 1


def main():
    pairs = sys.stdin.buffer.read().decode().rstrip("\n").split("\n")
    done = memoryview(mmap.mmap(-1, 8)).cast("q")
    while done[0] < len(pairs):
        child = os.fork()
        if child == 0:
            work(pairs, done)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status):
            at = "limit" if os.WTERMSIG(status) == signal.SIGALRM else "crash"
            os.write(1, outcome([], at, f"signal {os.WTERMSIG(status)}"))
            done[0] += 1
        elif status != 0:
            sys.exit(2)


if __name__ == "__main__":
    main()
