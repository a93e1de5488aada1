"""The programs of the test bed: built once from Go modules, and kept outside of the source tree."""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

TOOLS = pathlib.Path(__file__).resolve().parent / "tools"
KUBERNETES_VERSION = "v1.36.3"  # as in tools/kubernetes/go.mod; the modules do not carry it otherwise

# By program its folder below tools/, and the package there.
CONTROL_PLANE = {
    "etcd": ("etcd", "go.etcd.io/etcd/server/v3"),
    "kube-apiserver": ("kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver"),
    "kube-controller-manager": ("kubernetes", "k8s.io/kubernetes/cmd/kube-controller-manager"),
    "kube-scheduler": ("kubernetes", "k8s.io/kubernetes/cmd/kube-scheduler"),
    "kubectl": ("kubernetes", "k8s.io/kubernetes/cmd/kubectl"),
    "kwok": ("kwok", "sigs.k8s.io/kwok/cmd/kwok"),
}
OPERATORS = {
    "ray-operator": ("kuberay", "github.com/ray-project/kuberay/ray-operator"),
    "training-operator": ("training-operator", "."),
}
# Where the modules of the operators have their custom resource definitions.
OPERATOR_CRDS = {
    "kuberay": ("github.com/ray-project/kuberay/ray-operator", "config/crd/bases"),
    "training-operator": ("github.com/kubeflow/training-operator", "manifests/base/crds"),
}


class Stop(Exception):
    """The bed cannot do what was asked; the message is for people."""


class NoGo(Stop):
    """Something would have to be built, and there is no Go."""


def say(text):
    print(f"testbed: {text}", file=sys.stderr, flush=True)


def cache():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(base) / "wmap" / "testbed"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def locked(name):
    """One process of this user at a time, whatever source tree it was started from."""
    with open(cache() / f"{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- building -----------------------------------------------------------------------------------

def flags():
    """The releases' own: no symbols, no C, and the version that clients are told."""
    of_version = f"-X k8s.io/component-base/version.gitVersion={KUBERNETES_VERSION}"
    return ["-trimpath", "-buildvcs=false", "-ldflags", f"-s -w {of_version}"]


def go_environment():
    return {**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"}


def folder_of(module):
    """Where the programs of a module are kept: another folder when its sources or flags change."""
    digest = hashlib.sha256(repr(flags()).encode())
    for source in sorted((TOOLS / module).iterdir()):
        digest.update(source.name.encode() + source.read_bytes())
    return cache() / f"{module}-{digest.hexdigest()[:16]}"


def find_go():
    """Where Go's own installer puts it is not on every PATH."""
    found = shutil.which("go", path=os.environ.get("PATH", "") + ":/usr/local/go/bin")
    if found is None:
        raise NoGo("the programs are built with Go, 1.26 or newer, and there is no go command"
                   " (https://go.dev/dl)")
    return found


def wait_and_tell(process, what):
    """Waits for a build; says every half minute that it goes on."""
    started = time.monotonic()
    while True:
        try:
            return process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            say(f"  still building {what}, {time.monotonic() - started:.0f} s")


def go(module, arguments, what):
    """Runs Go in a tool's folder, out of the way of whatever else the machine does."""
    log = cache() / "build.log"
    command = ["nice", "-n", "10", find_go(), *arguments]
    with open(log, "w", encoding="utf-8") as out:
        process = subprocess.Popen(command, cwd=TOOLS / module, env=go_environment(), text=True,
                                   stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        try:
            status = wait_and_tell(process, what)
        except BaseException:
            process.terminate()
            raise
    if status != 0:
        raise Stop(f"building {what} failed:\n{log.read_text()[-3000:]}")
    return log.read_text()


def build(name, module, package):
    target = folder_of(module) / name
    target.parent.mkdir(exist_ok=True)
    unfinished = target.with_suffix(".new")
    started = time.monotonic()
    say(f"building {name}, once; the large ones take minutes")
    go(module, ["build", "-p", "2", *flags(), "-o", str(unfinished), package], name)
    unfinished.rename(target)
    say(f"  built {name} in {time.monotonic() - started:.0f} s")


def find(name, module):
    """A program that is there already: $KUBEBUILDER_ASSETS comes first. None when it must be built."""
    given = os.environ.get("KUBEBUILDER_ASSETS")
    for folder in ([pathlib.Path(given)] if given else []) + [folder_of(module)]:
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    return None


def provide(operators):
    """The paths of all programs by name; builds what is missing."""
    wanted = {**CONTROL_PLANE, **(OPERATORS if operators else {})}
    with locked("build"):
        for name, (module, package) in wanted.items():
            if find(name, module) is None:
                build(name, module, package)
        if operators:
            for module in OPERATOR_CRDS:
                keep_crds(module)
    return {name: find(name, module) for name, (module, _) in wanted.items()}


# --- custom resource definitions of the operators -----------------------------------------------

def crds_of(module):
    return folder_of(module) / "crds"


def keep_crds(module):
    """Next to the program, so that a bed needs no Go once all is built."""
    target = crds_of(module)
    if target.is_dir():
        return
    path, inside = OPERATOR_CRDS[module]
    found = json.loads(go(module, ["list", "-m", "-json", path], f"the list of {module}"))
    source, unfinished = pathlib.Path(found["Dir"]) / inside, target.with_suffix(".new")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for file in source.glob("*.yaml"):
        if file.name != "kustomization.yaml":
            (unfinished / file.name).write_bytes(file.read_bytes())
    unfinished.rename(target)
