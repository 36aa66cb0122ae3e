#!/usr/bin/env python3
"""A real Kubernetes on this machine: etcd, kube-apiserver, kubelet, containerd and runc, on loopback.

usage: cluster.py up|down [--bin DIR]

`up` leaves it running with the scenario `disagg-ib` in it; `down` ends it. Nothing stays but the
cache of built programs.
"""
import argparse
import json
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import build
from client import Client, write_kubeconfig
from control_plane import ControlPlane
from images import pause_image
from machine import another_node
from node import NAME, PAUSE, Node
from processes import wait_until
from workers import Scenario, ready_to_create, runs, waiting_reason

HERE = pathlib.Path(__file__).resolve().parent
STATE = pathlib.Path(tempfile.gettempdir()) / "dic-cluster"
USERS = [f"user-{i}" for i in range(40)]


def say(text):
    print(f"== {text}", file=sys.stderr, flush=True)


class Cluster:
    def __init__(self, folder, bin_folder, programs):
        self.folder = pathlib.Path(folder)
        self.bin = pathlib.Path(bin_folder)
        self.programs = {**programs, **build.stand_ins()}
        self.tokens = {secrets.token_hex(16): user for user in USERS}
        self.plane = ControlPlane(self.programs, self.folder, self.tokens)
        self.node = Node(self.programs, self.folder, self.plane)
        self.tokens_left = list(self.tokens.items())
        crt, key = self.plane.admin
        self.admin = self.client("admin", {"client-certificate": str(crt), "client-key": str(key)})

    def client(self, name, user, namespace="dynamo-demo"):
        path = self.folder / f"{name}.kubeconfig"
        write_kubeconfig(path, self.plane.url, self.plane.authority.certificate, user, namespace)
        return Client(self.programs["kubectl"], path)

    def start(self):
        self.plane.start()
        self.admin.create({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
            "metadata": {"name": "apiserver-to-kubelet"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                        "name": "system:kubelet-api-admin"},
            "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User",
                          "name": "kube-apiserver-kubelet-client"}]})
        self.admin.run("create", "-f", HERE / "crd.yaml")
        self.node.start(pause_image(self.folder / "pause.tar", PAUSE, self.programs))
        wait_until("the node", self.node_has_an_address, 60, self.node.init.process)

    def node_has_an_address(self):
        found = self.admin.run("get", "node", NAME, "-o", "json", check=False)
        return found.returncode == 0 and json.loads(found.stdout)["status"].get("addresses")

    def restart_apiserver(self, gates=None):
        """The kubelet starts anew, too: it would wait long before it looks for the server again."""
        self.plane.apiserver.stop(signal.SIGKILL)
        self.plane.start_apiserver(gates)
        self.node.restart_kubelet(self.plane.gates)

    def scenario(self, name, pods=0):
        """Writes a scenario and makes it what both sides can run."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder))
        words = [self.bin / "kubesim", "--scenario", name, "--write", folder]
        subprocess.run(words + (["--pods", str(pods)] if pods else []), check=True)
        scenario = Scenario(name, folder)
        scenario.adapt()
        return scenario

    def deploy(self, scenario):
        """Creates a scenario's objects, and waits until every pod is as the scenario says."""
        tarballs = self.folder / "images"
        tarballs.mkdir(exist_ok=True)
        self.node.import_image(scenario.tarball(tarballs, self.programs))
        known = {item["metadata"]["name"] for item in self.admin.get("namespaces")["items"]}
        self.admin.create(*[{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
                            for name in scenario.namespaces if name not in known])
        self.admin.create(*scenario.secrets(), replace=True)
        self.create_graphs(scenario.graphs())
        pods = [ready_to_create(pod) for pod in scenario.pods()]
        self.admin.create(*[{"apiVersion": "v1", "kind": "Pod", **pod} for pod in pods])
        for pod in scenario.pods():
            self.wait_for(pod)

    def create_graphs(self, graphs):
        for graph in graphs:
            self.admin.create(ready_to_create(graph))
            if "status" in graph:
                meta = graph["metadata"]
                self.admin.run("patch", "dynamographdeployments", meta["name"], "-n",
                               meta["namespace"], "--subresource=status", "--type=merge", "-p",
                               json.dumps({"status": graph["status"]}))

    def pod(self, namespace, name):
        return self.admin.get("pod", name, "-n", namespace)

    def wait_for(self, pod):
        meta = pod["metadata"]

        def as_wanted():
            real = self.pod(meta["namespace"], meta["name"])
            return runs(real) if runs(pod) else waiting_reason(real) == waiting_reason(pod)

        wait_until(f"pod {meta['name']}", as_wanted, 90)

    def remove(self, scenario):
        for namespace in scenario.namespaces:
            self.admin.run("delete", "pods,dynamographdeployments", "--all", "-n", namespace,
                           "--wait=false")
            wait_until("the end of the pods",
                       lambda ns=namespace: not self.admin.get("pods", "-n", ns)["items"], 90)

    def audit(self, user):
        """What that user has asked of the API server, one entry a request, as it was started."""
        entries = {}
        for line in self.plane.audit_log.read_text().splitlines():
            entry = json.loads(line)
            if entry["user"]["username"] == user:
                entries.setdefault(entry["auditID"], entry)
        return list(entries.values())

    def stop(self):
        self.node.stop()
        self.plane.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def up(bin_folder):
    """Stays in the background until `down`."""
    if (STATE / "pid").exists():
        sys.exit("it is up already: ./dev cluster down")
    shutil.rmtree(STATE, ignore_errors=True)
    STATE.mkdir(mode=0o700)
    programs = build.kubernetes(say)
    if reason := another_node():
        sys.exit(f"no cluster here: {reason}")
    started = time.monotonic()
    if os.fork() == 0:
        os.setsid()
        keep(bin_folder, programs)
    wait_until("the cluster", lambda: (STATE / "ready").exists() or (STATE / "failed").exists(), 300)
    if (STATE / "failed").exists():
        sys.exit((STATE / "failed").read_text())
    say(f"ready in {time.monotonic() - started:.0f} s; try:")
    print(f"export KUBECONFIG={STATE}/cluster/admin.kubeconfig")
    print(f"{bin_folder}/kubectl-dynamo_interconnect check -n dynamo-demo")


def keep(bin_folder, programs):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    (STATE / "pid").write_text(str(os.getpid()))
    (STATE / "cluster").mkdir(exist_ok=True)
    cluster = Cluster(STATE / "cluster", bin_folder, programs)
    try:
        cluster.start()
        cluster.deploy(cluster.scenario("disagg-ib"))
        (STATE / "ready").touch()
        signal.pause()
    except Exception as error:  # whatever it is, it belongs to the one who waits
        (STATE / "failed").write_text(f"error: {error}\n")
    finally:
        cluster.stop()
        (STATE / "pid").unlink()
        os._exit(0)


def down():
    if not (STATE / "pid").exists():
        return say("it is not up")
    os.kill(int((STATE / "pid").read_text()), signal.SIGTERM)
    wait_until("the end of the cluster", lambda: not (STATE / "pid").exists(), 60)
    shutil.rmtree(STATE, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", choices=["up", "down"])
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/release/bin"))
    options = parser.parse_args()
    try:
        build.require_machine()
    except build.Unavailable as reason:
        sys.exit(f"no cluster here: {reason}")
    if options.verb == "up":
        up(options.bin.resolve())
    else:
        down()


if __name__ == "__main__":
    main()
