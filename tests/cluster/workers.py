"""A scenario's objects as a real API server and kubelet take them, and for the simulator the same.

Both sides get what `adapt` leaves: one node, the host's network, images from a tarball. So they
may be compared row by row.
"""
import copy
import json
import pathlib

from images import worker_image
from node import NAME

SERVED_BY_THE_SERVER = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")
ROOT = "kubesim.dev/root"
RUN_AS = 1000
PLANTED = "hf_plantedIntoTheClustersOwnSecret"


class Scenario:
    def __init__(self, name, folder):
        """`folder`: what `kubesim --write` made of it."""
        self.name = name
        self.folder = pathlib.Path(folder)
        self.namespaces = sorted({pod["metadata"]["namespace"] for pod in self.pods()})

    def items(self, kind):
        path = self.folder / "objects" / f"{kind}.json"
        return json.loads(path.read_text())["items"] if path.exists() else []

    def pods(self):
        return self.items("pods")

    def graphs(self):
        return self.items("dynamographdeployments")

    @property
    def image(self):
        return f"localhost/dic-{self.name}:1"

    def tarball(self, folder, programs):
        """The image of all its pods."""
        roots = sorted({root_of(pod) for pod in self.pods()} - {None})
        return worker_image(folder / f"{self.name}.tar", self.image,
                            [self.folder / "roots" / root for root in roots], programs)

    def secrets(self):
        """The Secrets and ConfigMaps that the containers' environment is taken from."""
        found = {}
        for pod in self.pods():
            for container in pod["spec"]["containers"]:
                for kind, name, key in references(container):
                    one = found.setdefault((kind, pod["metadata"]["namespace"], name), {})
                    one[key] = PLANTED
        return [{"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace},
                 "stringData" if kind == "Secret" else "data": content}
                for (kind, namespace, name), content in found.items()]

    def adapt(self):
        """Rewrites the scenario's pods in place to what can run here, for simulator and cluster."""
        path = self.folder / "objects" / "pods.json"
        document = json.loads(path.read_text())
        for pod in document["items"]:
            adapt(pod, self.image)
        path.write_text(json.dumps(document))
        for root in (self.folder / "roots").iterdir():
            interfaces = root / "proc/net/dev"  # of the host's network, which cannot be replaced
            if interfaces.exists():
                interfaces.write_bytes(pathlib.Path("/proc/net/dev").read_bytes())
        nodes = self.folder / "objects" / "nodes.json"
        document = json.loads(nodes.read_text())
        document["items"] = document["items"][-1:]
        document["items"][0]["metadata"]["name"] = NAME
        nodes.write_text(json.dumps(document))


def references(container):
    """(kind, name, key) of everything that an environment variable is read from."""
    for variable in container.get("env", []):
        source = variable.get("valueFrom", {})
        for field, kind in (("secretKeyRef", "Secret"), ("configMapKeyRef", "ConfigMap")):
            if field in source:
                yield kind, source[field]["name"], source[field]["key"]
    for source in container.get("envFrom", []):
        for field, kind in (("secretRef", "Secret"), ("configMapRef", "ConfigMap")):
            if field in source:
                yield kind, source[field]["name"], "UNUSED"


def root_of(pod):
    return pod["metadata"].get("annotations", {}).get(ROOT)


def adapt(pod, image):
    spec = pod["spec"]
    spec.update(nodeName=NAME, hostNetwork=True, dnsPolicy="Default", enableServiceLinks=False,
                automountServiceAccountToken=False, terminationGracePeriodSeconds=1,
                tolerations=[{"operator": "Exists"}])
    for name in ("priority", "priorityClassName", "preemptionPolicy", "schedulerName",
                 "resourceClaims"):  # no controller here makes a claim from its template
        spec.pop(name, None)
    spec["securityContext"] = {"runAsUser": RUN_AS, "runAsGroup": RUN_AS}
    for container in spec["containers"] + spec.get("initContainers", []):
        adapt_container(container, image)
        if "command" not in container:
            container["command"] = ["python3"]  # a sidecar of another image
            continue
        variables = {"STANDIN_ROOT": root_of(pod), "STANDIN_FAILS": None if runs(pod) else "yes"}
        container.setdefault("env", []).extend(
            {"name": name, "value": value} for name, value in variables.items() if value)


def adapt_container(container, image):
    container.update(image=image, imagePullPolicy="Never")
    container.pop("ports", None)  # with the host's network the second pod would be refused
    for name in ("livenessProbe", "readinessProbe", "startupProbe"):
        container.pop(name, None)
    resources = container.get("resources", {})
    resources.pop("claims", None)
    for limits in resources.values():  # a small machine
        for name in ("cpu", "memory", "ephemeral-storage"):
            limits.pop(name, None)
    capabilities = container.setdefault("securityContext", {}).setdefault("capabilities", {})
    capabilities["add"] = sorted({*capabilities.get("add", []), "SYS_ADMIN", "MKNOD"})


def ready_to_create(item):
    """Without what only a server may set."""
    fresh = copy.deepcopy(item)
    for name in SERVED_BY_THE_SERVER:
        fresh["metadata"].pop(name, None)
    fresh.pop("status", None)
    return fresh


def runs(pod):
    """Whether all of its containers run in the scenario."""
    states = pod.get("status", {}).get("containerStatuses", [])
    return bool(states) and all("running" in state.get("state", {}) for state in states)


def waiting_reason(pod):
    for state in pod.get("status", {}).get("containerStatuses", []):
        reason = state.get("state", {}).get("waiting", {}).get("reason")
        if reason:
            return reason
    return ""
