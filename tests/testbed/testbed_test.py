#!/usr/bin/python3
"""The test bed itself: what tests rely on works, and nothing is left of it. Run by ./dev test --full."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
RUN = HERE.parents[1] / "testbed" / "run"
BED = f"smoke-{os.getpid()}"
FOLDER = HERE.parents[1] / "build" / "testbed" / BED
PATIENCE = "--timeout=120s"


def testbed(*arguments):
    return subprocess.run([RUN, *arguments, "--name", BED], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.PIPE, check=False)


def kubectl(*arguments, user="admin", check=True):
    done = subprocess.run([FOLDER / "bin" / "kubectl", f"--kubeconfig={FOLDER}/kubeconfig/{user}",
                           f"--cache-dir={FOLDER}/cache", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if check and done.returncode != 0:
        raise AssertionError(f"kubectl {' '.join(arguments)}:\n{done.stdout}")
    return done.stdout


def pids_of_bed():
    """The processes whose command line names the bed's folder, as that of each of its processes does."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if str(FOLDER).encode() in command and int(path.parent.name) != os.getpid():
            found.append(int(path.parent.name))
    return found


def setUpModule():
    done = testbed("up", "--operators", "--nodes", "3")
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        raise AssertionError(f"the bed did not come up: exit {done.returncode}")


def tearDownModule():
    """The bed goes, and nothing but its logs is left."""
    listed, pids = testbed("status"), pids_of_bed()
    sys.stderr.write(listed.stdout)
    done = testbed("down", "--keep-logs")
    if listed.returncode != 0 or len(pids) < 8:
        raise AssertionError(f"processes of the bed had ended: {listed.stderr}")
    if done.returncode != 0 or "killed" in done.stderr:
        raise AssertionError(f"the bed did not go down well: {done.stderr}")
    if pids_of_bed() or [path.name for path in FOLDER.iterdir()] != ["logs"]:
        raise AssertionError(f"left of the bed: {pids_of_bed()}, {list(FOLDER.iterdir())}")


class InNamespace(unittest.TestCase):
    """A namespace for each test, which goes with all that is in it."""

    def setUp(self):
        self.namespace = self._testMethodName.replace("_", "-")
        kubectl("create", "namespace", self.namespace)

    def tearDown(self):
        kubectl("delete", "namespace", self.namespace, "--wait", PATIENCE)

    def kubectl(self, *arguments):
        return kubectl(f"--namespace={self.namespace}", *arguments)

    def apply(self, manifest):
        self.kubectl("apply", "--filename", str(HERE / "manifests" / manifest))

    def wait(self, what, *condition):
        # --for waits for an object to be there only with =create.
        for one in ("create", *condition):
            self.kubectl("wait", what, f"--for={one}", PATIENCE)

    def pods(self, selector):
        return json.loads(self.kubectl("get", "pods", "--selector", selector, "--output=json"))["items"]


class Pods(InNamespace):
    def test_job_runs_until_it_is_told_to_end(self):
        self.apply("job.yaml")
        self.wait("job/train", "jsonpath={.status.ready}=2")
        pods = self.pods("job-name=train")
        self.assertEqual([pod["status"]["phase"] for pod in pods], ["Running", "Running"])
        self.assertTrue(all(pod["spec"]["nodeName"].startswith("gpu-") for pod in pods))
        self.kubectl("annotate", "pods", "--selector=job-name=train", "wmap.test/exit=0")
        self.wait("job/train", "condition=Complete")

    def test_job_of_failing_pods_fails(self):
        self.apply("failing-job.yaml")
        self.wait("job/train", "condition=Failed")
        code = self.pods("job-name=train")[0]["status"]["containerStatuses"][0]["state"]["terminated"]
        self.assertEqual(code["exitCode"], 3)

    def test_held_pod_is_pending_on_its_node(self):
        self.apply("held-pod.yaml")
        self.wait("pod/held", "condition=PodScheduled")
        self.wait("pod/free", "condition=Ready")
        self.assertEqual(self.kubectl("get", "pod/held", "-o", "jsonpath={.status.phase}"), "Pending")
        self.kubectl("annotate", "pod/held", "wmap.test/hold-")
        self.wait("pod/held", "condition=Ready")


