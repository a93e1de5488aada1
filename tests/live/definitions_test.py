#!/usr/bin/python3
"""The definitions and the types of a cluster: what it has takes part, and what it lacks is no fault."""

import contextlib
import socket
import time
import unittest

import yaml

from bed import ROOT, JobSet, admin, bring_up, changed, kubectl, plugin, temporary, until, wmap

HERE = ROOT / "tests" / "live"


def setUpModule():
    unittest.addModuleCleanup(bring_up())


def create_type(test, path, plural):
    """A type by the definition in a file, until the test ends."""
    kubectl("create", "-f", str(path))
    test.addCleanup(kubectl, "delete", "-f", str(path))
    until(lambda: plural in kubectl("api-resources", "-o", "name"), f"{plural} is not served")


def definition(name):
    """The built-in definition of JobSets under another name."""
    definition = yaml.safe_load(wmap("definitions", "jobset", "-o", "yaml", kubeconfig="/nowhere").out)
    definition["metadata"]["name"] = name
    return definition


class Definitions(unittest.TestCase):
    def listed(self, *arguments, **options):
        result = wmap("definitions", "-o", "json", *arguments, **options)
        self.assertEqual(result.code, 0, result.err)
        return result

    def built_in(self):
        result = self.listed(kubeconfig="/nowhere")
        self.assertEqual((result.err, result.json()["complete"]), ("", True))
        self.assertGreater(len(result.json()["items"]), 30)
        return result.json()["items"]

    def without_cluster(self, word, *arguments, **options):
        """The built-in ones are listed, and a warning says why there are no others."""
        begin = time.monotonic()
        result = self.listed(*arguments, **options)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual((result.json()["items"], result.json()["complete"]), (self.built_in(), False))
        self.assertTrue(result.err.startswith("warning: "), result.err)
        self.assertIn(word, result.err)
        self.assertEqual(result.err.count("\n"), 1, result.err)

    def test_a_cluster_without_the_type_has_none(self):
        result = self.listed()
        self.assertEqual((result.err, result.json()["items"]), ("", self.built_in()))
        self.assertTrue(result.json()["complete"])

    def test_a_cluster_that_is_of_no_use(self):
        nobody = changed(self, lambda cluster, _: cluster.update(server="https://127.0.0.1:1"))
        self.without_cluster("cannot connect", kubeconfig=nobody)
        self.without_cluster("bad.yaml", kubeconfig=temporary(self, "clusters: [\n", "bad.yaml"))
        self.without_cluster("gamma", "--context", "gamma")
        self.without_cluster("401", user="unknown")
        self.without_cluster("session expired",
                             kubeconfig=plugin(self, "echo session expired >&2; exit 1\n"))

    def test_a_cluster_that_is_silent_is_not_waited_for(self):
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as server:
            port = server.getsockname()[1]
            silent = changed(
                self, lambda cluster, _: cluster.update(server=f"https://127.0.0.1:{port}"))
            self.without_cluster("in time", kubeconfig=silent)

    def test_other_commands_do_not_wait_for_it_either(self):
        bad = temporary(self, "clusters: [\n", ".yaml")
        file = str(ROOT / "examples/jobset-train/running.json")
        self.assertEqual(wmap("get", "-f", file, kubeconfig=bad).code, 0)

    def test_those_of_the_cluster_come_before_built_in_ones(self):
        create_type(self, HERE / "kartas.crd.yaml", "kartas.run.ai")
        kubectl("create", "namespace", "defined")
        self.addCleanup(kubectl, "delete", "namespace", "defined", "--wait=false")
        JobSet("defined").wait()
        for name in ("mine", "mine-too"):
            kubectl("create", "-f", "-", stdin=yaml.safe_dump(definition(name)))
        broken = definition("broken")
        broken["spec"]["structureDefinition"]["rootComponent"]["kind"] = {}
        kubectl("create", "-f", "-", stdin=yaml.safe_dump(broken))

        result = self.listed()
        rows = [(item["name"], item["origin"], item["inForce"]) for item in result.json()["items"]
                if item["kind"] == "JobSet"]
        self.assertEqual(rows, [("mine", "cluster", True),
                                ("jobset-x-k8s-io-jobset-v1alpha2", "builtin", False)])
        self.assertIn('"broken" has errors', result.err)
        # Both of a kind are named.
        self.assertIn('"mine" and "mine-too"', result.err)
        shown = wmap("definitions", "mine", "-o", "yaml")
        self.assertEqual(yaml.safe_load(shown.out)["spec"], definition("mine")["spec"])
        self.assertIn("cluster", wmap("definitions", "jobset").out)

        item = wmap("get", "jobset", "-n", "defined", "-o", "json").json()["items"][0]
        self.assertEqual(item["definition"], {"name": "mine", "origin": "cluster", "overrides": [
            "builtin jobset-x-k8s-io-jobset-v1alpha2"]})
        self.assertEqual(item["totals"]["gpus"]["desired"], 12)
        # Who may not read them is told so, and what may be read is there.
        result = wmap("get", "-n", "restricted", user="pod-lister")
        self.assertEqual(result.code, 1)
        self.assertIn("cannot list kartas.run.ai", result.err)


if __name__ == "__main__":
    unittest.main()
