#!/usr/bin/python3
"""The program against a real API server: what it shows of a cluster is what it shows of the same
objects in files, and what it may not see it says. Run by ./dev test --full."""

import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

from bed import (FOLDER, PATIENCE, WMAP, JobSet, admin, bring_up, changed, kubectl, plugin,
                 temporary, until, wmap)


def setUpModule():
    unittest.addModuleCleanup(bring_up())


class RunningExample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        kubectl("create", "namespace", "demo")
        JobSet("demo").wait()

    @classmethod
    def tearDownClass(cls):
        kubectl("delete", "namespace", "demo", "--wait", PATIENCE)

    def test_kubectl_shows_its_parts(self):
        counts = [len(kubectl("get", kind, "-n", "demo", "-o", "name").split())
                  for kind in ("jobsets", "jobs", "pods")]
        self.assertEqual(counts, [1, 3, 3])

    def test_it_is_one_row(self):
        result = wmap("get", "-n", "demo")
        self.assertEqual((result.code, result.err), (0, ""))
        header, row = result.out.splitlines()
        self.assertEqual(row.split()[:6], ["demo", "train", "JobSet", "Running", "3/3", "12"])
        rows = [line.split()[:6] for line in wmap("get", "-A", "--no-headers").out.splitlines()]
        self.assertIn(row.split()[:6], rows)

    def test_its_tree_is_that_of_the_same_objects_in_files(self):
        live = wmap("tree", "jobset/train", "-n", "demo", "-o", "json")
        self.assertEqual((live.code, live.err), (0, ""))
        objects = kubectl("get", "jobsets,jobs,pods", "-n", "demo", "-o", "json")
        offline = wmap("tree", "jobset/train", "-f", "-", "-o", "json", stdin=objects)
        self.assertEqual(live.json(), offline.json())
        item = live.json()["items"][0]
        self.assertEqual([(role["role"], role["pods"]["desired"], role["gpus"]["desired"])
                          for role in item["roles"]], [("leader", 1, 4), ("workers", 2, 8)])
        self.assertEqual(item["totals"]["gpus"], {"desired": 12, "allocated": 12, "running": 12})
        self.assertTrue(live.json()["complete"])

    def test_describe_has_its_events(self):
        result = wmap("describe", "jobset", "train", "-n", "demo")
        self.assertEqual(result.code, 0)
        self.assertIn("SuccessfulCreate", result.out)

    def test_small_pages_and_all_at_once_say_the_same(self):
        def listed(*arguments):
            return wmap("get", "-A", "-o", "json", *arguments).json()
        for size in ("1", "0"):
            # What other tests have left may still be going.
            until(lambda size=size: listed("--chunk-size", size) == listed(), f"pages of {size}")

    def test_types_and_names(self):
        for words in (["jobsets"], ["jobset.jobset.x-k8s.io"], ["JobSet"]):
            self.assertIn("train", wmap("get", *words, "-n", "demo").out)
        missing = wmap("get", "jobset/trian", "-n", "demo")
        self.assertEqual(missing.code, 3)
        self.assertIn("did you mean jobset/train?", missing.err)
        self.assertEqual(wmap("get", "-n", "kube-system").err, "No workloads found.\n")


