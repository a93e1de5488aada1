#!/usr/bin/python3
"""Patches, server-side apply and access reviews of the library against a real API server, by way of a
small program (kube_writes.cc): the commands that read have no use for them."""

import json
import subprocess
import unittest

from bed import Result, WMAP, bring_up, environment, kubectl

PROGRAM = WMAP.parent / "tests" / "wmap_kube_writes"
SPACE = "writes"


def setUpModule():
    unittest.addModuleCleanup(bring_up("--idle"))
    kubectl("create", "namespace", SPACE)
    unittest.addModuleCleanup(kubectl, "delete", "namespace", SPACE, "--wait=false")


def run(*arguments, stdin, user="admin"):
    return Result(subprocess.run([PROGRAM, *arguments], env=environment(user), input=stdin, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=60))


def patch(form, resource, name, body, *options, user="admin", space=SPACE):
    return run("patch", form, resource, space, name, *options, stdin=json.dumps(body), user=user)


def read(resource, name):
    return json.loads(kubectl("get", resource, name, "-n", SPACE, "-o", "json", "--show-managed-fields"))


def version(resource, name):
    return read(resource, name)["metadata"]["resourceVersion"]


class Patches(unittest.TestCase):
    def setUp(self):
        kubectl("create", "deployment", "web", "-n", SPACE, "--image=x", "--replicas=2")
        self.addCleanup(kubectl, "delete", "deployment", "web", "-n", SPACE)
        kubectl("create", "configmap", "table", "-n", SPACE, "--from-literal=a=1", "--from-literal=b=2")
        self.addCleanup(kubectl, "delete", "configmap", "table", "-n", SPACE)

    def done(self, result):
        self.assertEqual((result.code, result.err), (0, ""))
        return result.json()

    def failed(self, result, code, *words):
        self.assertEqual((result.code, result.out), (1, ""))
        self.assertTrue(result.err.startswith(code + ": "), result.err)
        for word in words:
            self.assertIn(word, result.err)
        self.assertNotIn("not known", result.err)

    def test_merge(self):
        answer = self.done(patch("merge", "deploy", "web", {"spec": {"replicas": 3}}, "manager=someone"))
        self.assertEqual(answer["spec"]["replicas"], 3)
        self.assertEqual(answer["kind"], "Deployment")
        now = read("deployment", "web")
        self.assertEqual(now["metadata"]["resourceVersion"], answer["metadata"]["resourceVersion"])
        self.assertIn("someone", [entry["manager"] for entry in now["metadata"]["managedFields"]])
        self.done(patch("merge", "configmaps", "table", {"data": {"a": None, "c": "3"}}))
        self.assertEqual(read("configmap", "table")["data"], {"b": "2", "c": "3"})

    def test_json(self):
        operations = [{"op": "remove", "path": "/data/a"}, {"op": "add", "path": "/data/c", "value": "3"}]
        self.done(patch("json", "cm", "table", operations))
        self.assertEqual(read("configmap", "table")["data"], {"b": "2", "c": "3"})
        # All or nothing. The server does not say which of them it was.
        operations = [{"op": "remove", "path": "/data/b"}, {"op": "remove", "path": "/data/zz"}]
        self.failed(patch("json", "cm", "table", operations), "invalid", "rejected our request")
        self.assertEqual(read("configmap", "table")["data"], {"b": "2", "c": "3"})

    def test_subresource(self):
        answer = self.done(patch("merge", "deploy", "web", {"spec": {"replicas": 5}}, "subresource=scale",
                                 "version=" + version("deployment", "web")))
        self.assertEqual((answer["kind"], answer["spec"]["replicas"]), ("Scale", 5))
        self.assertEqual(read("deployment", "web")["spec"]["replicas"], 5)
        self.done(patch("merge", "deploy", "web", {"status": {"observedGeneration": 7}, "spec": {"replicas": 9}},
                        "subresource=status"))
        now = read("deployment", "web")
        self.assertEqual((now["status"]["observedGeneration"], now["spec"]["replicas"]), (7, 5))
        self.failed(patch("merge", "cm", "table", {}, "subresource=scale"), "not-found")

    def test_apply(self):
        config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"a": "1"}}
        self.done(patch("apply", "cm", "applied", config, "manager=first"))
        self.addCleanup(kubectl, "delete", "configmap", "applied", "-n", SPACE)
        config["data"] = {"a": "2", "b": "1"}
        self.failed(patch("apply", "cm", "applied", config, "manager=second"), "conflict",
                    'conflict with "first"', ".data.a")
        self.assertEqual(read("configmap", "applied")["data"], {"a": "1"})
        self.done(patch("apply", "cm", "applied", config, "manager=second", "force"))
        self.assertEqual(read("configmap", "applied")["data"], {"a": "2", "b": "1"})
        # What a manager no longer names, and nobody else owns, goes.
        config["data"] = {"a": "2"}
        self.done(patch("apply", "cm", "applied", config, "manager=second"))
        self.assertEqual(read("configmap", "applied")["data"], {"a": "2"})

    def test_apply_to_what_another_tool_created(self):
        config = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
                  "spec": {"replicas": 4}}
        self.failed(patch("apply", "deploy", "web", config, "manager=wmap"), "conflict", "kubectl-create",
                    ".spec.replicas")

    def test_a_version_that_is_past(self):
        old = {name: version(*name) for name in (("deployment", "web"), ("configmap", "table"))}
        kubectl("label", "deployment/web", "configmap/table", "-n", SPACE, "seen=yes")
        replace = [{"op": "replace", "path": "/metadata/labels/seen", "value": "no"}]
        merge = {"metadata": {"labels": {"seen": "no"}}}
        for kind, name in old:
            config = {"apiVersion": "apps/v1" if kind == "deployment" else "v1",
                      "kind": "Deployment" if kind == "deployment" else "ConfigMap",
                      "metadata": {"name": name, "labels": {"seen": "no"}}}
            for form, body, options in (("json", replace, ()), ("merge", merge, ()),
                                        ("apply", config, ("manager=wmap", "force"))):
                with self.subTest(kind=kind, form=form):
                    past = patch(form, kind, name, body, "version=" + old[kind, name], *options)
                    self.failed(past, "conflict", "has been modified")
                    self.assertEqual(read(kind, name)["metadata"]["labels"]["seen"], "yes")
                    now = version(kind, name)
                    self.done(patch(form, kind, name, body, "version=" + now, *options))
                    self.assertEqual(read(kind, name)["metadata"]["labels"]["seen"], "no")
                    kubectl("label", kind, name, "-n", SPACE, "seen=yes", "--overwrite")

    def test_dry_run_changes_nothing(self):
        before = read("deployment", "web")
        config = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
                  "spec": {"replicas": 7}}
        for form, body, options in (
                ("json", [{"op": "replace", "path": "/spec/replicas", "value": 7}], ()),
                ("merge", {"spec": {"replicas": 7}}, ("version=" + before["metadata"]["resourceVersion"],)),
                ("apply", config, ("manager=wmap", "force"))):
            answer = self.done(patch(form, "deploy", "web", body, "dry-run", *options))
            self.assertEqual(answer["spec"]["replicas"], 7)
            self.assertEqual(read("deployment", "web"), before)
        # It says what would be refused.
        self.failed(patch("merge", "deploy", "web", {"spec": {"replicas": -1}}, "dry-run"), "invalid",
                    "spec.replicas", "greater than or equal to 0")

    def test_refusals(self):
        scale = {"spec": {"replicas": 3}}
        self.failed(patch("merge", "deploy", "none", scale), "not-found", '"none" not found')
        self.failed(patch("merge", "deploy", "web", {"spec": {"selector": {"matchLabels": {"a": "b"}}}}),
                    "invalid", "immutable")
        self.failed(patch("merge", "deploy", "web", {"spec": {"replicsa": 3}}), "invalid",
                    'unknown field "spec.replicsa"')
        self.failed(patch("merge", "deploy", "web", {"spec": "x"}), "invalid")
        for user in ("pod-lister", "nobody"):
            self.failed(patch("merge", "deploy", "web", scale, user=user), "forbidden",
                        f'User "{user}" cannot patch resource "deployments"')
        self.assertEqual(read("deployment", "web")["spec"]["replicas"], 2)


class Access(unittest.TestCase):
    QUESTIONS = ("patch apps deployments writes web", "list - pods restricted -", "list - pods writes -",
                 "delete - nodes - -")

    def ask(self, user):
        result = run("access", stdin="".join(line + "\n" for line in self.QUESTIONS), user=user)
        self.assertEqual((result.code, result.err), (0, ""))
        return [line.split("\t") for line in result.out.splitlines()]

    def test_who_may_do_what(self):
        for user, words in (("admin", ["yes"] * 4), ("pod-lister", ["no", "yes", "no", "no"]),
                            ("nobody", ["no"] * 4)):
            self.assertEqual([word for word, _ in self.ask(user)], words, user)
        self.assertIn("RBAC: allowed by RoleBinding", self.ask("pod-lister")[1][1])

    def test_whoever_the_server_does_not_know(self):
        for word, reason in self.ask("expired"):
            self.assertEqual(word, "unknown")
            self.assertIn("401", reason)


if __name__ == "__main__":
    unittest.main()
