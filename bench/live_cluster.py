"""A cluster for the workload `live` of bench/run: a generated dump, put into a real API server in which
nothing else happens."""
import concurrent.futures
import http.client
import json
import ssl
import threading

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
