"""What the tests share: one cluster for all of them, and users of their own."""
import pathlib
import subprocess
import tempfile
import time
import unittest

from client import Plugin
from processes import wait_until

NAMESPACE = "dynamo-demo"
CLUSTER = None  # set by run.py


class ClusterTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.cluster = CLUSTER
        self.bin = CLUSTER.bin
        self.deployed = []

    def tearDown(self):
        for scenario in self.deployed:
            self.cluster.remove(scenario)

    def deploy(self, name, pods=0, change=None):
        """A scenario on the cluster; `change` may edit its folder before."""
        scenario = self.cluster.scenario(name, pods)
        if change:
            change(scenario)
        self.deployed.append(scenario)
        self.cluster.deploy(scenario)
        return scenario

    def plugin(self, client=None):
        return Plugin(self.bin / "kubectl-dynamo_interconnect", client or self.cluster.admin)

    def user(self, rules=None, cluster_rules=None):
        """A fresh user with these rules in the namespace: (name, client)."""
        token, name = self.cluster.tokens_left.pop()
        client = self.cluster.client(name, {"token": token})
        for kind, content in (("Role", rules), ("ClusterRole", cluster_rules)):
            if content:
                self.cluster.admin.create(*grant(kind, name, content), replace=True)
        return name, client

    def simulate(self, scenario):
        """The report that the simulator gives for the same scenario."""
        with tempfile.TemporaryDirectory(prefix="dic-sim-") as folder:
            kubeconfig = pathlib.Path(folder) / "kubeconfig"
            server = subprocess.Popen([self.bin / "kubesim", "--scenario", scenario.folder,
                                       "--kubeconfig-out", kubeconfig], stdout=subprocess.PIPE,
                                      text=True)
            try:
                server.stdout.readline()
                client = type(self.cluster.admin)(self.cluster.admin.kubectl, kubeconfig)
                return self.plugin(client).check()
            finally:
                server.terminate()
                server.wait()
                server.stdout.close()

    def names(self, role=None):
        pods = self.cluster.admin.get("pods", "-n", NAMESPACE)["items"]
        names = sorted(pod["metadata"]["name"] for pod in pods)
        return [name for name in names if role is None or role in name]

    def uid(self, pod):
        return self.cluster.pod(NAMESPACE, pod)["metadata"]["uid"]

    def processes(self, pod):
        """{pid: command} of every process in a pod, zombies included; as this machine sees it."""
        uid = self.uid(pod)
        found = {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if f"pod{uid}" in (folder / "cgroup").read_text():
                    words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    found[int(folder.name)] = words or (folder / "comm").read_text().strip()
            except OSError:
                continue  # it ended meanwhile
        return found

    def wait_for_processes(self, pod, before, seconds):
        """Nothing is left in the pod that was not there before."""
        def as_before():
            return set(self.processes(pod)) <= set(before)

        started = time.monotonic()
        try:
            wait_until(f"the end of what was left in {pod}", as_before, seconds)
        except RuntimeError as error:
            left = {pid: words[:120] for pid, words in self.processes(pod).items()
                    if pid not in before}
            self.fail(f"{error}: {left}")
        return time.monotonic() - started


def grant(kind, name, rules):
    """A role and its binding to a user."""
    meta = {"name": name} if kind == "ClusterRole" else {"name": name, "namespace": NAMESPACE}
    group = "rbac.authorization.k8s.io"
    return [{"apiVersion": f"{group}/v1", "kind": kind, "metadata": meta, "rules": rules},
            {"apiVersion": f"{group}/v1", "kind": f"{kind}Binding", "metadata": meta,
             "roleRef": {"apiGroup": group, "kind": kind, "name": name},
             "subjects": [{"apiGroup": group, "kind": "User", "name": name}]}]
