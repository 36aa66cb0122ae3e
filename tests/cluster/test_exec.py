"""Execs as a real kubelet and runtime do them: what ends badly, what is left, what is preferred."""
import json
import os
import pathlib
import signal
import socket
import ssl

from control_plane import GATES, ISSUER
from certs import service_account_token
from processes import wait_until
from suite import NAMESPACE, ClusterTest

WORKERS = 4
READ = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]},
        {"apiGroups": [""], "resources": ["pods/exec"], "verbs": ["get", "create"]},
        {"apiGroups": ["nvidia.com"], "resources": ["dynamographdeployments"], "verbs": ["list"]}]


def hang(scenario, role="decode"):
    """A read in that role's containers that never comes back, as from a wedged driver."""
    for root in (scenario.folder / "roots").iterdir():
        if role in root.name:
            state = sorted(root.glob("sys/devices/**/ports/1/state"))[0]
            state.unlink()
            os.mkfifo(state)


def forget_settings(scenario):
    """The pods' specs without any setting of UCX."""
    path = scenario.folder / "objects" / "pods.json"
    document = json.loads(path.read_text())
    for pod in document["items"]:
        for container in pod["spec"]["containers"]:
            container["env"] = [variable for variable in container.get("env", [])
                                if not variable["name"].startswith("UCX_")]
    path.write_text(json.dumps(document))


