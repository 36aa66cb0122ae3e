"""Starts kubesim on a small cluster of its own, for the tests in this folder."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def pod(name, namespace="dynamo-demo", labels=None, root=None, node="gpu-1", state=None, **spec):
    """A v1 Pod with one container `main`; `state` is its container's state."""
    state = state or {"running": {"startedAt": "2026-10-06T07:00:00Z"}}
    running = "running" in state
    reason = state.get("waiting", {}).get("reason")
    crashing = reason == "CrashLoopBackOff"
    return {
        "metadata": {
            "name": name,
            "namespace": namespace,
            "creationTimestamp": "2026-10-06T07:00:00Z",
            "labels": labels or {},
            "annotations": {"kubesim.dev/root": root} if root else {},
        },
        "spec": {"nodeName": node, "containers": [{"name": "main", "image": "engine:1", **spec}]},
        "status": {
            "phase": "Pending" if reason == "ContainerCreating" else "Running",
            "podIP": "10.0.0.7",
            "containerStatuses": [
                {"name": "main", "ready": running, "restartCount": 3 if crashing else 0, "state": state}
            ],
        },
    }


ENV = [
    {"name": "PLAIN", "value": "a b"},
    {"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
    {"name": "WHERE", "value": "$(POD_IP):80 $$(POD_IP) $(NOBODY)"},
    {"name": "SECRET", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
]

PODS = [
    pod("decode-0", labels={"role": "decode"}, root="worker", node="gpu-2", env=ENV),
    pod("prefill-0", labels={"role": "prefill"}, root="worker", env=ENV),
    pod("bare-0", labels={"role": "prefill"}, root="bare"),
    pod("user-0", root="user"),
    pod("busy-0", root="busy"),
    pod("own-0"),
    pod("crash-0", state={"waiting": {"reason": "CrashLoopBackOff"}}),
    pod("pending-0", node="", state={"waiting": {"reason": "ContainerCreating"}}),
    pod("other-0", namespace="other"),
]

NODES = [
    {
        "metadata": {"name": name, "creationTimestamp": "2026-10-06T07:00:00Z", "labels": {"zone": "a"}},
        "spec": {},
        "status": {
            "conditions": [{"type": "Ready", "status": "True"}],
            "nodeInfo": {"kubeletVersion": "v1.34.2"},
        },
    }
    for name in ("gpu-1", "gpu-2")
]

GRAPHS = [
    {
        "apiVersion": "nvidia.com/v1beta1",
        "kind": "DynamoGraphDeployment",
        "metadata": {"name": "chat", "namespace": "dynamo-demo", "creationTimestamp": "2026-10-06T07:00:00Z"},
        "spec": {"components": [{"name": "Decode", "type": "decode", "replicas": 1}]},
    }
]

LOG = "one\ntwo\nthree\n"


def write_list(path, kind, version, items):
    document = {"kind": kind + "List", "apiVersion": version, "metadata": {}, "items": items}
    path.write_text(json.dumps(document))


def write_scenario(folder):
    """objects/ and roots/ as kubesim reads them."""
    objects = folder / "objects"
    objects.mkdir(parents=True)
    write_list(objects / "pods.json", "Pod", "v1", PODS)
    write_list(objects / "nodes.json", "Node", "v1", NODES)
    write_list(
        objects / "dynamographdeployments.json", "DynamoGraphDeployment", "nvidia.com/v1beta1", GRAPHS
    )
    roots = folder / "roots"
    tools = roots / "worker" / "usr" / "bin"
    tools.mkdir(parents=True)
    tool = tools / "ls"
    tool.write_text("#!/bin/sh\necho 'the tree brought this'\n")
    tool.chmod(0o755)
    (roots / "worker" / "dev" / "infiniband").mkdir(parents=True)
    (roots / "worker" / "dev" / "infiniband" / "uverbs0").write_text("")
    (roots / "worker" / "lib64").symlink_to("/usr/lib64")  # absolute: must stay inside the tree
    (roots / "worker" / ".kubesim.log").write_text(LOG)
    for name, options in (
        ("bare", "shell: none\n"),
        ("user", "shell: sh-only\nuid: 1000\n"),
        ("busy", "shell: busybox\n"),
    ):
        (roots / name).mkdir()
        (roots / name / ".kubesim").write_text(options)
    own = roots / "dynamo-demo" / "own-0" / "etc"
    own.mkdir(parents=True)
    (own / "mark").write_text("own tree\n")


class Cluster:
    """A running kubesim; use it in a `with` statement."""

    def __init__(self, binary, *flags, scenario=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kubesim-test-"))
        self.kubeconfig = self.folder / "kubeconfig"
        self.log = self.folder / "requests.log"
        if scenario is None:
            scenario = self.folder / "scenario"
            write_scenario(scenario)
        (self.folder / "tmp").mkdir()
        with (self.folder / "stderr").open("w") as errors:
            self.process = subprocess.Popen(
                [binary, "--scenario", scenario, "--kubeconfig-out", self.kubeconfig]
                + ["--requests-log", self.log, *flags],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, "TMPDIR": str(self.folder / "tmp"), "KUBESIM_LEAK": "leak"},
                text=True,
            )
        ready = self.process.stdout.readline()
        if not ready.startswith("kubesim: ready https://127.0.0.1:"):
            self.process.wait(timeout=30)
            errors = self.errors()
            self.__exit__()
            raise RuntimeError(f"kubesim did not start: {errors}")
        self.port = int(ready.strip().rsplit(":", 1)[1])

    def errors(self):
        return (self.folder / "stderr").read_text()

    @property
    def can_exec(self):
        return "commands cannot be run here" not in self.errors()

    def leftovers(self):
        """What kubesim still has in its temporary directory."""
        return sorted(p.name for p in (self.folder / "tmp").iterdir())

    def requests(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()
        self.process.stdout.close()
        shutil.rmtree(self.folder)
