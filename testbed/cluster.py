"""Starts what a bed consists of, in the order in which one needs the other."""

import json
import re
import ssl
import subprocess
import sys
import urllib.error
import urllib.request

import identities
import programs
from bed import ROOT, link_programs
from programs import Stop

HERE = programs.TOOLS.parent
# Pods need no token, and no one looks at nodes but kwok: without these two, pods can be created in a
# namespace at once, and a machine too busy for heartbeats loses no nodes.
LEFT_OUT_ADMISSION = "ServiceAccount,TaintNodesByCondition"
LEFT_OUT_CONTROLLERS = "-node-lifecycle-controller"


# --- commands -----------------------------------------------------------------------------------

def etcd(bed):
    client, peer = (f"http://127.0.0.1:{bed.port_of(name)}" for name in ("etcd", "etcd-peers"))
    return ["--name=bed", f"--data-dir={bed.folder}/etcd", "--unsafe-no-fsync", "--log-level=warn",
            f"--listen-client-urls={client}", f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=bed={peer}"]


def serving(bed, name):
    pki = bed.folder / "pki"
    return ["--bind-address=127.0.0.1", f"--secure-port={bed.port_of(name)}", "--profiling=false",
            f"--tls-cert-file={pki}/server.crt", f"--tls-private-key-file={pki}/server.key"]


def api_server(bed):
    pki = bed.folder / "pki"
    return [*serving(bed, "kube-apiserver"), f"--etcd-servers=http://127.0.0.1:{bed.port_of('etcd')}",
            "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
            "--service-cluster-ip-range=10.96.0.0/16", "--authorization-mode=RBAC",
            f"--disable-admission-plugins={LEFT_OUT_ADMISSION}", "--allow-privileged",
            f"--client-ca-file={pki}/ca.crt", f"--token-auth-file={pki}/tokens.csv",
            "--service-account-issuer=https://testbed.wmap.test",
            f"--service-account-key-file={pki}/service-accounts.pub",
            f"--service-account-signing-key-file={pki}/service-accounts.key"]


def controller_manager(bed):
    pki = bed.folder / "pki"
    return [*serving(bed, "kube-controller-manager"), f"--kubeconfig={bed.kubeconfig}",
            "--leader-elect=false", f"--controllers=*,{LEFT_OUT_CONTROLLERS}",
            f"--root-ca-file={pki}/ca.crt",
            f"--service-account-private-key-file={pki}/service-accounts.key"]


def scheduler(bed):
    return [*serving(bed, "kube-scheduler"), f"--kubeconfig={bed.kubeconfig}", "--leader-elect=false"]


def kwok(bed):
    return [f"--kubeconfig={bed.kubeconfig}", f"--config={HERE}/stages/stages.yaml",
            "--manage-all-nodes", "--node-lease-duration-seconds=0", "--node-ip=127.0.0.1",
            f"--server-address=127.0.0.1:{bed.port_of('kwok')}"]


def ray_operator(bed):
    return [f"--kubeconfig={bed.kubeconfig}", "--metrics-addr=0", "--enable-leader-election=false",
            f"--health-probe-bind-address=127.0.0.1:{bed.port_of('ray-operator')}",
            "--log-stdout-encoder=console"]


def ray_environment(bed):
    """Sends what the operator asks of Ray to ray_dashboard.py; loopback is never sent to a proxy."""
    proxy = f"http://127.0.0.1:{bed.port_of('ray-dashboard')}"
    return {"HTTP_PROXY": proxy, "http_proxy": proxy, "NO_PROXY": "", "no_proxy": ""}


def training_operator(bed):
    return [f"--kubeconfig={bed.kubeconfig}",
            f"--health-probe-bind-address=127.0.0.1:{bed.port_of('training-operator')}"]


# --- asking -------------------------------------------------------------------------------------

def answers(bed, url, token=""):
    """What a URL of the bed answers; None while it does not, or refuses."""
    context = ssl.create_default_context(cafile=bed.folder / "pki" / "ca.crt")
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"} if token else {})
    # Whatever proxies the environment names, this is on loopback.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}),
                                         urllib.request.HTTPSHandler(context=context))
    try:
        with opener.open(request, timeout=5) as answer:
            return answer.read()
    except (OSError, urllib.error.URLError):
        return None


def is_healthy(bed, name, path="/readyz", scheme="https"):
    return answers(bed, f"{scheme}://127.0.0.1:{bed.port_of(name)}{path}") is not None


def has_condition(item, condition):
    return any(c["type"] == condition and c["status"] == "True"
               for c in item.get("status", {}).get("conditions") or [])