class ExecTest(ClusterTest):
    def assert_one_outcome_each(self, report, workers=WORKERS):
        coverage = report["coverage"]
        unseen = [pod["pod"] for pod in coverage["notProbed"]]
        self.assertEqual(coverage["found"], workers)
        self.assertEqual(coverage["probed"] + len(unseen), workers)
        self.assertEqual(len(set(unseen)), len(unseen))

    def reasons(self, report):
        return {pod["pod"]: pod["reason"] for pod in report["coverage"]["notProbed"]}

    def start_check(self, pod, *arguments):
        """A check that is now inside that pod: (process, the pod's processes before)."""
        before = self.processes(pod)
        process = self.plugin().start("check", "-n", NAMESPACE, "-o", "json", *arguments)
        wait_until("the probe", lambda: set(self.processes(pod)) - set(before), 20)
        return process, before

    def finish(self, process):
        out, err = process.communicate(timeout=120)
        return json.loads(out), err

    def first_process(self, pod):
        """The container's process 1, as this machine numbers it."""
        for pid in self.processes(pod):
            status = pathlib.Path(f"/proc/{pid}/status").read_text()
            inner = [line.split() for line in status.splitlines() if line.startswith("NSpid")][0]
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            if inner[-1] == "1" and b"pause" not in words:
                return pid
        raise RuntimeError(f"no process 1 in {pod}")

    def test_a_probe_that_hangs_costs_its_row_and_leaves_no_process(self):
        self.deploy("disagg-ib", change=hang)
        pod = self.names("decode")[0]
        before = self.processes(pod)
        code, report, _ = self.plugin().check("--probe-timeout", "6s")
        self.assertEqual(code, 3)
        self.assert_one_outcome_each(report)
        self.assertEqual(set(self.reasons(report)), set(self.names("decode")))
        self.assertEqual(set(self.reasons(report).values()), {"timed-out"})
        self.wait_for_processes(pod, before, 30)

    def test_a_client_that_vanishes_leaves_no_process(self):
        self.deploy("disagg-ib", change=hang)
        pod = self.names("decode")[0]
        process, before = self.start_check(pod)
        process.kill()
        process.communicate()
        self.wait_for_processes(pod, before, 30)

    def test_a_pod_that_is_deleted_under_the_probe_is_a_row(self):
        self.deploy("disagg-ib", change=hang)
        pod = self.names("decode")[0]
        process, _ = self.start_check(pod, "--probe-timeout", "12s")
        self.cluster.admin.run("delete", "pod", pod, "-n", NAMESPACE, "--wait=false")
        report, _ = self.finish(process)
        self.assert_one_outcome_each(report)
        self.assertIn(self.reasons(report)[pod], ("truncated", "not-running"))

    def test_a_container_that_restarts_under_the_probe_is_a_row_and_then_well_again(self):
        self.deploy("disagg-ib", change=hang)
        pod = self.names("decode")[0]
        process, _ = self.start_check(pod, "--probe-timeout", "12s")
        os.kill(self.first_process(pod), signal.SIGKILL)
        report, _ = self.finish(process)
        self.assert_one_outcome_each(report)
        self.assertIn(self.reasons(report)[pod], ("truncated", "not-running", "timed-out"))

        def restarted():
            state = self.cluster.pod(NAMESPACE, pod)["status"]["containerStatuses"][0]
            return state["restartCount"] == 1 and "running" in state["state"]

        wait_until("the restart", restarted, 60)

    def test_the_engines_own_environment_is_seen_and_preferred(self):
        # The pods ask for nothing; their launch script sets what turns KV away from RDMA.
        self.deploy("tcp-fallback", change=forget_settings)
        pod = self.names("decode")[0]
        _, report, _ = self.plugin().check()
        row = [row for row in report["checks"]
               if row["code"] == "ENV-001" and row["subject"]["name"] == pod][0]
        self.assertIn("tcp", row["facts"]["value"])
        self.assertEqual(row["facts"]["source"], "engine process")
        self.assertEqual(report["readiness"]["state"], "blocked")

    def test_sixty_pods_of_one_node_are_probed_at_once(self):
        self.deploy("disagg-ib", pods=60)
        code, report, stderr = self.plugin().check()
        self.assertEqual((code, report["coverage"]["probed"]), (0, 60), stderr)
        self.assertEqual(report["timing"]["execs"], 60)

    def test_a_kubelet_that_stops_under_the_probe_costs_rows(self):
        self.deploy("disagg-ib", change=hang)
        process, _ = self.start_check(self.names("decode")[0], "--probe-timeout", "12s")
        self.cluster.node.hold_kubelet()
        try:
            report, _ = self.finish(process)
            self.assert_one_outcome_each(report)
            self.assertTrue(set(self.names("decode")) <= set(self.reasons(report)))
            code, report, _ = self.plugin().check()
            self.assertEqual((code, report["coverage"]["probed"]), (3, 0))
            self.assertIn("kubelet unreachable", report["coverage"]["notProbed"][0]["detail"])
        finally:
            self.cluster.node.release_kubelet()
            wait_until("the kubelet", lambda: self.plugin().check(
                "--role", "prefill")[1]["coverage"]["probed"] == 2, 60)

    def test_an_api_server_that_restarts_under_the_probe_costs_rows_and_not_the_run(self):
        self.deploy("disagg-ib", change=hang)
        process, _ = self.start_check(self.names("decode")[0], "--probe-timeout", "12s")
        self.cluster.restart_apiserver()
        report, _ = self.finish(process)
        self.assert_one_outcome_each(report)
        code, report, _ = self.plugin().check("--role", "prefill")
        self.assertEqual(report["coverage"]["probed"], 2)

    def test_a_token_works_until_it_has_expired(self):
        self.deploy("disagg-ib")
        account = {"apiVersion": "v1", "kind": "ServiceAccount",
                   "metadata": {"name": "watcher", "namespace": NAMESPACE}}
        self.cluster.admin.create(account, replace=True)
        uid = self.cluster.admin.get("serviceaccount", "watcher", "-n", NAMESPACE)["metadata"]["uid"]
        group = "rbac.authorization.k8s.io"
        meta = {"name": "watcher", "namespace": NAMESPACE}
        self.cluster.admin.create(
            {"apiVersion": f"{group}/v1", "kind": "Role", "metadata": meta, "rules": READ},
            {"apiVersion": f"{group}/v1", "kind": "RoleBinding", "metadata": meta,
             "roleRef": {"apiGroup": group, "kind": "Role", "name": "watcher"},
             "subjects": [{"kind": "ServiceAccount", **meta}]}, replace=True)
        for lives_for, expected in ((3600, 0), (-60, 4)):
            token = service_account_token(self.cluster.plane.account_key, ISSUER, NAMESPACE,
                                          "watcher", uid, lives_for)
            client = self.cluster.client("watcher", {"token": token})
            code, out, err = self.plugin(client).run("check", "-n", NAMESPACE)
            self.assertEqual(code, expected, err)
            self.assertFalse(token in out + err)
        self.assertIn("You must be logged in to the server", err)

    def test_a_client_certificate_is_a_user(self):
        self.deploy("disagg-ib")
        name, _ = self.user(READ)
        crt, key = self.cluster.plane.authority.issue(name, f"/CN={name}")
        client = self.cluster.client(name, {"client-certificate": str(crt), "client-key": str(key)})
        code, out, err = self.plugin(client).run("check", "-n", NAMESPACE)
        self.assertEqual(code, 0, err)


