"""etcd and kube-apiserver on loopback."""
import json
import shutil
import ssl
import urllib.error
import urllib.request

from certs import Authority
from processes import Program, free_port, wait_until

ISSUER = "https://kubernetes.default.svc"

# Whoever the tests are, with all that they ask; nothing of the cluster's own.
AUDIT_POLICY = {
    "apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
    "rules": [{"level": "None", "userGroups": ["system:nodes", "system:masters"]},
              {"level": "None", "users": ["system:apiserver", "system:anonymous"]},
              {"level": "Metadata"}],
}

# What older servers did, by the gates that changed it (k8s.io/kubernetes/pkg/features).
GATES = {
    "today": {},
    "translated": {"ExtendWebSocketsToKubelet": False},
    "v4": {"ExtendWebSocketsToKubelet": False, "TranslateStreamCloseWebsocketRequests": False},
    "get-suffices": {"AuthorizePodWebsocketUpgradeCreatePermission": False},
}


class ControlPlane:
    def __init__(self, binaries, folder, tokens):
        """`tokens`: {token: user name}, for the tests' users."""
        self.binaries = binaries
        self.folder = folder
        self.authority = Authority(folder / "pki")
        self.etcd_port, self.port = free_port(), free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self.audit_log = folder / "audit.log"
        self.account_key = self.authority.signing_key("service-accounts")
        self.server = self.authority.issue("apiserver", "/CN=kube-apiserver",
                                           ["IP:127.0.0.1", "DNS:localhost"])
        self.to_kubelet = self.authority.issue("to-kubelet", "/CN=kube-apiserver-kubelet-client")
        self.admin = self.authority.issue("admin", "/O=system:masters/CN=admin")
        (folder / "tokens.csv").write_text(
            "".join(f"{token},{user},{user}\n" for token, user in tokens.items()))
        (folder / "audit-policy.json").write_text(json.dumps(AUDIT_POLICY))
        self.etcd = None
        self.apiserver = None
        self.gates = {}

    def start(self):
        peer = f"http://127.0.0.1:{free_port()}"
        client = f"http://127.0.0.1:{self.etcd_port}"
        self.etcd = Program("etcd", [
            shutil.which("etcd"), "--data-dir", self.folder / "etcd", "--unsafe-no-fsync",
            "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", f"default={peer}"], self.folder / "etcd.log")
        wait_until("etcd", lambda: self.healthy(f"{client}/health"), 60, self.etcd.process)
        self.start_apiserver()

    def start_apiserver(self, gates=None):
        self.gates = self.gates if gates is None else gates
        crt, key = self.server
        words = [
            f"--etcd-servers=http://127.0.0.1:{self.etcd_port}", "--bind-address=127.0.0.1",
            f"--secure-port={self.port}", "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none", f"--tls-cert-file={crt}",
            f"--tls-private-key-file={key}", f"--client-ca-file={self.authority.certificate}",
            "--authorization-mode=Node,RBAC", "--allow-privileged=true",
            f"--service-account-issuer={ISSUER}",
            f"--service-account-signing-key-file={self.account_key}",
            f"--service-account-key-file={self.account_key}",
            "--service-cluster-ip-range=10.0.0.0/24",
            f"--kubelet-client-certificate={self.to_kubelet[0]}",
            f"--kubelet-client-key={self.to_kubelet[1]}",
            f"--kubelet-certificate-authority={self.authority.certificate}",
            "--kubelet-preferred-address-types=InternalIP",
            f"--token-auth-file={self.folder / 'tokens.csv'}",
            f"--audit-policy-file={self.folder / 'audit-policy.json'}",
            f"--audit-log-path={self.audit_log}", "--disable-admission-plugins=ServiceAccount",
            "--shutdown-delay-duration=0s"]
        if self.gates:
            words.append("--feature-gates=" + ",".join(
                f"{name}={str(on).lower()}" for name, on in self.gates.items()))
        self.apiserver = Program("kube-apiserver", [self.binaries["kube-apiserver"], *words],
                                 self.folder / "kube-apiserver.log")
        wait_until("kube-apiserver", lambda: self.healthy(f"{self.url}/readyz"), 120,
                   self.apiserver.process)

    def healthy(self, url):
        trust = ssl.create_default_context(cafile=str(self.authority.certificate))
        try:
            with urllib.request.urlopen(url, context=trust if url.startswith("https") else None,
                                        timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def stop(self):
        for program in (self.apiserver, self.etcd):
            if program is not None:
                program.stop()
