"""The programs of the cluster: Kubernetes' own, built once from its Go module, and the stand-ins.

The binaries are kept outside the clone, by version, so that every clone finds them.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
VERSION = "v1.36.3"
SERVERS = ["kubectl", "kube-apiserver", "kubelet"]
DEBIAN = {"etcd": "etcd-server", "containerd": "containerd", "ctr": "containerd", "runc": "runc",
          "gcc": "gcc", "openssl": "openssl", "unshare": "util-linux"}


class Unavailable(Exception):
    """The machine cannot have this cluster: not a failure."""


def cache():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "kubectl-dynamo-interconnect" / "cluster" / VERSION


def require_machine():
    """Raises Unavailable, in one line, where there is no point in going on."""
    if os.geteuid() != 0:
        raise Unavailable("a node needs root")
    if shutil.which("go") is None and not all((cache() / name).exists() for name in SERVERS):
        raise Unavailable("no Go to build Kubernetes with")
    missing = sorted({package for program, package in DEBIAN.items() if not shutil.which(program)})
    if missing and shutil.which("apt-get") is None:
        raise Unavailable("not a Debian machine, and there is no " + ", ".join(missing))
    if missing:
        install(missing)


def install(packages):
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages],
                   check=True, env=environment, stdout=subprocess.DEVNULL)


def linker_flags():
    """Without them every version check sees v0.0.0-master."""
    major, minor, _ = VERSION.lstrip("v").split(".")
    values = {"gitVersion": VERSION, "gitMajor": major, "gitMinor": minor,
              "gitCommit": "unknown", "gitTreeState": "clean"}
    packages = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"]
    return " ".join(["-s", "-w", *(f"-X {p}.{name}={value}"
                                   for p in packages for name, value in values.items())])


def go(*arguments, **options):
    environment = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-mod=readonly"}
    return subprocess.run(["go", *arguments], cwd=HERE, env=environment, **options)


NO_PROXY = ("dial tcp", "no such host", "connection refused", "i/o timeout",
            "module lookup disabled", "TLS handshake timeout")


def download():
    """All modules; a proxy that cannot be reached is a machine's lack, anything else a failure."""
    done = go("mod", "download", capture_output=True, text=True)
    if done.returncode != 0:
        words = done.stderr.strip()
        if any(sign in words for sign in NO_PROXY):
            raise Unavailable("no module proxy: " + words.splitlines()[-1])
        raise RuntimeError("go mod download: " + words)


def kubernetes(say):
    """kubectl, kube-apiserver and kubelet; {name: path}."""
    folder = cache()
    wanted = [name for name in SERVERS if not (folder / name).exists()]
    if wanted:
        download()
        folder.mkdir(parents=True, exist_ok=True)
    for name in wanted:
        say(f"building {name} {VERSION}, once")
        fresh = folder / f".{name}.{os.getpid()}"
        go("build", "-trimpath", "-ldflags", linker_flags(), "-o", fresh,
           f"k8s.io/kubernetes/cmd/{name}", check=True)
        fresh.rename(folder / name)
    return {name: folder / name for name in SERVERS}


def stand_ins():
    """Static programs for the images; {name: path}."""
    source = HERE / "standin"
    text = b"".join(path.read_bytes() for path in sorted(source.iterdir()))
    folder = cache() / ("standin-" + hashlib.sha256(text).hexdigest()[:16])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ["pause", "launch", "engine"]:
        if not (folder / name).exists():
            fresh = folder / f".{name}.{os.getpid()}"
            subprocess.run(["gcc", "-std=gnu11", "-Os", "-static", "-s", "-Wall", "-Wextra", "-Werror",
                            "-o", fresh, source / f"{name}.c"], check=True)
            fresh.rename(folder / name)
    return {name: folder / name for name in ["pause", "launch", "engine"]}
