#!/usr/bin/python3
"""The program as a plugin of kubectl, and what it completes: it asks the cluster, and never long."""

import contextlib
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import unittest

from bed import FOLDER, WMAP, bring_up, changed, environment, kubectl, plugin, temporary


def setUpModule():
    unittest.addModuleCleanup(bring_up())
    kubectl("create", "namespace", "words")
    unittest.addModuleCleanup(kubectl, "delete", "namespace", "words", "--wait=false")
    for name in ("one", "other"):
        kubectl("create", "deployment", name, "-n", "words", "--image=x")
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    for name in ("wmap", "kubectl-wmap", "kubectl_complete-wmap"):
        (pathlib.Path(folder.name) / name).symlink_to(WMAP)
    os.environ["PATH"] = f"{folder.name}:{FOLDER / 'bin'}:{os.environ['PATH']}"


def run(*command, **options):
    return subprocess.run(command, env=environment(**options), text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=30)


def complete(*words, **options):
    """The candidates for the last word, without what describes them, and whether files are meant."""
    done = run("wmap", "__complete", *words, **options)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{done.returncode}: {done.stderr}")
    *candidates, directive = done.stdout.splitlines()
    return [candidate.split("\t")[0] for candidate in candidates], directive == ":0"


class Plugin(unittest.TestCase):
    def test_kubectl_finds_it(self):
        done = run("kubectl", "wmap", "get", "deploy/one", "-n", "words", "--no-headers")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.split()[:3], ["words", "one", "Deployment"])
        done = run("kubectl", "wmap", "get", "foo")
        self.assertEqual(done.returncode, 4)

    def test_it_says_how_it_is_called(self):
        self.assertIn("Usage: kubectl wmap get", run("kubectl", "wmap", "get", "--help").stdout)
        self.assertIn("'kubectl wmap get --help'", run("kubectl", "wmap", "get", "--x").stderr)
        self.assertIn("Usage: wmap get", run("wmap", "get", "--help").stdout)

    def test_kubectl_asks_it_for_completions(self):
        done = run("kubectl", "__complete", "wmap", "get", "-n", "words", "deploy", "o")
        self.assertEqual(done.stdout, "one\nother\n:4\n")


class Words(unittest.TestCase):
    def test_commands_and_flags(self):
        self.assertEqual(complete("des"), (["describe"], False))
        self.assertEqual(complete("get", "--chunk"), (["--chunk-size"], False))
        self.assertEqual(complete("get", "-o", "js"), (["json", "jsonl"], False))
        self.assertEqual(complete("get", "-f", ""), ([], True))
        self.assertEqual(complete("nothing", ""), ([], False))

    def test_types_of_the_cluster(self):
        types, _ = complete("get", "")
        self.assertLessEqual({"jobset", "deployment", "pod"}, set(types))
        # It has none of these.
        self.assertNotIn("raycluster", types)
        self.assertEqual(complete("get", "jobs"), (["jobset"], False))
        self.assertIn("raycluster", complete("get", "", kubeconfig="/nowhere")[0])

    def test_names_of_the_cluster(self):
        place = ("-n", "words")
        self.assertEqual(complete("get", *place, "deploy", ""), (["one", "other"], False))
        self.assertEqual(complete("tree", *place, "Deployment", "one", ""), (["other"], False))
        self.assertEqual(complete("get", *place, "deploy/ot"), (["deploy/other"], False))
        self.assertEqual(complete("get", *place, "cm/kube-root"), (["cm/kube-root-ca.crt"], False))
        # What a workload owns is no row.
        self.assertEqual(complete("get", *place, "rs", ""), ([], False))
        self.assertEqual(complete("get", "-n", "wor"), (["words"], False))
        self.assertEqual(complete("get", "--namespace=wor"), (["words"], False))
        self.assertEqual(complete("get", *place, "foo", ""), ([], False))

    def test_contexts(self):
        config = temporary(self, """
            contexts: [{name: east, context: {}}, {name: west, context: {}}]""", ".yaml")
        self.assertEqual(complete("get", "--context", "", kubeconfig=config), (["east", "west"], False))
        self.assertEqual(complete("get", "--context", "east,w", kubeconfig=config),
                         (["east,west"], False))

    def test_what_else_flags_take(self):
        config = temporary(self, """
            clusters: [{name: c1, cluster: {}}]
            users: [{name: "jane", user: {}}, {name: "john", user: {}}]
            contexts: [{name: "my east", context: {}}, {name: "arn:aws:eks/x", context: {}}]""", ".yaml")
        options = {"kubeconfig": config}
        self.assertEqual(complete("get", "--user", "ja", **options)[0], ["jane"])
        self.assertEqual(complete("definitions", "--user=jo", **options)[0], ["john"])
        self.assertEqual(complete("get", "--cluster", "", **options)[0], ["c1"])
        self.assertEqual(complete("get", "--phase", "Run")[0], ["Running"])
        self.assertEqual(complete("get", "--phase", "Running,Stal")[0], ["Running,Stale"])
        self.assertEqual(complete("get", "-nwor")[0], ["-nwords"])
        self.assertEqual(complete("get", "-wnwor")[0], ["-wnwords"])
        self.assertEqual(complete("get", "-wn", "wor")[0], ["words"])
        self.assertEqual(complete("get", "-oj")[0], ["-ojson", "-ojsonl"])
        self.assertEqual(complete("get", "--context", "arn:aws", **options)[0], ["arn:aws:eks/x"])
        script = """
            source <(wmap completion bash)
            compopt() { :; }
            try() {
              COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
              _wmap
              printf '%s\\n' "${COMPREPLY[@]}"
            }
            try wmap get --context arn : aws
            try wmap get --context = arn : aws :
            try wmap get --context my
            try wmap get --context 'my\\ ea'
            try wmap get --context '"my ea'
            try wmap get --context 'arn:a'
        """
        self.assertEqual(run("bash", "-c", script, **options).stdout.splitlines(),
                         ["aws:eks/x", "eks/x", "my\\ east", "my\\ east", "my east", "arn:aws:eks/x"])

    def test_nothing_is_told_and_nothing_takes_long(self):
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as server:
            address = f"https://127.0.0.1:{server.getsockname()[1]}"
            silent = changed(self, lambda cluster, _: cluster.update(server=address))
            bad = temporary(self, "clusters: [", ".yaml")
            for config in (silent, bad, plugin(self, "sleep 60\n"), plugin(self, "echo no >&2; exit 1\n")):
                begin = time.monotonic()
                self.assertEqual(complete("get", "deploy", "", kubeconfig=config), ([], False))
                self.assertLess(time.monotonic() - begin, 3)

    def test_in_bash(self):
        script = """
            source <(wmap completion bash)
            COMP_WORDS=(wmap get -n words deploy o) COMP_CWORD=5
            _wmap
            printf '%s\\n' "${COMPREPLY[@]}"
            COMP_WORDS=(wmap get --namespace = wor) COMP_CWORD=4
            _wmap
            printf '%s\\n' "${COMPREPLY[@]}"
        """
        self.assertEqual(run("bash", "-c", script).stdout.split(), ["one", "other", "words"])


if __name__ == "__main__":
    unittest.main()
