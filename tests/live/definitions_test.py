#!/usr/bin/python3
"""The definitions and the types of a cluster: what it has takes part, and what it lacks is no fault."""

import contextlib
import json
import socket
import time
import unittest

import yaml

from bed import ROOT, JobSet, bring_up, changed, kubectl, plugin, temporary, until, wmap

HERE = ROOT / "tests" / "live"


def setUpModule():
    unittest.addModuleCleanup(bring_up())


def create_type(test, manifest, name):
    """A type of the cluster, until the test, or its class, ends."""
    kubectl("create", "-f", "-", stdin=json.dumps(manifest))
    clean_up = test.addClassCleanup if isinstance(test, type) else test.addCleanup
    clean_up(kubectl, "delete", "crd", name)
    until(lambda: name in kubectl("api-resources", "-o", "name"), f"{name} is not served")


def definition(name):
    """The built-in definition of JobSets under another name."""
    definition = yaml.safe_load(wmap("definitions", "jobset", "-o", "yaml", kubeconfig="/nowhere").out)
    definition["metadata"]["name"] = name
    return definition


class Definitions(unittest.TestCase):
    def listed(self, *arguments, code=0, **options):
        result = wmap("definitions", "-o", "json", *arguments, **options)
        self.assertEqual(result.code, code, result.err)
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

    def test_a_kubeconfig_without_a_cluster_is_named(self):
        empty = temporary(self, "", ".yaml")
        result = wmap("get", "--kubeconfig", empty)
        self.assertEqual((result.code, result.out), (1, ""))
        self.assertIn(f"there is none in the kubeconfig {empty}", result.err)

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
        create_type(self, yaml.safe_load((HERE / "kartas.crd.yaml").read_text()), "kartas.run.ai")
        kubectl("create", "namespace", "defined")
        self.addCleanup(kubectl, "delete", "namespace", "defined", "--wait=false")
        JobSet("defined").wait()
        for name in ("mine", "mine-too"):
            kubectl("create", "-f", "-", stdin=yaml.safe_dump(definition(name)))
        broken = definition("broken")
        broken["spec"]["structureDefinition"]["rootComponent"]["kind"] = {}
        kubectl("create", "-f", "-", stdin=yaml.safe_dump(broken))
        # One for a kind that has a built-in one.
        bad_job = definition_of("batch", "Job")
        root = bad_job["spec"]["structureDefinition"]["rootComponent"]
        root["statusDefinition"]["statusMappings"]["running"][0]["byExpression"]["expression"] = ".("
        bad_job["metadata"]["name"] = "bad-job"
        kubectl("create", "-f", "-", stdin=yaml.safe_dump(bad_job))

        result = self.listed(code=1)
        rows = [(item["name"], item["origin"], item["inForce"]) for item in result.json()["items"]
                if item["kind"] == "JobSet"]
        self.assertEqual(rows, [("mine", "cluster", True),
                                ("jobset-x-k8s-io-jobset-v1alpha2", "builtin", False),
                                ("mine-too", "cluster", False)])
        self.assertIn('"broken" has errors', result.err)
        # Both of a kind are named.
        self.assertIn('"mine" and "mine-too"', result.err)
        states = {item["name"]: item["state"] for item in result.json()["items"]
                  if item["origin"] == "cluster"}
        self.assertEqual(states, {"mine": "in-force", "mine-too": "conflict", "broken": "invalid",
                                  "bad-job": "invalid"})
        shown = wmap("definitions", "mine", "-o", "yaml")
        self.assertEqual(yaml.safe_load(shown.out)["spec"], definition("mine")["spec"])
        self.assertIn("cluster", wmap("definitions", "jobset").out)
        # What is wrong is in all that reads the cluster, with what takes its place.
        place = ".spec.structureDefinition.rootComponent.statusDefinition.statusMappings.running[0]"
        self.assertIn(place, wmap("definitions", "bad-job").out)
        for command in ("get", "tree", "explain", "audit"):
            result = wmap(command, "jobset", "-n", "defined", "-o", "json")
            told = {one["source"]: one for one in result.json()["diagnostics"]}
            self.assertEqual({source: one["code"] for source, one in told.items()},
                             {"kartas.run.ai/broken": "definition-invalid",
                              "kartas.run.ai/bad-job": "definition-invalid",
                              "kartas.run.ai/mine-too": "definition-conflict"})
            bad = told["kartas.run.ai/bad-job"]
            self.assertIn(place, bad["message"])
            self.assertIn('builtin definition "batch-job-v1" instead', bad["message"])
            self.assertIn("wmap definitions bad-job -o yaml | wmap validate -", bad["message"])
            for one in told.values():
                self.assertIn(f"{one['severity']}: {one['message']}\n", result.err)
            # Both of a kind are an error, where that kind is asked for or shown.
            self.assertEqual(told["kartas.run.ai/mine-too"]["severity"], "error")
            self.assertIn('"mine"', told["kartas.run.ai/mine-too"]["message"])
            self.assertEqual(bad["severity"], "warning")
            self.assertEqual(result.code, 1, result.err)
        self.assertEqual(wmap("get", "-n", "defined").code, 1)
        self.assertEqual(wmap("get", "jobs", "-n", "defined").code, 0)

        item = wmap("get", "jobset", "-n", "defined", "-o", "json").json()["items"][0]
        self.assertEqual(item["definition"], {"name": "mine", "origin": "cluster", "overrides": [
            "builtin jobset-x-k8s-io-jobset-v1alpha2"]})
        self.assertEqual(item["totals"]["gpus"]["desired"], 12)
        # Who may not read them is told so, and what may be read is there.
        result = wmap("get", "-n", "restricted", user="pod-lister")
        self.assertEqual(result.code, 1)
        self.assertIn("cannot list kartas.run.ai", result.err)