class Following(unittest.TestCase):
    def follow(self, *arguments):
        """The lines that `wmap get --watch` prints, as they come, without their ages."""
        process = subprocess.Popen(
            [WMAP, *arguments, "--watch"], text=True, stdout=subprocess.PIPE, bufsize=1,
            env={**os.environ, "KUBECONFIG": str(FOLDER / "kubeconfig" / "admin")})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process.stdout

    def until(self, lines, *words):
        """Reads up to the line with these words."""
        for line in lines:
            if all(word in line.split() for word in words):
                return line
        raise AssertionError(f"no line with {words}")

    def test_rows_that_change(self):
        kubectl("create", "namespace", "follow")
        self.addCleanup(kubectl, "delete", "namespace", "follow", "--wait=false")
        kubectl("create", "deployment", "web", "-n", "follow", "--image=x", "--replicas=1")
        lines = self.follow("get", "-n", "follow")
        self.until(lines, "web", "Running", "1/1")
        kubectl("scale", "deployment/web", "-n", "follow", "--replicas=3")
        self.until(lines, "web", "Running", "3/3")
        kubectl("create", "job", "new", "-n", "follow", "--image=x")
        self.until(lines, "new", "Job", "Running", "1/1")
        kubectl("delete", "deployment/web", "-n", "follow")
        self.until(lines, "web", "Deleted")

    def test_namespaces_side_by_side(self):
        for name in ("side-a", "side-b"):
            kubectl("create", "namespace", name)
            self.addCleanup(kubectl, "delete", "namespace", name, "--wait=false")
            kubectl("create", "deployment", "web", "-n", name, "--image=x", "--replicas=1")
        lines = self.follow("get", "-A")
        for name in ("side-a", "side-b"):
            self.until(lines, name, "web", "Running", "1/1")
        kubectl("scale", "deployment/web", "-n", "side-b", "--replicas=2")
        self.until(lines, "side-b", "web", "Running", "2/2")
        kubectl("delete", "deployment/web", "-n", "side-a")
        self.until(lines, "side-a", "web", "Deleted")
        kubectl("scale", "deployment/web", "-n", "side-b", "--replicas=3")
        self.until(lines, "side-b", "web", "Running", "3/3")

    def test_an_object_without_namespace_has_pods_in_several(self):
        crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
               "metadata": {"name": "fleets.wmap.test"},
               "spec": {"group": "wmap.test", "scope": "Cluster",
                        "names": {"kind": "Fleet", "plural": "fleets", "singular": "fleet"},
                        "versions": [{"name": "v1", "served": True, "storage": True,
                                      "schema": {"openAPIV3Schema": {
                                          "type": "object",
                                          "x-kubernetes-preserve-unknown-fields": True}}}]}}
        kubectl("create", "-f", "-", stdin=json.dumps(crd))
        self.addCleanup(kubectl, "delete", "crd", "fleets.wmap.test")
        kubectl("wait", "crd/fleets.wmap.test", "--for=condition=Established", PATIENCE)
        definition = temporary(self, json.dumps({
            "apiVersion": "run.ai/v1alpha1", "kind": "Karta", "metadata": {"name": "fleet"},
            "spec": {"structureDefinition": {"rootComponent": {
                "name": "fleet", "kind": {"group": "wmap.test", "version": "v1", "kind": "Fleet"},
                "specDefinition": {"podTemplateSpecPath": ".spec.template"},
                "scaleDefinition": {"replicasPath": ".spec.replicas"},
                "statusDefinition": {"statusMappings": {}}}}}}), ".yaml")
        fleet = json.loads(kubectl("create", "-o", "json", "-f", "-", stdin=json.dumps({
            "apiVersion": "wmap.test/v1", "kind": "Fleet", "metadata": {"name": "all"},
            "spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "m"}]}}}})))
        lines = self.follow("get", "-A", "--definitions", definition)
        self.until(lines, "all", "Fleet", "0/2")
        for count, name in enumerate(("fleet-a", "fleet-b"), start=1):
            kubectl("create", "namespace", name)
            self.addCleanup(kubectl, "delete", "namespace", name, "--wait=false")
            kubectl("create", "-f", "-", stdin=json.dumps({
                "apiVersion": "v1", "kind": "Pod", "metadata": {
                    "name": "one", "namespace": name, "ownerReferences": [{
                        "apiVersion": "wmap.test/v1", "kind": "Fleet", "name": "all",
                        "uid": fleet["metadata"]["uid"], "controller": True}]},
                "spec": {"containers": [{"name": "m", "image": "x"}]}}))
            self.until(lines, "all", "Fleet", f"{count}/2")

    def test_a_tree(self):
        kubectl("create", "namespace", "follow-tree")
        self.addCleanup(kubectl, "delete", "namespace", "follow-tree", "--wait=false")
        lines = self.follow("tree", "-n", "follow-tree")
        self.until(lines, "No", "workloads", "found.")
        kubectl("create", "deployment", "web", "-n", "follow-tree", "--image=x", "--replicas=2")
        self.until(lines, "Deployment", "follow-tree/web", "Running", "2/2")


class Explaining(unittest.TestCase):
    """Why something waits, in the words of the real scheduler and of the real controllers."""

    @classmethod
    def setUpClass(cls):
        for name in ("waits", "tight"):
            kubectl("create", "namespace", name)
        quota = {"apiVersion": "v1", "kind": "ResourceQuota",
                 "metadata": {"name": "gpus", "namespace": "tight"},
                 "spec": {"hard": {"requests.nvidia.com/gpu": "2"}}}
        cls.create(quota)
        wait = "jsonpath={.status.hard}"
        kubectl("wait", "resourcequota/gpus", "-n", "tight", f"--for={wait}", PATIENCE)
        cls.create(cls.job("huge", "waits", 2, 16))
        cls.create(cls.job("picky", "waits", 1, 1, nodeSelector={"gpu": "h900"}))
        cls.create(cls.job("tune", "tight", 3, 2))
        cls.create({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
                    "metadata": {"name": "no-events"},
                    "rules": [{"apiGroups": ["apps", "batch", "jobset.x-k8s.io"],
                               "resources": ["*"], "verbs": ["list"]},
                              {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]})
        cls.create({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
                    "metadata": {"name": "no-events", "namespace": "waits"},
                    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                                "name": "no-events"},
                    "subjects": [{"kind": "User", "name": "reader"}]})
        for name in ("huge", "picky"):
            kubectl("wait", "pod", "-n", "waits", "-l", f"job-name={name}",
                    "--for=condition=PodScheduled=false", PATIENCE)

    @classmethod
    def tearDownClass(cls):
        kubectl("delete", "namespace", "waits", "tight", "--wait=false")
        kubectl("delete", "clusterrole", "no-events")

    @staticmethod
    def create(manifest):
        kubectl("create", "-f", "-", stdin=json.dumps(manifest))

    @staticmethod
    def job(name, namespace, pods, gpus, **spec):
        container = {"name": "main", "image": "x",
                     "resources": {"limits": {"nvidia.com/gpu": str(gpus)}}}
        return {"apiVersion": "batch/v1", "kind": "Job",
                "metadata": {"name": name, "namespace": namespace},
                "spec": {"parallelism": pods, "completions": pods, "template": {"spec": {
                    "restartPolicy": "Never", "containers": [container], **spec}}}}

    def explain(self, name, namespace, *arguments):
        result = wmap("explain", f"job/{name}", "-n", namespace, *arguments)
        self.assertEqual((result.code, result.err), (0, ""))
        return result

    def test_no_node_is_large_enough(self):
        first, *rest = self.explain("huge", "waits").out.splitlines()
        self.assertEqual(first, "Job waits/huge is Initializing: 2 pods can never be scheduled: each "
                                "asks for 16 nvidia.com/gpu, and the largest of 4 nodes has 8")
        self.assertIn("    the scheduler says: Insufficient nvidia.com/gpu on 4 of 4 nodes", rest)
        self.assertLessEqual(len(rest), 40)

    def test_no_node_has_the_label(self):
        item = self.explain("picky", "waits", "-o", "json").json()["items"][0]
        self.assertEqual([cause["code"] for cause in item["causes"]], ["unschedulable"])
        self.assertIn("node selector: gpu=h900", item["causes"][0]["details"])
        self.assertEqual(item["unseen"], [])

    def test_a_quota_leaves_no_room(self):
        result = self.explain("tune", "tight", "-o", "json").json()["items"][0]
        cause = result["causes"][0]
        self.assertEqual(cause["code"], "quota")
        self.assertIn("2 pods cannot be created: quota gpus is exceeded (2 of 2 "
                      "requests.nvidia.com/gpu used, 2 more asked for)", cause["summary"])

    def test_its_commands_work(self):
        for name, namespace in (("huge", "waits"), ("tune", "tight")):
            item = self.explain(name, namespace, "-o", "json").json()["items"][0]
            self.assertTrue(item["commands"])
            for command in item["commands"]:
                program, *words = shlex.split(command)
                self.assertEqual(program, "kubectl")
                kubectl(*words)

    def test_what_may_not_be_read_is_named(self):
        result = wmap("explain", "job/huge", "-n", "waits", "--as", "reader")
        self.assertEqual(result.code, 1)
        self.assertIn("cannot list events", result.err)
        first, *rest = result.out.splitlines()
        self.assertEqual(first, "Job waits/huge is Initializing: 2 pods cannot be scheduled: "
                                "Insufficient nvidia.com/gpu on 4 of 4 nodes")
        self.assertIn("Not known", rest)
        for what in ("events", "nodes"):
            self.assertTrue(any(line.startswith(f"  {what}: ") for line in rest), result.out)

    def test_names_and_types_that_are_not_there(self):
        self.assertEqual(wmap("explain", "job/hgue", "-n", "waits").code, 3)
        self.assertEqual(wmap("explain", "networkpolicy/x", "-n", "waits").code, 4)


class Auditing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        kubectl("create", "namespace", "audited")
        cls.jobset = JobSet("audited")
        cls.jobset.wait()

    @classmethod
    def tearDownClass(cls):
        kubectl("delete", "namespace", "audited", "--wait", PATIENCE)

    def test_what_works_is_silent(self):
        result = wmap("audit", "-n", "audited")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertTrue(result.out.startswith(
            "All agrees: 1 workload with 3 pods and 12 GPUs compared"), result.out)

    def test_nodes_are_compared_with_all_namespaces(self):
        audit = wmap("audit", "-A", "-o", "json").json()
        self.assertEqual(audit["compared"]["nodes"], 4)
        self.assertTrue(audit["complete"])
        self.assertEqual([item for item in audit["items"] if item["namespace"] == "audited"
                          or item["kind"] == "Node"], [])

    def test_a_kind_that_nobody_covers(self):
        kubectl("create", "configmap", "holder", "-n", "audited")
        self.addCleanup(kubectl, "delete", "configmap", "holder", "-n", "audited")
        holder = json.loads(kubectl("get", "configmap", "holder", "-n", "audited", "-o", "json"))
        owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "holder", "controller": True,
                 "uid": holder["metadata"]["uid"]}
        pod = {"apiVersion": "v1", "kind": "Pod",
               "metadata": {"name": "held", "namespace": "audited", "ownerReferences": [owner]},
               "spec": {"containers": [
                   {"name": "a", "image": "x", "resources": {"limits": {"nvidia.com/gpu": "2"}}}]}}
        kubectl("create", "-f", "-", stdin=json.dumps(pod))
        self.addCleanup(kubectl, "delete", "pod", "held", "-n", "audited", "--wait=false")
        audit = wmap("audit", "-n", "audited", "-o", "json")
        self.assertEqual(audit.code, 1)
        items = audit.json()["items"]
        self.assertEqual([(item["code"], item["kind"], item["gpus"]) for item in items],
                         [("no-definition", "ConfigMap", 2)])

    def test_what_may_not_be_read_is_named(self):
        result = wmap("audit", "-n", "restricted", user="pod-lister")
        self.assertEqual(result.code, 1)
        self.assertIn("Not known: jobs.batch: ", result.out)
        self.assertNotIn("All agrees", result.out)


class Access(unittest.TestCase):
    def refused(self, result, *words):
        self.assertEqual(result.code, 1, result.err)
        self.assertTrue(result.err.startswith("error: "), result.err)
        for word in words:
            self.assertIn(word, result.err)
        self.assertNotIn("\x1b", result.err)

    def test_by_token_and_by_certificate(self):
        for user in ("admin", "admin-certificate"):
            self.assertEqual(wmap("get", "-A", user=user).code, 0)

    def test_no_cluster(self):
        self.refused(wmap("get", kubeconfig="/nowhere"), "no cluster configured", "with -f")

    def test_nobody_answers(self):
        config = changed(self, lambda cluster, _: cluster.update(server="https://127.0.0.1:1"))
        self.refused(wmap("get", kubeconfig=config), "cannot connect to https://127.0.0.1:1")

    def test_wrong_authority(self):
        other = pathlib.Path(tempfile.mkdtemp()) / "ca.crt"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-keyout", os.devnull, "-subj", "/CN=x",
                        "-out", other], check=True, stderr=subprocess.DEVNULL)
        config = changed(
            self, lambda cluster, _: cluster.update({"certificate-authority": str(other)}))
        self.refused(wmap("get", kubeconfig=config), "is not trusted")
        self.assertEqual(wmap("get", "-A", "--insecure-skip-tls-verify", kubeconfig=config).code, 0)

    def test_server_name(self):
        config = changed(self, lambda cluster, _: cluster.update({"tls-server-name": "localhost"}))
        self.assertEqual(wmap("get", "-A", kubeconfig=config).code, 0)
        config = changed(self, lambda cluster, _: cluster.update({"tls-server-name": "other"}))
        self.refused(wmap("get", kubeconfig=config), "is not trusted")

    def test_unknown_token_and_expired_certificate(self):
        for user in ("unknown", "expired"):
            self.refused(wmap("get", user=user), "401")

    def test_plugins(self):
        token = admin()["users"][0]["user"]["token"]
        answer = json.dumps({"apiVersion": "client.authentication.k8s.io/v1",
                             "kind": "ExecCredential", "status": {"token": token}})
        self.assertEqual(wmap("get", "-A", kubeconfig=plugin(self, f"echo '{answer}'\n")).code, 0)
        self.refused(wmap("get", kubeconfig=plugin(self, "echo garbage\n")), "no ExecCredential")
        self.refused(wmap("get", kubeconfig=plugin(self, "echo session expired >&2; exit 1\n")),
                     "session expired")

    def test_a_user_who_may_do_nothing(self):
        result = wmap("get", "-n", "default", user="nobody")
        self.refused(result, "cannot list ", "pods: forbidden: User \"nobody\" cannot list them")
        self.assertFalse(wmap("get", "-n", "default", "-o", "json", user="nobody").json()["complete"])

    def test_what_is_allowed_is_shown_and_the_rest_is_named(self):
        kubectl("run", "alone", "-n", "restricted", "--image=registry.example/x", "--restart=Never")
        self.addCleanup(kubectl, "delete", "pod", "alone", "-n", "restricted", "--wait=false")
        kubectl("wait", "pod/alone", "-n", "restricted", "--for=condition=Ready", PATIENCE)
        result = wmap("get", "-n", "restricted", user="pod-lister")
        self.refused(result, "cannot list ", ", jobs.batch, ")
        self.assertNotIn("pods", result.err.replace("pod-lister", ""))
        self.assertIn("alone", result.out)

    def test_acting_as_somebody_else(self):
        result = wmap("get", "-n", "restricted", "--as", "pod-lister")
        self.assertNotIn("pods", result.err.replace("pod-lister", ""))
        self.refused(result, "cannot list ", ", jobs.batch, ", "pod-lister")


if __name__ == "__main__":
    unittest.main()
