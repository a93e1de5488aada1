#!/usr/bin/python3
"""Several clusters side by side: two beds, and contexts that lead nowhere."""

import json
import pathlib
import subprocess
import time
import unittest

import yaml

import bed
from bed import BED, ROOT, WMAP, admin, bring_up, environment, kubectl, temporary, testbed, wmap

WEST = f"{BED}-west"
WEST_FOLDER = ROOT / "build" / "testbed" / WEST


def west(*arguments):
    done = subprocess.run([WEST_FOLDER / "bin" / "kubectl",
                           f"--kubeconfig={WEST_FOLDER}/kubeconfig/admin", *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"kubectl {' '.join(arguments)}:\n{done.stdout}")


def setUpModule():
    unittest.addModuleCleanup(bring_up())
    testbed("up", "--nodes", "1", name=WEST)
    unittest.addModuleCleanup(testbed, "down", name=WEST)
    for run in (kubectl, west):
        run("create", "namespace", "side")
        run("create", "deployment", "both", "-n", "side", "--image=x", "--replicas=2")
    unittest.addModuleCleanup(kubectl, "delete", "namespace", "side", "--wait=false")
    west("create", "deployment", "only-west", "-n", "side", "--image=x")
    kubectl("wait", "deployment", "--all", "-n", "side", "--for=condition=Available", bed.PATIENCE)
    west("wait", "deployment", "--all", "-n", "side", "--for=condition=Available", bed.PATIENCE)


def kubeconfig(test):
    """Contexts: east and west, down where nobody answers, stranger whom nobody knows."""
    east, other = admin(), json.loads((WEST_FOLDER / "kubeconfig" / "admin").read_text())
    contexts = {
        "east": (east["clusters"][0]["cluster"], east["users"][0]["user"]),
        "west": (other["clusters"][0]["cluster"], other["users"][0]["user"]),
        "down": ({"server": "https://127.0.0.1:1"}, {}),
        "stranger": (east["clusters"][0]["cluster"], {"token": "nobody"})}
    config = {"apiVersion": "v1", "kind": "Config", "current-context": "down", "contexts": [
        {"name": name, "context": {"cluster": name, "user": name, "namespace": "side"}}
        for name in contexts]}
    config["clusters"] = [{"name": name, "cluster": parts[0]} for name, parts in contexts.items()]
    config["users"] = [{"name": name, "user": parts[1]} for name, parts in contexts.items()]
    return temporary(test, yaml.safe_dump(config), ".yaml")


class SideBySide(unittest.TestCase):
    def setUp(self):
        self.config = kubeconfig(self)

    def wmap(self, *arguments):
        return wmap(*arguments, kubeconfig=self.config)

    def rows(self, *arguments):
        result = self.wmap("get", *arguments)
        self.assertEqual((result.code, result.err), (0, ""))
        return [line.split() for line in result.out.splitlines()]

    def test_a_column_says_which(self):
        header, *rows = self.rows("--context", "east,west")
        self.assertEqual(header[:3], ["CLUSTER", "NAMESPACE", "NAME"])
        self.assertEqual([row[:6] for row in rows], [
            ["east", "side", "both", "Deployment", "Running", "2/2"],
            ["west", "side", "both", "Deployment", "Running", "2/2"],
            ["west", "side", "only-west", "Deployment", "Running", "1/1"]])
        # In the order that was asked for; repeated instead of one list; each once.
        _, *again = self.rows("--context", "west", "--context=east", "--context", "west")
        self.assertEqual([row[0] for row in again], ["west", "west", "east"])
        self.assertEqual(self.rows("--context", "west,")[0][:2], ["NAMESPACE", "NAME"])

    def test_what_selects_and_sorts(self):
        both = ("--context", "east,west")
        self.assertEqual([row[2] for row in self.rows(*both, "--sort-by", "name", "--no-headers")],
                         ["both", "both", "only-west"])
        self.assertEqual(len(self.rows(*both, "deploy", "-l", "app=both", "--no-headers")), 2)
        self.assertEqual(self.wmap("get", *both, "--phase", "Failed").err, "No workloads found.\n")
        self.assertIn("ROLES", self.rows(*both, "-o", "wide")[0])
        self.assertEqual(self.rows(*both, "-o", "name", "--phase", "Running"), [
            ["east", "deployment.apps/both"], ["west", "deployment.apps/both"],
            ["west", "deployment.apps/only-west"]])
        everywhere = {(row[0], row[2]) for row in self.rows(*both, "-A", "--no-headers")}
        self.assertLessEqual({("east", "both"), ("west", "only-west")}, everywhere)

    def test_machine_output(self):
        result = self.wmap("get", "--context", "east,west", "-o", "json")
        self.assertTrue(result.json()["complete"])
        self.assertEqual([(item["cluster"], item["name"]) for item in result.json()["items"]],
                         [("east", "both"), ("west", "both"), ("west", "only-west")])
        lines = self.wmap("get", "--context", "east,west", "-o", "jsonl").out.splitlines()
        self.assertEqual([json.loads(line)["cluster"] for line in lines], ["east", "west", "west"])
        self.assertNotIn("cluster", self.wmap("get", "--context", "east", "-o", "json").json()["items"][0])

    def test_a_cluster_that_fails_does_not_hide_the_others(self):
        contexts = ("--context", "down,west,stranger,missing")
        result = self.wmap("get", *contexts)
        self.assertEqual(result.code, 1)
        self.assertEqual([line.split()[0] for line in result.out.splitlines()[1:]], ["west", "west"])
        for words in ("error: down: cannot connect", "error: stranger: the server does not accept",
                      'error: missing: the kubeconfig has no context "missing"'):
            self.assertIn(words, result.err)
        machine = self.wmap("get", *contexts, "-o", "json").json()
        self.assertFalse(machine["complete"])
        self.assertEqual([(one["cluster"], one["severity"]) for one in machine["diagnostics"]
                          if one["message"].startswith(("cannot", "the"))],
                         [("down", "error"), ("stranger", "error"), ("missing", "error")])
        none = self.wmap("get", "--context", "down,stranger")
        self.assertEqual((none.code, none.out), (1, ""))

    def test_they_are_read_at_the_same_time(self):
        slow = "sleep 1; exit 1"
        config = yaml.safe_load(pathlib.Path(self.config).read_text())
        for user in config["users"]:
            user["user"] = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "sh",
                                     "args": ["-c", slow], "interactiveMode": "Never"}}
        file = temporary(self, yaml.safe_dump(config), ".yaml")
        begin = time.monotonic()
        result = wmap("get", "--context", "east,west,stranger", kubeconfig=file)
        self.assertLess(time.monotonic() - begin, 2)
        self.assertEqual(result.err.count("exit code 1"), 3)

    def test_names_and_types(self):
        for command in ("tree", "describe", "get"):
            found = self.wmap(command, "deploy/only-west", "--context", "east,west")
            self.assertEqual((found.code, found.err), (0, ""))
            self.assertIn("west", found.out)
            self.assertNotIn("east", found.out)
        self.assertEqual(self.wmap("tree", "deploy", "--context", "east,west").out.count("Cluster: "), 3)
        missing = self.wmap("get", "deploy/both", "deploy/nowhere", "--context", "east,west")
        self.assertEqual(missing.code, 3)
        self.assertEqual(missing.err, 'error: east: deploy/nowhere not found in namespace "side"\n'
                                      'error: west: deploy/nowhere not found in namespace "side"\n')
        # Only one of them may know a type, as east does JobSets.
        self.assertEqual(self.wmap("get", "jobset.v1alpha2.jobset.x-k8s.io", "--context", "east,west").err,
                         "No workloads found.\n")
        self.assertEqual(self.wmap("get", "cm", "--context", "east,west").code, 4)
        wrong = self.wmap("get", "--phase", "x", "--context", "east,west")
        self.assertEqual((wrong.code, wrong.err.count("\n")), (2, 1))

    def test_watching(self):
        process = subprocess.Popen([WMAP, "get", "--context", "east,down,west", "-w"], text=True, bufsize=1,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment(kubeconfig=self.config))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def until(*words):
            for line in process.stdout:
                if line.split()[:len(words)] == list(words):
                    return
            raise AssertionError(f"no line with {words}")
        until("CLUSTER", "NAMESPACE")
        shown = {tuple(process.stdout.readline().split()[:3]) for _ in range(3)}
        self.assertEqual(shown, {("east", "side", "both"), ("west", "side", "both"),
                                 ("west", "side", "only-west")})
        west("scale", "deployment/only-west", "-n", "side", "--replicas=3")
        until("west", "side", "only-west", "Deployment", "Running", "3/3")
        kubectl("scale", "deployment/both", "-n", "side", "--replicas=1")
        until("east", "side", "both", "Deployment", "Running", "1/1")
        self.assertIn("error: down: cannot connect", process.stderr.readline())
        west("scale", "deployment/only-west", "-n", "side", "--replicas=1")
        kubectl("scale", "deployment/both", "-n", "side", "--replicas=2")
        until("east", "side", "both", "Deployment", "Running", "2/2")

    def test_what_reads_one_cluster_says_so(self):
        for words in (["definitions"], ["explain", "job/x"], ["audit"]):
            result = self.wmap(*words, "--context", "east,west")
            self.assertEqual((result.code, result.out), (2, ""))
            self.assertIn("looks at one cluster; give --context once", result.err)


if __name__ == "__main__":
    unittest.main()
