"""A cluster for the workload `live` of bench/run: a generated dump, put into a real API server in which
nothing else happens, and what `--watch` makes of changes there."""
import concurrent.futures
import contextlib
import dataclasses
import http.client
import json
import os
import pathlib
import queue
import ssl
import subprocess
import threading
import time

# Where objects stand.
TYPES = {
    "Deployment": "apis/apps/v1/{}/deployments",
    "Job": "apis/batch/v1/{}/jobs",
    "JobSet": "apis/jobset.x-k8s.io/v1alpha2/{}/jobsets",
    "LeaderWorkerSet": "apis/leaderworkerset.x-k8s.io/v1/{}/leaderworkersets",
    "Pod": "api/v1/{}/pods",
    "PyTorchJob": "apis/kubeflow.org/v1/{}/pytorchjobs",
    "RayCluster": "apis/ray.io/v1/{}/rayclusters",
    "ReplicaSet": "apis/apps/v1/{}/replicasets",
    "StatefulSet": "apis/apps/v1/{}/statefulsets",
}
# What custom resource definitions the dump needs, as `testbed/run up --crds` names them.
CRDS = ("jobset", "training-operator-v1", "kuberay", "lws")
THREADS = 16


@dataclasses.dataclass
class Bed:
    folder: pathlib.Path

    @property
    def kubeconfig(self):
        return self.folder / "kubeconfig" / "admin"

    @property
    def cache(self):
        return self.folder / "cache"


@contextlib.contextmanager
def bed(root, say):
    """An API server for the time of a `with`; None where it does not come up, which is told."""
    name = f"bench-{os.getpid()}"
    crds = [word for crd in CRDS for word in ("--crds", crd)]
    run = [root / "testbed" / "run"]
    up = subprocess.run([*run, "up", "--idle", "--name", name, *crds], stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT, text=True, check=False)
    if up.returncode != 0:
        say(up.stdout)
        yield None
        return
    try:
        yield Bed(root / "build" / "testbed" / name)
    finally:
        subprocess.run([*run, "down", "--name", name], stderr=subprocess.DEVNULL, check=True)


class Server:
    """The API server, as the admin of a kubeconfig; a connection for each thread."""

    def __init__(self, kubeconfig):
        config = json.loads(kubeconfig.read_text())
        cluster, self.token = config["clusters"][0]["cluster"], config["users"][0]["user"]["token"]
        self.address = cluster["server"].removeprefix("https://")
        self.context = ssl.create_default_context(cafile=cluster["certificate-authority"])
        self.local = threading.local()

    def send(self, method, path, body, kind="application/json"):
        """What the server answers, as a value."""
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPSConnection(self.address, context=self.context)
        connection = self.local.connection
        connection.request(method, "/" + path, json.dumps(body), {
            "Content-Type": kind, "Authorization": f"Bearer {self.token}"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise OSError(f"{method} {path}: {answer.status}: {text[:500].decode()}")
        return json.loads(text)


def prepared(item, uids):
    """An object as a client may send it, owned by what the server has numbered anew."""
    metadata = item["metadata"]
    for field in ("uid", "resourceVersion", "creationTimestamp", "finalizers", "generation"):
        metadata.pop(field, None)
    for owner in metadata.get("ownerReferences", []):
        owner["uid"] = uids[owner["uid"]]
        owner.pop("blockOwnerDeletion", None)
    if item["kind"] == "Job":
        # The server makes both.
        item["spec"].pop("selector", None)
        labels = item["spec"]["template"].get("metadata", {}).get("labels", {})
        for label in [label for label in labels if label.startswith("batch.kubernetes.io/")
                      or label in ("controller-uid", "job-name")]:
            del labels[label]
    return item


def fill(kubeconfig, dump, progress):
    """Puts all objects of a dump into the cluster, with their status."""
    server = Server(kubeconfig)
    items = json.loads(dump.read_text())["items"]
    uids = {}  # those of the dump: those of the server

    def put(item):
        uid = item["metadata"]["uid"]
        path = TYPES[item["kind"]].format(f"namespaces/{item['metadata']['namespace']}")
        status = item.pop("status", None)
        uids[uid] = server.send("POST", path, prepared(item, uids))["metadata"]["uid"]
        if status:
            server.send("PATCH", f"{path}/{item['metadata']['name']}/status", {"status": status},
                        "application/merge-patch+json")

    def is_next(item):
        return all(owner["uid"] in uids for owner in item["metadata"].get("ownerReferences", []))

    for name in sorted({item["metadata"]["namespace"] for item in items}):
        server.send("POST", "api/v1/namespaces",
                    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        # Owners first: of a JobSet, then its Jobs, then their pods.
        while items:
            now, items = [i for i in items if is_next(i)], [i for i in items if not is_next(i)]
            if not now:
                raise OSError(f"{len(items)} objects of {dump} have owners that are not in it")
            for count, _ in enumerate(pool.map(put, now)):
                if count % 5000 == 0:
                    progress(f"{len(uids)} objects are there")


class Watcher:
    """A program that prints the rows that change, and when each of its lines came."""

    def __init__(self, command):
        self.lines = queue.Queue()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), line))

    def cpu_s(self):
        stat = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text()
        user, system = stat.rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def peak_kb(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0])


def watch(command, kubeconfig, rows, changes):
    """Starts a command that watches, lets it idle, and makes pods lose their readiness one by one."""
    server = Server(kubeconfig)
    watcher = Watcher(command)
    try:
        for _ in range(rows + 1):
            watcher.lines.get(timeout=120)
        time.sleep(1)
        before = watcher.cpu_s()
        time.sleep(10)
        idle = watcher.cpu_s() - before
        shown = [time_to_show(server, watcher, pod) for pod in some_ready_pods(server, changes)]
        return {"idle_cpu_s": idle, "shown_s": shown, "rss_kb": watcher.peak_kb()}
    finally:
        watcher.process.kill()
        watcher.process.wait()


def some_ready_pods(server, count):
    """Of as many workloads."""
    pods = server.send("GET", "api/v1/pods?limit=2000", None)["items"]
    owners = {}
    for pod in pods:
        owner = pod["metadata"].get("ownerReferences", [{}])[0].get("uid")
        if owner and any(c["type"] == "Ready" and c["status"] == "True"
                         for c in pod["status"].get("conditions", [])):
            owners.setdefault(owner, pod)
    return list(owners.values())[:count]


def time_to_show(server, watcher, pod):
    """Seconds from the server's word that a pod has changed to a line of its workload."""
    while not watcher.lines.empty():
        watcher.lines.get()
    conditions = pod["status"]["conditions"]
    for condition in conditions:
        if condition["type"] == "Ready":
            condition["status"] = "False"
    metadata = pod["metadata"]
    server.send("PATCH", f"api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}/status",
                {"status": {"conditions": conditions}}, "application/merge-patch+json")
    changed = time.monotonic()
    return watcher.lines.get(timeout=30)[0] - changed
