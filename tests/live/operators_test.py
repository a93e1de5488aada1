#!/usr/bin/python3
"""Workloads that their own operators run, from their creation to their end: at every step the phase is
the right one, and what wmap counts is what the pods say. Run by ./dev test --full."""

import json
import unittest

from bed import PATIENCE, bring_up, kubectl, until, wmap

HOLD = "wmap.test/hold"
# What is told of a workload that has ended and still has GPUs.
HOLDS = ("devices-held",)


def setUpModule():
    unittest.addModuleCleanup(bring_up("--operators", "--nodes", "6"))


def template(container, gpus=0, held=False, **annotations):
    """A pod template. Pods that are held stay Pending on their nodes."""
    resources = {"limits": {"nvidia.com/gpu": str(gpus)}} if gpus else {}
    annotations = {f"wmap.test/{key.replace('_', '-')}": value for key, value in annotations.items()}
    return {"metadata": {"annotations": {**annotations, **({HOLD: ""} if held else {})}},
            "spec": {"containers": [{"name": container, "image": "x", "resources": resources}]}}


def ray_cluster(held, replicas=2, **head):
    return {"rayVersion": "2.46.0",
            "headGroupSpec": {"rayStartParams": {}, "template": template("ray-head", **head)},
            "workerGroupSpecs": [{"groupName": "gpu", "replicas": replicas, "rayStartParams": {},
                                  "template": template("ray-worker", 8, held)}]}


def devices(pods):
    return sum(int(container.get("resources", {}).get("limits", {}).get("nvidia.com/gpu", 0))
               for pod in pods for container in pod["spec"]["containers"])


def is_ready(pod):
    return pod["status"]["phase"] == "Running" and any(
        one["type"] == "Ready" and one["status"] == "True" for one in pod["status"]["conditions"])


def counted(pods):
    """What pods say of themselves, in the words of wmap."""
    running = [pod for pod in pods if pod["status"]["phase"] == "Running"]
    held = [pod for pod in pods if pod["spec"].get("nodeName")
            and pod["status"]["phase"] in ("Pending", "Running")]
    return {"observed": len(pods), "ready": len([pod for pod in pods if is_ready(pod)]),
            "allocated": devices(held), "running": devices(running)}


class Life(unittest.TestCase):
    """One workload in a namespace of its own: `self.kind`, named "it"."""

    def setUp(self):
        self.namespace = self._testMethodName.replace("_", "-")
        kubectl("create", "namespace", self.namespace)
        self.addCleanup(kubectl, "delete", "namespace", self.namespace, "--wait=false")

    def kubectl(self, *arguments, **options):
        return kubectl(f"--namespace={self.namespace}", *arguments, **options)

    def start(self, api_version, kind, spec):
        self.kind = kind.lower()
        self.kubectl("create", "-f", "-", stdin=json.dumps(
            {"apiVersion": api_version, "kind": kind, "metadata": {"name": "it"}, "spec": spec}))

    def patch(self, patch):
        self.kubectl("patch", f"{self.kind}/it", "--type=merge", "--patch", json.dumps(patch))

    def annotate(self, selector, annotation):
        self.kubectl("annotate", "pods", "--overwrite", f"--selector={selector}", annotation)

    def pods(self):
        return json.loads(self.kubectl("get", "pods", "--output=json"))["items"]

    def shows(self, phase, pods, gpus, wanted=None, told=()):
        """Waits until wmap shows the phase, so many existing pods, the GPUs that the object asks for,
        in every count what the pods say, and diagnostics of the codes `told`."""
        expected = {"phase": phase, "gpus": gpus, "observed": pods, "told": told}
        if wanted is not None:
            expected["wanted"] = wanted
        seen = None

        def holds():
            nonlocal seen
            item = wmap("get", f"{self.kind}/it", "-n", self.namespace, "-o", "json").json()["items"][0]
            said = counted(self.pods())
            totals = item["totals"]
            shown = {key: totals[part][key] for part, keys in
                     (("pods", ("observed", "ready")), ("gpus", ("allocated", "running")))
                     for key in keys}
            seen = {"phase": item["status"]["phase"], "gpus": totals["gpus"]["desired"],
                    "wanted": totals["pods"]["wanted"], **shown}
            roles = sum(role["pods"]["observed"] for role in item["roles"])
            seen["told"] = tuple(one["code"] for one in item["diagnostics"])
            return shown == said and roles == said["observed"] and expected.items() <= seen.items()

        try:
            until(holds, expected)
        except AssertionError:
            raise AssertionError(f"expected {expected}, seen {seen}, pods {counted(self.pods())}\n"
                                 + wmap("tree", f"{self.kind}/it", "-n", self.namespace).out) from None

    def ends(self):
        """The workload is deleted; nothing of it is left."""
        self.kubectl("delete", f"{self.kind}/it", "--wait", PATIENCE)
        # The garbage collector looks for new types twice a minute, and does not know this one before.
        until(lambda: not self.pods(), "its pods go", seconds=120)
        self.assertEqual(wmap("get", f"{self.kind}/it", "-n", self.namespace).code, 3)
        self.assertEqual(wmap("get", "-n", self.namespace).out, "")