class Operators(InNamespace):
    def test_ray_cluster_is_ready(self):
        self.apply("raycluster.yaml")
        self.wait("raycluster/ray", "jsonpath={.status.state}=ready")
        self.assertEqual(len(self.pods("ray.io/cluster=ray")), 3)
        self.kubectl("delete", "raycluster/ray", "--wait", PATIENCE)

    def test_ray_job_ends_as_the_head_pod_says(self):
        self.apply("rayjob.yaml")
        self.wait("rayjob/ray", "jsonpath={.status.jobStatus}=RUNNING")
        self.kubectl("annotate", "pods", "--selector=ray.io/node-type=head", "wmap.test/ray-job=SUCCEEDED")
        self.wait("rayjob/ray", "jsonpath={.status.jobDeploymentStatus}=Complete")

    def test_ray_service_serves(self):
        self.apply("rayservice.yaml")
        self.wait("rayservice/ray", "condition=Ready")

    def test_pytorch_job_succeeds(self):
        self.apply("pytorchjob.yaml")
        self.wait("pytorchjob/train", "condition=Running")
        self.assertEqual(len(self.pods("training.kubeflow.org/job-name=train")), 3)
        self.kubectl("annotate", "pods", "--selector=training.kubeflow.org/job-name=train",
                     "wmap.test/exit=0")
        self.wait("pytorchjob/train", "condition=Succeeded")
        self.kubectl("delete", "pytorchjob/train", "--wait", PATIENCE)


class Users(unittest.TestCase):
    def can(self, user, *what):
        return kubectl("auth", "can-i", *what, user=user, check=False).splitlines()[-1]

    def test_pod_lister_lists_pods_of_one_namespace(self):
        self.assertEqual(self.can("pod-lister", "list", "pods", "-n", "restricted"), "yes")
        self.assertEqual(self.can("pod-lister", "watch", "pods", "-n", "restricted"), "no")
        self.assertEqual(self.can("pod-lister", "list", "pods", "-n", "default"), "no")
        self.assertEqual(self.can("pod-lister", "list", "jobs", "-n", "restricted"), "no")

    def test_nobody_is_forbidden(self):
        self.assertIn("Forbidden", kubectl("get", "pods", user="nobody", check=False))

    def test_credentials_that_do_not_hold_are_told_apart(self):
        for user in ("expired", "unknown"):
            with self.subTest(user=user):
                self.assertIn("must be logged in", kubectl("get", "pods", user=user, check=False))
        self.assertIn("gpu-0", kubectl("get", "nodes", user="admin-certificate"))


class Commands(unittest.TestCase):
    def test_second_up_is_told(self):
        done = testbed("up")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is up already", done.stderr)

    def test_nodes_have_gpus(self):
        gpus = kubectl("get", "nodes", "-o", r"jsonpath={.items[*].status.allocatable.nvidia\.com/gpu}")
        self.assertEqual(gpus, "8 8 8")

    def test_env_is_for_a_shell(self):
        script = f'eval "$({RUN} env --name {BED})"; kubectl get node gpu-0 --output=name'
        done = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, "node/gpu-0\n")


def show_logs():
    """Where the test runs for others, the files are soon gone."""
    for log in sorted((FOLDER / "logs").glob("*.log")):
        lines = log.read_text(errors="replace").splitlines()[-15:]
        print(f"--- {log}", *(line[:300] for line in lines), sep="\n", file=sys.stderr)


def interrupted(*_):
    raise KeyboardInterrupt


def main():
    signal.signal(signal.SIGTERM, interrupted)
    good = False
    try:
        good = unittest.main(exit=False, verbosity=2).result.wasSuccessful()
    finally:
        # Also when something broke off; what a failure left in the logs stays.
        testbed("down", *([] if good else ["--keep-logs"]))
    if not good:
        show_logs()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
