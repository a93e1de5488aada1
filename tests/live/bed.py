"""What the tests of a live cluster share: a test bed, the programs, kubeconfigs, and a JobSet."""

import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import time

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
# An own bed, or the one that WMAP_LIVE_BED names, which then stays.
BED = os.environ.get("WMAP_LIVE_BED") or f"live-{os.getpid()}"
FOLDER = ROOT / "build" / "testbed" / BED
WMAP = pathlib.Path(os.environ.get("WMAP") or ROOT / "build" / "release" / "wmap")
PATIENCE = "--timeout=120s"
JOBSET_LABEL = "jobset.sigs.k8s.io/"


def testbed(*arguments, name=BED):
    done = subprocess.run([ROOT / "testbed" / "run", *arguments, "--name", name],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"testbed {' '.join(arguments)}:\n{done.stdout}")
    return done.stdout


def kubectl(*arguments, stdin=None, user="admin"):
    done = subprocess.run([FOLDER / "bin" / "kubectl", f"--kubeconfig={FOLDER}/kubeconfig/{user}",
                           *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"kubectl {' '.join(arguments)}:\n{done.stdout}")
    return done.stdout


class Result:
    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    def json(self):
        return json.loads(self.out)


def environment(user="admin", kubeconfig=None):
    return {**os.environ, "KUBECONFIG": str(kubeconfig or FOLDER / "kubeconfig" / user),
            "KUBECACHEDIR": str(FOLDER / "cache")}


def wmap(*arguments, user="admin", kubeconfig=None, stdin=None, timeout=60):
    return Result(subprocess.run([WMAP, *arguments], env=environment(user, kubeconfig), input=stdin,
                                 text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 check=False, timeout=timeout))


def bring_up(*arguments):
    """A bed, with JobSets unless told otherwise; returns what brings it down."""
    if "WMAP_LIVE_BED" in os.environ:
        return lambda: None
    sys.stderr.write(testbed("up", *(arguments or ("--crds", "jobset"))))
    return lambda: testbed("down")


def until(holds, what, seconds=30):
    """Waits for something that takes a moment, and returns what `holds` did."""
    end = time.monotonic() + seconds
    while True:
        result = holds()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def temporary(test, text, suffix=""):
    """A file that goes when the test ends."""
    with tempfile.NamedTemporaryFile("w", suffix=suffix, delete=False) as file:
        file.write(text)
    test.addCleanup(os.unlink, file.name)
    return file.name


def admin():
    """The kubeconfig of admin, as it is read."""
    return json.loads((FOLDER / "kubeconfig" / "admin").read_text())


def changed(test, change):
    """A kubeconfig: that of admin, when `change` has had its cluster and its user."""
    config = admin()
    change(config["clusters"][0]["cluster"], config["users"][0]["user"])
    return temporary(test, json.dumps(config), ".yaml")


def plugin(test, script):
    """A kubeconfig whose user has a credential plugin, a shell script."""
    program = temporary(test, "#!/bin/sh\n" + script)
    os.chmod(program, stat.S_IRWXU)

    def change(_, user):
        user.clear()
        user["exec"] = {"apiVersion": "client.authentication.k8s.io/v1", "command": program,
                        "interactiveMode": "Never"}
    return changed(test, change)


class JobSet:
    """A JobSet in a namespace, and its Jobs, made as the operator makes them: the operator itself is in
    no package registry. The pods are those of the real Job controller."""

    def __init__(self, namespace):
        self.namespace = namespace
        manifest = yaml.safe_load((ROOT / "examples/jobset-train/manifest.yaml").read_text())
        manifest["metadata"]["namespace"] = namespace
        self.jobset = self.create(manifest)
        for group in self.jobset["spec"]["replicatedJobs"]:
            for index in range(group["replicas"]):
                self.create(self.job(group, index))

    @property
    def name(self):
        return self.jobset["metadata"]["name"]

    def create(self, manifest):
        return json.loads(kubectl("create", "-f", "-", "-o", "json", stdin=json.dumps(manifest)))

    def job(self, group, index):
        labels = {JOBSET_LABEL + "jobset-name": self.name,
                  JOBSET_LABEL + "replicatedjob-name": group["name"],
                  JOBSET_LABEL + "job-index": str(index)}
        spec = json.loads(json.dumps(group["template"]["spec"]))
        spec["template"].setdefault("metadata", {})["labels"] = labels
        owner = {"apiVersion": self.jobset["apiVersion"], "kind": "JobSet", "name": self.name,
                 "uid": self.jobset["metadata"]["uid"], "controller": True}
        return {"apiVersion": "batch/v1", "kind": "Job", "spec": spec,
                "metadata": {"name": f"{self.name}-{group['name']}-{index}", "labels": labels,
                             "namespace": self.namespace, "ownerReferences": [owner]}}

    def wait(self):
        for kind, condition in (("job", "jsonpath={.status.ready}=1"), ("pod", "condition=Ready")):
            kubectl("wait", kind, "--all", "-n", self.namespace, f"--for={condition}", PATIENCE)
