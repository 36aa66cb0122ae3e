"""Where stock kubectl is: in PATH, else where `./dev` keeps the one it has built."""
import json
import os
import pathlib
import re
import shutil
import subprocess

OLDEST_MINOR = 30  # the first that execs over WebSocket


def version_of(kubectl):
    """"v1.32.4", or "" when it does not run."""
    try:
        said = subprocess.run([kubectl, "version", "--client", "-o", "json"], capture_output=True, text=True,
                              timeout=60, env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"}).stdout
        return json.loads(said)["clientVersion"]["gitVersion"]
    except (OSError, ValueError, KeyError, subprocess.TimeoutExpired):
        return ""


def minor_of(version):
    found = re.match(r"v1\.(\d+)", version)
    return int(found[1]) if found else 0


def cached():
    """Built ones, the newest version first."""
    home = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    built = pathlib.Path(home, "kubectl-dynamo-interconnect", "cluster").glob("v1.*/kubectl")
    return sorted(map(str, built), key=lambda path: minor_of(pathlib.Path(path).parent.name), reverse=True)


def find():
    """(path, version), or (None, why there is none)."""
    in_path = shutil.which("kubectl")
    for kubectl in [in_path, *cached()] if in_path else cached():
        version = version_of(kubectl)
        if minor_of(version) >= OLDEST_MINOR:
            return kubectl, version
    return None, f"no kubectl 1.{OLDEST_MINOR} or later, neither in PATH nor built by ./dev"