def type_of(group, plural="widgets", kind="Widget"):
    """The definition of a type with a short name and two versions."""
    anything = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    versions = [{"name": name, "served": True, "storage": name == "v1", "schema": anything}
                for name in ("v1", "v1beta1")]
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{group}"},
            "spec": {"group": group, "scope": "Namespaced", "versions": versions,
                     "names": {"kind": kind, "plural": plural, "singular": kind.lower(),
                               "shortNames": ["wd"]}}}


def definition_of(group, kind="Widget"):
    """A definition of such a type: one pod."""
    return {"apiVersion": "run.ai/v1alpha1", "kind": "Karta", "metadata": {"name": group.replace(".", "-")},
            "spec": {"structureDefinition": {"rootComponent": {
                "name": "widget", "kind": {"group": group, "version": "v1", "kind": kind},
                "specDefinition": {"podTemplateSpecPath": ".spec.template"},
                "statusDefinition": {"statusMappings": {"running": [{"byExpression": {
                    "expression": ".spec != null", "expectedResult": "true"}}]}}}}}}


class Types(unittest.TestCase):
    """Two groups have Widgets; of one of them the plural follows no rule."""

    @classmethod
    def setUpClass(cls):
        kubectl("create", "namespace", "types")
        cls.addClassCleanup(kubectl, "delete", "namespace", "types", "--wait=false")
        create_type(cls, type_of("a.example.com"), "widgets.a.example.com")
        create_type(cls, type_of("b.example.com", "widgetry"), "widgetry.b.example.com")
        for group in ("a", "b"):
            kubectl("create", "-f", "-", stdin=json.dumps({
                "apiVersion": f"{group}.example.com/v1", "kind": "Widget", "spec": {},
                "metadata": {"name": f"of-{group}", "namespace": "types", "labels": {"of": group}}}))

    def definitions(self, *groups):
        text = "---\n".join(yaml.safe_dump(definition_of(f"{group}.example.com")) for group in groups)
        return "--definitions", temporary(self, text, ".yaml")

    def names(self, *words):
        """The names of the rows."""
        result = wmap("get", *words, "-n", "types", "-o", "json")
        self.assertEqual((result.code, result.err), (0, ""))
        return [item["name"] for item in result.json()["items"]]

    def refused(self, code, *words):
        result = wmap("get", *words, "-n", "types")
        self.assertEqual((result.code, result.out), (code, ""))
        return result.err

    def test_kinds_that_only_the_cluster_knows(self):
        for name in ("widgets.a.example.com", "Widget.v1.a.example.com", "WD.v1beta1.a.example.com"):
            self.assertIn("the cluster has Widget (a.example.com/v1", self.refused(4, name))
        error = self.refused(4, "wd")
        self.assertIn("Widget (a.example.com/v1) and Widget (b.example.com/v1)", error)
        self.assertIn("no definition covers them", error)
        self.assertIn("the cluster has ConfigMap (v1)", self.refused(4, "cm/x"))
        # A definition covers another kind of this name, which the cluster does not have.
        for name in ("service", "services", "Service", "svc", "service/kubernetes"):
            self.assertIn("the cluster has Service (v1)", self.refused(4, name))
        self.assertIn("the cluster has no such type", self.refused(4, "gadgets"))

    def test_every_name_of_a_kind(self):
        given = self.definitions("b")
        for name in ("widget", "widgetry", "WIDGETRY", "wd", "widgetry.b.example.com",
                     "Widget.b.example.com", "widget.v1.b.example.com", "wd.v1beta1.b.example.com"):
            self.assertEqual(self.names(name, *given), ["of-b"], name)
        self.assertEqual(self.names("widgetry/of-b", *given), ["of-b"])
        error = self.refused(3, "widget.v1.a.example.com/x", *self.definitions("a"))
        self.assertIn("not found", error)

    def test_definitions_takes_the_names_of_the_cluster(self):
        # Those that no rule makes of the kind's own name.
        for name in ("widgetry", "wd.b.example.com", "Widget.v1.b.example.com"):
            result = wmap("definitions", name, "-o", "name", *self.definitions("b"))
            self.assertEqual((result.code, result.out), (0, "b-example-com\n"), result.err)

    def test_an_uncovered_kind_has_the_version_that_the_server_prefers(self):
        """Whichever versions the owner references of its pods speak of, it is one kind."""
        self.assertEqual(kubectl("get", "--raw", "/apis/a.example.com").count('"preferredVersion"'), 1)
        uid = kubectl("get", "widgets.a.example.com", "of-a", "-n", "types", "-o",
                      "jsonpath={.metadata.uid}")
        for version in ("v1", "v1beta1"):
            kubectl("create", "-f", "-", stdin=json.dumps({
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": f"by-{version}", "namespace": "types", "ownerReferences": [
                    {"apiVersion": f"a.example.com/{version}", "kind": "Widget", "name": "of-a",
                     "uid": uid, "controller": True}]},
                "spec": {"containers": [{"name": "main", "image": "i", "resources": {
                    "limits": {"nvidia.com/gpu": "2"}}}]}}))
            self.addCleanup(kubectl, "delete", "pod", f"by-{version}", "-n", "types")
        report = wmap("get", "-n", "types", "-o", "json").json()
        self.assertEqual([(one["apiVersion"], one["kind"], one["objects"], one["pods"], one["gpus"])
                          for one in report["uncovered"]],
                         [("a.example.com/v1", "Widget", 1, 2, 4)])

    def test_a_version_that_is_not_served(self):
        text = yaml.safe_dump(definition_of("a.example.com")).replace("version: v1", "version: v2")
        given = ("--definitions", temporary(self, text, ".yaml"))
        self.assertIn("it has Widget in version v1, v1beta1",
                      self.refused(3, "widget.v2.a.example.com", *given))
        self.assertEqual(self.names("widget.v1.a.example.com", *given), ["of-a"])

    def test_two_groups_with_one_name(self):
        given = self.definitions("a", "b")
        error = self.refused(2, "widget", *given)
        self.assertIn('write widgets.a.example.com (definition "a-example-com"', error)
        self.assertIn('or widgets.b.example.com (definition "b-example-com"', error)
        # What the message says to write is understood.
        self.assertEqual(self.names("widgets.a.example.com", *given), ["of-a"])
        self.assertEqual(self.names("widgets.b.example.com", *given), ["of-b"])
        # Without a cluster as well.
        self.assertEqual(wmap("definitions", "widgets.b.example.com", "-o", "name", *given,
                              kubeconfig="/nowhere").out, "b-example-com\n")
        # A kind that the cluster does not have is no candidate.
        given = self.definitions("a", "c")
        self.assertEqual(self.names("widget", *given), ["of-a"])

    def test_labels_and_fields(self):
        given = self.definitions("a", "b")
        self.assertEqual(self.names("-l", "of=b", *given), ["of-b"])
        self.assertEqual(self.names("-l", "of in (a, b),of!=b", *given), ["of-a"])
        self.assertEqual(self.names("--field-selector", "metadata.name=of-a", *given), ["of-a"])
        self.assertEqual(self.names("--field-selector", "metadata.name!=of-a", *given), ["of-b"])
        self.assertEqual(self.names("--field-selector=metadata.namespace==other", *given), [])
        self.assertIn("not \"status.phase\"", self.refused(2, "--field-selector", "status.phase=Running"))


if __name__ == "__main__":
    unittest.main()
