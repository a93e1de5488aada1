#!/usr/bin/python3
"""Rollouts, quotas and nodes that go, as their real controllers leave them: what explain and audit say."""

import json
import subprocess
import unittest

import yaml

from bed import WMAP, bring_up, environment, kubectl, until, wmap

GPU = "nvidia.com/gpu"


def setUpModule():
    unittest.addModuleCleanup(bring_up("--nodes", "3"))


def maker(kind, name, gpus, **spec):
    """A Deployment, StatefulSet or DaemonSet of pods with so many GPUs."""
    labels = {"app": name}
    spec = {"selector": {"matchLabels": labels}, **spec,
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [
                {"name": "main", "image": "x", "resources": {"limits": {GPU: gpus}}}]}}}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


class Explained(unittest.TestCase):
    def setUp(self):
        self.namespace = self.id().rsplit(".", 1)[1].replace("_", "-")
        kubectl("create", "namespace", self.namespace)
        self.addCleanup(kubectl, "delete", "namespace", self.namespace, "--wait=false")

    def kubectl(self, *arguments, **options):
        return kubectl("-n", self.namespace, *arguments, **options)

    def create(self, *manifests):
        self.kubectl("create", "-f", "-", stdin=yaml.safe_dump_all(manifests))

    def explanation(self, name):
        result = wmap("explain", name, "-n", self.namespace, "-o", "json")
        self.assertEqual(result.code, 0, result.err)
        return result.json()["items"][0]

    def until_said(self, name, *words, seconds=30):
        """Waits until the first line has all of the words, and returns the explanation."""
        last = {}

        def says():
            last.update(self.explanation(name))
            return all(word in last["summary"] for word in words)
        try:
            until(says, words, seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}: {last['summary']}") from error
        return last

    def until_ready(self, *names):
        for name in names:
            self.until_said(name, "ready")

    def findings(self):
        result = wmap("audit", "-n", self.namespace, "-o", "json")
        return [(item["code"], item["name"]) for item in result.json()["items"]]

    def set_gpus(self, gpus, *names):
        for name in names:
            self.kubectl("set", "resources", name, f"--limits={GPU}={gpus}")

    def test_rollouts(self):
        held = {"updateStrategy": {"type": "OnDelete"}}
        parted = {"updateStrategy": {"rollingUpdate": {"partition": 1}}}
        self.create(maker("Deployment", "stuck", 1, replicas=2, progressDeadlineSeconds=3),
                    maker("Deployment", "paused", 1, replicas=2),
                    maker("StatefulSet", "kept", 1, replicas=2, serviceName="x", **held),
                    maker("StatefulSet", "parted", 1, replicas=2, serviceName="x", **parted),
                    maker("DaemonSet", "agent", 1, **held))
        names = ("deploy/stuck", "deploy/paused", "sts/kept", "sts/parted", "ds/agent")
        self.until_ready(*names)
        for name in names:
            self.assertEqual(self.explanation(name)["causes"], [])
        self.kubectl("rollout", "pause", "deploy/paused")
        self.until_said("deploy/paused", "but it is paused: changes of its template")
        self.set_gpus(16, "deploy/stuck")
        self.set_gpus(2, *names[1:])

        stuck = self.until_said("deploy/stuck", "all 2 pods that are wanted are ready",
                                "but its rollout is stuck: 1 pod can never be scheduled",
                                "asks for 16 nvidia.com/gpu")
        self.assertEqual([cause["code"] for cause in stuck["causes"]], ["unschedulable", "rollout"])
        self.until_said("deploy/paused", "it is paused, and its newest template is on none of its 2")
        self.until_said("sts/kept", "its newest template is on none of its 2 pods", "OnDelete")
        self.until_said("sts/parted", "its newest template is on 1 of 2 pods", "partition 1")
        self.until_said("ds/agent", "its newest template is on none of its 3 pods", "OnDelete")
        # Pods of an older template that somebody wants to stay are no findings.
        self.assertEqual(self.findings(), [])

        self.kubectl("rollout", "undo", "deploy/stuck")
        self.kubectl("rollout", "resume", "deploy/paused")
        self.kubectl("delete", "pod", "kept-0", "kept-1")
        for name in names[:3]:
            until(lambda name=name: self.explanation(name)["summary"].endswith("are ready"), name)

    def test_a_quota_that_is_raised(self):
        self.create({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"},
                     "spec": {"hard": {"pods": 1}}})
        until(lambda: "hard" in self.kubectl("get", "resourcequota", "q", "-o", "jsonpath={.status}"),
              "the quota is not counted")
        self.create({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "two"},
                     "spec": {"parallelism": 2, "completions": 2, "template": {"spec": {
                         "restartPolicy": "Never", "containers": [{"name": "main", "image": "x"}]}}}})
        self.until_said("job/two", "1 pod cannot be created: quota q is exceeded")
        # Its controller waits for minutes before it tries again.
        self.kubectl("patch", "resourcequota", "q", "--type=merge", "-p",
                     '{"spec": {"hard": {"pods": 5}}}')
        self.until_said("job/two", "could not be created: quota q was exceeded, and has room by now")

    def test_waits_without_a_pod(self):
        template = {"metadata": {"annotations": {"wmap.test/exit": "3"}},
                    "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "x"}]}}
        self.create({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "again"},
                     "spec": {"backoffLimit": 3, "template": template}},
                    {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "yearly"},
                     "spec": {"schedule": "0 0 1 1 *", "jobTemplate": {"spec": {"template": template}}}},
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "reads"},
                     "spec": {"containers": [{"name": "main", "image": "x"}], "volumes": [
                         {"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]}})
        self.until_said("job/again", "exited with code 3", "waits before it makes another pod")
        self.until_said("cronjob/yearly", "it has not run yet", "-01-01T00:00:00Z")
        reads = self.until_said("pod/reads", 'persistentvolumeclaim "data" not found')
        self.assertIn(f"kubectl get persistentvolumeclaim -n {self.namespace} data",
                      reads["causes"][0]["commands"])

    def test_a_namespace_that_is_not_there(self):
        result = wmap("audit", "-n", "nowhere")
        self.assertIn('there is no namespace "nowhere"', result.err)
        self.assertNotIn("All agrees", result.out)
        self.assertEqual(result.code, 3)
        # An empty list is one, as for kubectl.
        result = wmap("get", "-n", "nowhere")
        self.assertIn('there is no namespace "nowhere"', result.err)
        self.assertEqual(result.code, 0)
        self.assertEqual(wmap("get", "-n", "nowhere", "-o", "json").json()["diagnostics"][0]["code"],
                         "no-namespace")
        self.assertEqual(wmap("audit").err, "")

    def test_z_a_node_that_is_removed(self):
        self.create(maker("DaemonSet", "agent", 1))
        self.until_ready("ds/agent")
        node = self.kubectl("get", "pods", "-o", "jsonpath={.items[0].spec.nodeName}").strip()
        kubectl("delete", "node", node)
        with subprocess.Popen([WMAP, "audit", "-A", "-o", "json"], env=environment(), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as audit:
            out, err = audit.communicate(timeout=180)
        self.assertIn("waiting up to 90 s", err)
        self.assertNotIn("node-gone", [item["code"] for item in json.loads(out)["items"]])


if __name__ == "__main__":
    unittest.main(verbosity=2)