class ServerTest(ClusterTest):
    """One build, four servers: what older ones did, by the gates that changed it."""

    def tearDown(self):
        super().tearDown()
        self.use(GATES["today"])

    def use(self, gates):
        if gates != self.cluster.plane.gates:
            self.cluster.restart_apiserver(gates)

    def subprotocol(self, pod):
        """What the server chooses of what the plugin offers."""
        plane = self.cluster.plane
        trust = ssl.create_default_context(cafile=str(plane.authority.certificate))
        trust.load_cert_chain(*map(str, plane.admin))
        request = (f"GET /api/v1/namespaces/{NAMESPACE}/pods/{pod}/exec?command=true&container=main"
                   "&stdout=true HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                   "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                   "Sec-WebSocket-Protocol: v5.channel.k8s.io, v4.channel.k8s.io\r\n\r\n")
        with socket.create_connection(("127.0.0.1", plane.port), 10) as raw, \
                trust.wrap_socket(raw, server_hostname="127.0.0.1") as stream:
            stream.sendall(request.encode())
            head = b""
            while b"\r\n\r\n" not in head:
                head += stream.recv(4096)
        lines = head.split(b"\r\n\r\n")[0].decode().lower().splitlines()
        self.assertIn("101", lines[0])
        return [line.split(":")[1].strip() for line in lines
                if line.startswith("sec-websocket-protocol")][0]

    def check_all(self, gates, protocol):
        self.use(GATES[gates])
        self.deploy("disagg-ib")
        self.assertEqual(self.subprotocol(self.names("decode")[0]), protocol)
        code, report, err = self.plugin().check()
        self.assertEqual((code, report["coverage"]["probed"]), (0, WORKERS), err)

    def test_today_execs_pass_the_api_server_in_v5(self):
        self.check_all("today", "v5.channel.k8s.io")

    def test_before_1_36_execs_are_translated_in_the_api_server(self):
        self.check_all("translated", "v5.channel.k8s.io")

    def test_before_1_30_execs_are_v4_and_go_to_the_kubelet(self):
        self.check_all("v4", "v4.channel.k8s.io")

    def test_before_1_35_get_alone_suffices(self):
        self.deploy("disagg-ib")
        rules = [dict(rule, verbs=["get"]) if "pods/exec" in rule["resources"] else rule
                 for rule in READ]
        _, client = self.user(rules)
        code, out, err = self.plugin(client).run("check", "-n", NAMESPACE)
        self.assertEqual(code, 4)
        self.assertIn("exec needs the verb create on pods/exec as well as get", out)
        self.use(GATES["get-suffices"])
        code, out, err = self.plugin(client).run("check", "-n", NAMESPACE)
        self.assertEqual(code, 0, out + err)
