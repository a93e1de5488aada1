#!/usr/bin/python3
"""What goes on shows what becomes of the cluster itself: types and definitions come and go, servers fall
silent, and who may not watch is shown lists."""

import json
import queue
import subprocess
import threading
import time
import unittest
import urllib.parse

import yaml

from bed import (PATIENCE, ROOT, WMAP, admin, bring_up, changed, environment, kubectl, temporary, until, wmap)
from faulty_proxy import FaultyProxy, Tunnel

SPACE = "follow"


def setUpModule():
    unittest.addModuleCleanup(bring_up("--crds", "jobset"))
    kubectl("create", "namespace", SPACE)
    unittest.addModuleCleanup(kubectl, "delete", "namespace", SPACE, "--wait=false")
    kubectl("create", "deployment", "web", "-n", SPACE, "--image=x", "--replicas=2")
    kubectl("wait", "deployment/web", "-n", SPACE, "--for=condition=Available", PATIENCE)


class Lines:
    """The lines of a stream, as they come."""

    def __init__(self, stream):
        self.stream, self.queue, self.all = stream, queue.Queue(), []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.stream:
            self.queue.put(line)

    def until(self, *words, seconds=40):
        """The line with these words; those before it are in `all` as well."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self.queue.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty:
                raise AssertionError(f"no line with {words} among {self.all}") from None
            self.all.append(line)
            if all(word in line.split() or " " in word and word in line for word in words):
                return line

    def rest(self, seconds=0.0):
        time.sleep(seconds)
        while not self.queue.empty():
            self.all.append(self.queue.get())
        return "".join(self.all)


class Follow(unittest.TestCase):
    def follow(self, *arguments, user="admin", kubeconfig=None, command="get"):
        """The lines of both streams of `wmap get --watch`."""
        process = subprocess.Popen([WMAP, command, "-n", SPACE, "--watch", *arguments], text=True, bufsize=1,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment(user, kubeconfig))
        self.process = process
        for stream in (process.stdout, process.stderr):
            self.addCleanup(stream.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return Lines(process.stdout), Lines(process.stderr)

    def scale(self, replicas):
        kubectl("scale", "deployment/web", "-n", SPACE, f"--replicas={replicas}")

    def tearDown(self):
        if kubectl("get", "deployment/web", "-n", SPACE, "-o", "jsonpath={.spec.replicas}") != "2":
            self.scale(2)
        for count in ("readyReplicas", "replicas"):
            kubectl("wait", "deployment/web", "-n", SPACE, f"--for=jsonpath={{.status.{count}}}=2", PATIENCE)


def served(name, wanted=True):
    until(lambda: (name in kubectl("api-resources", "-o", "name").split()) == wanted,
          f"{name} is{'' if wanted else ' not'} served")


class Types(Follow):
    JOBSET = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
              "metadata": {"name": "train", "namespace": SPACE},
              "spec": {"replicatedJobs": [{"name": "w", "template": {"spec": {"template": {"spec": {
                  "restartPolicy": "Never", "containers": [{"name": "m", "image": "x"}]}}}}}]}}

    def create_jobset(self):
        until(lambda: self.try_create(), "a JobSet cannot be created")

    def try_create(self):
        try:
            kubectl("create", "-f", "-", stdin=json.dumps(self.JOBSET))
            return True
        except AssertionError:
            return False

    def test_a_type_goes_and_comes(self):
        name = "jobsets.jobset.x-k8s.io"
        crd = json.loads(kubectl("get", "crd", name, "-o", "json"))
        for key in ("status",):
            crd.pop(key)
        crd["metadata"] = {"name": name, "annotations": {
            key: text for key, text in crd["metadata"].get("annotations", {}).items() if "last-applied" not in key}}
        crd["spec"].pop("conversion", None)
        self.create_jobset()
        out, err = self.follow()
        out.until("train", "JobSet")
        kubectl("delete", "crd", name)
        out.until("train", "Deleted")
        err.until("does not have jobsets.jobset.x-k8s.io any more")
        # All else goes on.
        self.scale(3)
        out.until("web", "3/3")
        served(name, False)
        # Who asks for it now is told that there is none, as kubectl does.
        for command in ("get", "tree", "describe", "explain", "audit"):
            result = wmap(command, "jobset", "-n", SPACE)
            self.assertEqual((result.code, result.out), (1, ""), command)
            self.assertIn('the server doesn\'t have a resource type "jobset"', result.err)
        self.assertEqual(wmap("get", "job,jobset", "-n", SPACE, "-w").code, 1)
        self.assertEqual(wmap("get", "jobset/x", "-n", SPACE).code, 1)
        self.assertEqual(wmap("get", "-n", SPACE).code, 0)
        # It comes back, where it was seen and where it was not.
        later, _ = self.follow()
        later.until("web")
        kubectl("create", "-f", "-", stdin=json.dumps(crd))
        served(name)
        self.create_jobset()
        out.until("train", "JobSet")
        later.until("train", "JobSet")
        self.assertEqual(self.process.poll(), None)
        kubectl("delete", "jobset", "train", "-n", SPACE)
        for lines in (out, later):
            lines.until("train", "Deleted")
            self.assertNotIn("web Deployment Deleted", " ".join(lines.rest().split()))
        self.assertEqual(err.rest().count("\n"), 1, err.all)

    def test_a_server_that_has_just_started(self):
        """It does not know all of its types yet, and says that they are not there."""
        self.create_jobset()
        self.addCleanup(kubectl, "delete", "jobset", "train", "-n", SPACE, "--ignore-not-found")
        state = {"starting": False}

        def meant(exchange):
            return state["starting"] and ("jobset.x-k8s.io" in exchange.path or exchange.path == "/apis")

        def fault(exchange):
            if exchange.path != "/apis":
                return exchange.fail(404)
            return exchange.send(200, b'{"kind": "APIGroupDiscoveryList", "items": []}')
        proxy = FaultyProxy(meant, fault)
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        config = changed(self, lambda cluster, _: (cluster.clear(), cluster.update(server=proxy.url)))
        out, err = self.follow(kubeconfig=config)
        out.until("web")
        state["starting"] = True
        proxy.cut_watches()
        until(lambda: proxy.asked > 3, "nobody asked")
        state["starting"] = False
        self.scale(3)
        out.until("web", "3/3")
        self.assertNotIn("Deleted", out.rest(2))
        kubectl("delete", "jobset", "train", "-n", SPACE)
        out.until("train", "Deleted")
        self.assertNotIn("any more", err.rest(12))

    def test_definitions_come_and_go(self):
        def widgets(group):
            anything = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
            return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                    "metadata": {"name": f"widgets.{group}"},
                    "spec": {"group": group, "scope": "Namespaced",
                             "names": {"kind": "Widget", "plural": "widgets", "singular": "widget"},
                             "versions": [{"name": "v1", "served": True, "storage": True, "schema": anything}]}}

        def definition(replicas):
            return json.dumps({
                "apiVersion": "run.ai/v1alpha1", "kind": "Karta", "metadata": {"name": "widget"},
                "spec": {"structureDefinition": {"rootComponent": {
                    "name": "widget", "kind": {"group": "w.example.com", "version": "v1", "kind": "Widget"},
                    "specDefinition": {"podTemplateSpecPath": ".spec.template"},
                    "scaleDefinition": {"replicasPath": replicas},
                    "statusDefinition": {"statusMappings": {"running": [{"byExpression": {
                        "expression": ".spec != null", "expectedResult": "true"}}]}}}}}})
        kubectl("create", "-f", "-", stdin=json.dumps(widgets("w.example.com")))
        self.addCleanup(kubectl, "delete", "crd", "widgets.w.example.com")
        served("widgets.w.example.com")
        kubectl("create", "-f", "-", stdin=json.dumps({
            "apiVersion": "w.example.com/v1", "kind": "Widget",
            "metadata": {"name": "one", "namespace": SPACE}, "spec": {"replicas": 3, "size": 5}}))
        out, err = self.follow()
        out.until("web")
        kubectl("create", "-f", "-",
                stdin=json.dumps(yaml.safe_load((ROOT / "tests/live/kartas.crd.yaml").read_text())))
        self.addCleanup(kubectl, "delete", "crd", "kartas.run.ai")
        served("kartas.run.ai")
        until(lambda: self.applied(definition(".spec.replicas")), "no definition can be made")
        out.until("one", "Widget", "0/3")
        self.applied(definition(".spec.size"))
        out.until("one", "Widget", "0/5", seconds=5)
        typed, typed_err = self.follow("widget")
        typed.until("one", "Widget", "0/5")
        tree, _ = self.follow("widget/one", command="tree")
        tree.until("5 pods")
        trees = self.process
        # The object is there all the while.
        gone = "no definition covers Widget (w.example.com/v1) any more"
        for away in (lambda: kubectl("delete", "kartas.run.ai", "widget"),
                     lambda: self.applied(definition(".spec.size |"))):
            self.assertNotIn(gone, err.rest())
            away()
            for lines, told in ((out, err), (typed, typed_err)):
                lines.until("one", "Widget", "Uncovered", seconds=5)
                told.until(gone, seconds=5)
            tree.until("No workloads found.", seconds=5)
            self.scale(3)
            out.until("web", "3/3")
            until(lambda: self.applied(definition(".spec.size")), "no definition can be made")
            for lines in (out, typed):
                lines.until("one", "Widget", "0/5", seconds=15)
            tree.until("5 pods", seconds=15)
            self.assertEqual(trees.poll(), None)
            self.scale(2)
            out.until("web", "2/2")
            err.all.clear()
        for lines in (out, typed):
            self.assertNotIn("Widget Deleted", " ".join(lines.rest().split()))
        kubectl("delete", "widgets.w.example.com", "one", "-n", SPACE)
        for lines in (out, typed):
            lines.until("one", "Widget", "Deleted", seconds=5)
        self.assertNotIn("web Deployment Deleted", " ".join(out.rest().split()))

    @staticmethod
    def applied(text):
        try:
            kubectl("apply", "-f", "-", stdin=text)
            return True
        except AssertionError:
            return False


class Silence(Follow):
    """A connection that is dead without having been cut: nothing comes any more, and nothing is refused."""

    def test_over_http2(self):
        server = urllib.parse.urlsplit(admin()["clusters"][0]["cluster"]["server"])
        tunnel = Tunnel(server.hostname, server.port)
        self.addCleanup(tunnel.close)
        address = f"https://127.0.0.1:{tunnel.port}"
        out, err = self.follow(kubeconfig=changed(self, lambda cluster, _: cluster.update(server=address)))
        out.until("web", "2/2")
        tunnel.freeze()
        self.scale(4)
        line = err.until(f"no answer of {address} for 10 s", seconds=30)
        self.assertIn("what is shown may be out of date", line)
        out.until("web", "4/4", seconds=5)
        err.until("the server answers again; what is shown is up to date", seconds=15)

    def test_over_http1(self):
        proxy = FaultyProxy(lambda exchange: False, None)
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        config = changed(self, lambda cluster, _: (cluster.clear(), cluster.update(server=proxy.url)))
        out, err = self.follow(kubeconfig=config)
        out.until("web", "2/2")
        proxy.silent = True
        time.sleep(1)
        self.scale(4)
        err.until(f"no answer of {proxy.url} for 10 s", seconds=30)
        proxy.silent = False
        out.until("web", "4/4", seconds=45)
        self.assertNotIn("Deleted", out.rest())
        err.until("the server answers again; what is shown is up to date", seconds=30)


class Access(Follow):
    def allow(self, user, *rules):
        place = {"name": user, "namespace": SPACE}
        api = "rbac.authorization.k8s.io"
        kubectl("create", "-f", "-", stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": [
            {"apiVersion": f"{api}/v1", "kind": "Role", "metadata": place, "rules": list(rules)},
            {"apiVersion": f"{api}/v1", "kind": "RoleBinding", "metadata": place,
             "roleRef": {"apiGroup": api, "kind": "Role", "name": user},
             "subjects": [{"apiGroup": api, "kind": "User", "name": user}]}]}))

    def test_pods_that_may_be_listed_and_not_watched(self):
        self.allow("lister", {"apiGroups": ["apps", "batch", "jobset.x-k8s.io"], "resources": ["*"],
                              "verbs": ["list", "watch"]},
                   {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]})
        out, err = self.follow("--as", "lister")
        out.until("web", "2/2")
        line = err.until("error: cannot watch pods: ")
        self.assertIn("listed every 30 s instead", line)
        self.scale(3)
        out.until("web", "3/3", seconds=40)
        self.assertEqual(err.rest().count("\n"), 1, err.all)


class Selection(Follow):
    def test_what_is_not_selected_any_more_is_not_deleted(self):
        kubectl("label", "deployment/web", "-n", SPACE, "of=one")
        self.addCleanup(kubectl, "label", "deployment/web", "-n", SPACE, "of-")
        labelled, _ = self.follow("-l", "of=one")
        running, _ = self.follow("--phase", "Running")
        for lines in (labelled, running):
            lines.until("web", "Running", "2/2")
        kubectl("label", "deployment/web", "-n", SPACE, "of=two", "--overwrite")
        labelled.until("web", "Running,Unselected", "2/2")
        kubectl("label", "deployment/web", "-n", SPACE, "of=one", "--overwrite")
        labelled.until("web", "Running")
        hold = {"spec": {"template": {"metadata": {"annotations": {"wmap.test/hold": "yes"}}},
                         "strategy": {"type": "Recreate", "rollingUpdate": None}}}
        kubectl("patch", "deployment/web", "-n", SPACE, "-p", json.dumps(hold))
        line = running.until("web", "0/2")
        self.assertIn(",Unselected", line)
        hold["spec"]["template"]["metadata"]["annotations"]["wmap.test/hold"] = None
        kubectl("patch", "deployment/web", "-n", SPACE, "-p", json.dumps(hold))
        for lines in (labelled, running):
            self.assertNotIn("Deleted", lines.rest(1))
            self.assertEqual(lines.rest().count("NAMESPACE"), 1)


if __name__ == "__main__":
    unittest.main()
