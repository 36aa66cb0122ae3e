"""kubectl as some user of the cluster: what the tests arrange and look at goes through it."""
import json
import subprocess


def write_kubeconfig(path, server, authority, user, namespace="dynamo-demo"):
    """`user`: the `user` map of a kubeconfig, such as {"token": ...}."""
    path.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "test",
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test",
                                                  "namespace": namespace}}],
        "clusters": [{"name": "test", "cluster": {"server": server,
                                                  "certificate-authority": str(authority)}}],
        "users": [{"name": "test", "user": user}]}))
    return path


class Client:
    def __init__(self, kubectl, kubeconfig):
        self.kubectl = kubectl
        self.kubeconfig = kubeconfig

    def environment(self):
        return {"PATH": f"{self.kubectl.parent}:/usr/bin:/bin", "HOME": str(self.kubeconfig.parent),
                "KUBECONFIG": str(self.kubeconfig), "LC_ALL": "C.UTF-8"}

    def run(self, *arguments, check=True, **options):
        done = subprocess.run([self.kubectl, *map(str, arguments)], env=self.environment(),
                              capture_output=True, text=True, timeout=120, **options)
        if check and done.returncode != 0:
            raise RuntimeError(f"kubectl {' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return done

    def get(self, *arguments):
        return json.loads(self.run("get", *arguments, "-o", "json").stdout)

    def create(self, *objects, replace=False):
        listed = {"apiVersion": "v1", "kind": "List", "items": list(objects)}
        if objects:
            self.run("apply" if replace else "create", "-f", "-", input=json.dumps(listed))


class Plugin:
    """The plugin as that user; kubectl is on its PATH."""

    def __init__(self, binary, client):
        self.binary = binary
        self.client = client

    def start(self, *arguments, **options):
        return subprocess.Popen([self.binary, *map(str, arguments)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                                env={**self.client.environment(), **options.pop("env", {})},
                                **options)

    def run(self, *arguments, **options):
        """(exit code, stdout, stderr)."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=180)
        return process.returncode, out, err

    def check(self, *arguments, namespace="dynamo-demo"):
        """(exit code, report, stderr)."""
        code, out, err = self.run("check", "-n", namespace, "-o", "json", *arguments)
        return code, json.loads(out) if out else None, err