class Ray(Life):
    WORKERS = "ray.io/node-type=worker"
    HEAD = "ray.io/node-type=head"

    def test_ray_cluster(self):
        self.start("ray.io/v1", "RayCluster", ray_cluster(held=True))
        self.shows("Initializing", 3, 16, wanted=3)
        self.annotate(self.WORKERS, HOLD + "-")
        self.shows("Running", 3, 16, wanted=3)
        # The one that takes the place of a lost worker is held again.
        self.kubectl("delete", self.kubectl("get", "pods", f"--selector={self.WORKERS}",
                                            "--output=name").split()[0])
        self.shows("Degraded", 3, 16)
        self.annotate(self.WORKERS, HOLD + "-")
        self.shows("Running", 3, 16)
        self.patch({"spec": ray_cluster(held=True, replicas=1)})
        self.shows("Running", 2, 8, wanted=2)
        self.patch({"spec": {"suspend": True}})
        self.shows("Suspended", 0, 8, wanted=0)
        self.patch({"spec": {"suspend": False}})
        self.shows("Initializing", 2, 8, wanted=2)
        self.annotate(self.WORKERS, HOLD + "-")
        self.shows("Running", 2, 8)
        self.ends()

    def test_ray_job_that_succeeds(self):
        self.start("ray.io/v1", "RayJob", {
            "entrypoint": "python train.py", "submissionMode": "HTTPMode",
            "rayClusterSpec": ray_cluster(held=True)})
        self.shows("Initializing", 3, 16)
        self.annotate(self.WORKERS, HOLD + "-")
        self.shows("Running", 3, 16)
        self.annotate(self.HEAD, "wmap.test/ray-job=SUCCEEDED")
        self.shows("Completed", 3, 16, wanted=0, told=HOLDS)
        self.ends()

    def test_ray_job_that_fails(self):
        submitter = template("submit")
        submitter["spec"]["restartPolicy"] = "Never"
        self.start("ray.io/v1", "RayJob", {
            "entrypoint": "python train.py", "submitterPodTemplate": submitter, "backoffLimit": 0,
            "submitterConfig": {"backoffLimit": 0}, "rayClusterSpec": ray_cluster(held=False)})
        self.shows("Running", 4, 16)
        self.annotate(self.HEAD, "wmap.test/ray-job=FAILED")
        self.annotate("batch.kubernetes.io/job-name=it", "wmap.test/exit=1")
        self.shows("Failed", 4, 16, wanted=0, told=HOLDS)
        self.ends()

    def test_ray_service(self):
        self.start("ray.io/v1", "RayService", {
            "serveConfigV2": json.dumps({"applications": [{
                "name": "chat", "import_path": "chat:app", "route_prefix": "/",
                "deployments": [{"name": "Model", "num_replicas": 1}]}]}),
            "rayClusterConfig": ray_cluster(held=True, ray_serve="DEPLOYING")})
        self.shows("Initializing", 3, 16)
        self.annotate(self.WORKERS, HOLD + "-")
        self.annotate(self.HEAD, "wmap.test/ray-serve=RUNNING")
        self.shows("Running", 3, 16)
        self.annotate(self.HEAD, "wmap.test/ray-serve=UNHEALTHY")
        self.shows("Degraded", 3, 16)
        self.annotate(self.HEAD, "wmap.test/ray-serve=RUNNING")
        self.shows("Running", 3, 16)
        self.ends()


class Training(Life):
    def labels(self, role=None):
        name = "training.kubeflow.org/job-name=it"
        return name + (f",training.kubeflow.org/replica-type={role}" if role else "")

    def start_pytorch(self, held=False, policy="Never"):
        replicas = lambda count, held: {"replicas": count, "restartPolicy": policy,
                                        "template": template("pytorch", 4, held)}
        self.start("kubeflow.org/v1", "PyTorchJob", {
            "runPolicy": {"suspend": False},
            "pytorchReplicaSpecs": {"Master": replicas(1, False), "Worker": replicas(2, held)}})

    def test_pytorch_job_that_succeeds(self):
        self.start_pytorch(held=True)
        self.shows("Initializing", 3, 12)
        self.annotate(self.labels("worker"), HOLD + "-")
        self.shows("Running", 3, 12, wanted=3)
        self.patch({"spec": {"runPolicy": {"suspend": True}}})
        self.shows("Suspended", 0, 12, wanted=0)
        self.patch({"spec": {"runPolicy": {"suspend": False}}})
        self.shows("Initializing", 3, 12)
        self.annotate(self.labels("worker"), HOLD + "-")
        self.shows("Running", 3, 12)
        self.annotate(self.labels(), "wmap.test/exit=0")
        self.shows("Completed", 3, 12, wanted=0)
        self.ends()

    def test_pytorch_job_that_fails(self):
        self.start_pytorch()
        self.shows("Running", 3, 12)
        self.annotate(self.labels("worker"), "wmap.test/exit=1")
        self.shows("Failed", 3, 12, wanted=0, told=HOLDS)
        self.ends()

    def start_mpi(self, held=False):
        launcher = template("launcher")
        self.start("kubeflow.org/v1", "MPIJob", {
            "slotsPerWorker": 4, "runPolicy": {"cleanPodPolicy": "None"},
            "mpiReplicaSpecs": {
                "Launcher": {"replicas": 1, "restartPolicy": "Never", "template": launcher},
                "Worker": {"replicas": 2, "restartPolicy": "Never",
                           "template": template("worker", 4, held)}}})

    def test_mpi_job_that_succeeds(self):
        self.start_mpi(held=True)
        self.shows("Initializing", 3, 8)
        self.annotate(self.labels("worker"), HOLD + "-")
        self.shows("Running", 3, 8, wanted=3)
        self.annotate(self.labels("launcher"), "wmap.test/exit=0")
        self.shows("Completed", 3, 8, wanted=0, told=HOLDS)
        self.ends()

    def test_mpi_job_that_fails(self):
        self.start_mpi()
        self.shows("Running", 3, 8)
        self.annotate(self.labels("launcher"), "wmap.test/exit=1")
        self.shows("Failed", 3, 8, wanted=0, told=HOLDS)
        self.ends()


if __name__ == "__main__":
    unittest.main(verbosity=2)