def ready_nodes(bed, token):
    answer = answers(bed, bed.server + "/api/v1/nodes", token)
    nodes = json.loads(answer)["items"] if answer else []
    return sum(has_condition(node, "Ready") for node in nodes)


def are_served(bed, token):
    """Whether the API server has taken in all definitions."""
    answer = answers(bed, bed.server + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", token)
    return answer is not None and all(has_condition(crd, "Established")
                                      for crd in json.loads(answer)["items"])


# --- what stands in the cluster -----------------------------------------------------------------

def node(number, gpus):
    name = f"gpu-{number}"
    amounts = {"cpu": "96", "memory": "1Ti", "ephemeral-storage": "4Ti", "pods": "110",
               "nvidia.com/gpu": str(gpus)}
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "labels": {
                "kubernetes.io/hostname": name, "kubernetes.io/os": "linux",
                "kubernetes.io/arch": "amd64", "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}},
            "status": {"capacity": amounts, "allocatable": amounts,
                       "nodeInfo": {"kubeletVersion": programs.KUBERNETES_VERSION}}}


def write_nodes(bed, count, gpus):
    path = bed.folder / "nodes.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [
        node(number, gpus) for number in range(count)]}))
    return path


def newest_version(folder):
    """Of the folders v1.2.3 below; the folder itself when there are none."""
    versions = [path for path in folder.iterdir() if re.fullmatch(r"v\d+\.\d+\.\d+", path.name)]
    return max(versions, default=folder, key=lambda path: [int(n) for n in path.name[1:].split(".")])


def find_crds(name, shared):
    """The files that a --crds stands for: a file, a folder, or a name in the shared data."""
    for path in (ROOT / name, shared / "data" / "crds" / name):
        if path.is_file():
            return [path]
        if path.is_dir():
            files = sorted(newest_version(path).rglob("*.yaml"))
            if files:
                return files
    raise Stop(f"--crds {name}: no file or folder, and not in {shared / 'data' / 'crds'}")


def operator_crds():
    return [file for module in programs.OPERATOR_CRDS
            for file in sorted(programs.crds_of(module).iterdir())]


def create(bed, paths, files):
    # Thousands of lines of schema need no second check by the client.
    command = [paths["kubectl"], f"--kubeconfig={bed.kubeconfig}", f"--cache-dir={bed.folder}/cache",
               "create", "--validate=false", *(f"--filename={file}" for file in files)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise Stop(f"kubectl create failed:\n{done.stdout[-2000:]}")


# --- all of it ----------------------------------------------------------------------------------

def start_servers(bed, paths):
    bed.start("etcd", [paths["etcd"], *etcd(bed)])
    # Up to this size it need not collect often, which is a third of its work at the start.
    memory = {"GOGC": "400", "GOMEMLIMIT": "1GiB"}
    bed.start("kube-apiserver", [paths["kube-apiserver"], *api_server(bed)], memory)
    bed.wait("the API server", lambda: is_healthy(bed, "kube-apiserver"))


def start_controllers(bed, paths):
    for name, arguments in (("kube-controller-manager", controller_manager(bed)),
                            ("kube-scheduler", scheduler(bed)), ("kwok", kwok(bed))):
        bed.start(name, [paths[name], *arguments])


def start_operators(bed, paths):
    bed.start("ray-dashboard", [sys.executable, str(HERE / "ray_dashboard.py"),
                                str(bed.port_of("ray-dashboard")), str(bed.kubeconfig)])
    bed.start("ray-operator", [paths["ray-operator"], *ray_operator(bed)], ray_environment(bed))
    bed.start("training-operator", [paths["training-operator"], *training_operator(bed)])
    for name in programs.OPERATORS:
        bed.wait(f"the {name}", lambda name=name: is_healthy(bed, name, scheme="http"))


def bring_up(bed, paths, options, crds):
    """Fills the new folder of a bed, starts it and waits until it works."""
    link_programs(bed, paths)
    token = identities.make_identities(bed)
    start_servers(bed, paths)
    if not options.idle:
        start_controllers(bed, paths)
    nodes = write_nodes(bed, options.nodes, options.gpus)
    create(bed, paths, [HERE / "manifests" / "users.yaml", nodes, *crds])
    bed.wait("the custom resource definitions", lambda: are_served(bed, token), pause=0.5)
    if options.idle:
        return
    bed.wait("the controllers", lambda: is_healthy(bed, "kube-controller-manager", "/healthz"))
    bed.wait("the scheduler", lambda: is_healthy(bed, "kube-scheduler"))
    bed.wait("the nodes", lambda: ready_nodes(bed, token) == options.nodes)
    if options.operators:
        start_operators(bed, paths)
