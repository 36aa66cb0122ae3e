"""What a cluster may leave behind: mounts, cgroups, sysctls, processes, folders."""
import os
import pathlib

from node import MOUNT_POINTS, cgroup_mounts, pod_cgroups

SYSCTLS = ["vm/overcommit_memory", "kernel/panic", "kernel/panic_on_oops"]
PROGRAMS = ["etcd", "kube-apiserver", "kubelet", "containerd", "containerd-shim", "runc", "pause",
            "engine"]


class Machine:
    def __init__(self):
        self.facts = {
            "mounts": set(pathlib.Path("/proc/self/mounts").read_text().splitlines()),
            "cgroups": {path for mount in cgroup_mounts() for path, _, _ in os.walk(mount)},
            "sysctls": {f"{name}={pathlib.Path('/proc/sys', name).read_text().strip()}"
                        for name in SYSCTLS},
            "processes": running(PROGRAMS),
            "folders": {place for place in MOUNT_POINTS if os.path.isdir(place)},
        }

    def differences(self, later):
        return [f"{kind}: {line}" for kind, facts in self.facts.items()
                for line in sorted(facts ^ later.facts[kind])]


def running(names):
    found = set()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            name = (folder / "comm").read_text().strip()
        except OSError:
            continue
        if any(name == wanted[:15] for wanted in names):
            found.add(f"{folder.name} {name}")
    return found


def another_node():
    """Why no second node may be started here; "" when nothing stands against it."""
    if pod_cgroups():
        return ("there are pods on this machine already (cgroups named kubepods), which a second "
                "kubelet would end; after a crash of these tests: ./dev cluster down")
    return ""
