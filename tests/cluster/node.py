"""A node: containerd, runc and a kubelet in a mount and PID namespace of their own."""
import json
import os
import pathlib
import shutil
import signal
import subprocess

from processes import Program, free_port, wait_until

HERE = pathlib.Path(__file__).resolve().parent
NAME = "127.0.0.1"  # the name of a node that is an address is its address
PAUSE = "localhost/dic-pause:1"
MOUNT_POINTS = ["/run/containerd", "/var/lib/kubelet", "/var/log/pods", "/var/log/containers"]

KUBELET_GATES = {"ExtendWebSocketsToKubelet"}

CONTAINERD = """
version = 2
root = "{folder}/containerd"
state = "{folder}/run"
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.btrfs",
    "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper",
    "io.containerd.snapshotter.v1.aufs"]
[grpc]
address = "{folder}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{pause}"
restrict_oom_score_adj = true
stream_server_address = "127.0.0.1"
stream_server_port = "0"
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "{folder}/cni"
conf_dir = "{folder}/cni"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
Root = "{folder}/runc"
"""


def kubelet_configuration(folder, plane, certificate, port, health_port):
    crt, key = certificate
    nothing = {name: "0%" for name in ("memory.available", "nodefs.available", "nodefs.inodesFree",
                                       "imagefs.available")}
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
        "address": "127.0.0.1", "port": port, "readOnlyPort": 0, "healthzPort": health_port,
        "authentication": {"anonymous": {"enabled": False}, "webhook": {"enabled": True},
                           "x509": {"clientCAFile": str(plane.authority.certificate)}},
        "authorization": {"mode": "Webhook"}, "tlsCertFile": str(crt), "tlsPrivateKeyFile": str(key),
        "rotateCertificates": False, "containerRuntimeEndpoint": f"unix://{folder}/containerd.sock",
        "cgroupDriver": "cgroupfs", "cgroupRoot": "/", "failCgroupV1": False, "failSwapOn": False,
        "oomScoreAdj": 0, "maxOpenFiles": 20000, "makeIPTablesUtilChains": False,
        "localStorageCapacityIsolation": False, "enableControllerAttachDetach": False,
        "nodeStatusUpdateFrequency": "2s", "maxPods": 110, "imageGCHighThresholdPercent": 100,
        "evictionHard": nothing, "volumePluginDir": f"{folder}/volume-plugins",
        "syncFrequency": "5s", "registryPullQPS": 0, "eventRecordQPS": 0, "kubeAPIQPS": 100,
        "kubeAPIBurst": 200, "serializeImagePulls": True,
    }


class Node:
    def __init__(self, binaries, folder, plane):
        self.binaries = binaries
        self.folder = folder
        self.plane = plane
        self.init = None
        self.made = [place for place in MOUNT_POINTS if not os.path.isdir(place)]

    def start(self, pause_tarball):
        for name in ("containerd", "cni", "kubelet", "volume-plugins"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        config = self.folder / "containerd.toml"
        config.write_text(CONTAINERD.format(folder=self.folder, pause=PAUSE))
        (self.folder / "no-kubelet").touch()
        self.init = Program("node", [
            "unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "sh",
            HERE / "node.sh", self.folder, config, self.binaries["kubelet"],
            f"--config={self.write_kubelet_configuration()}", f"--kubeconfig={self.kubeconfig()}",
            f"--hostname-override={NAME}", f"--root-dir={self.folder}/kubelet", "--v=2"],
            self.folder / "node.log")
        wait_until("containerd", self.containerd_answers, 60, self.init.process)
        self.import_image(pause_tarball)
        (self.folder / "no-kubelet").unlink()

    def write_kubelet_configuration(self):
        certificate = self.plane.authority.issue("kubelet", f"/CN={NAME}", ["IP:127.0.0.1"])
        path = self.folder / "kubelet.json"
        path.write_text(json.dumps(kubelet_configuration(
            self.folder, self.plane, certificate, free_port(), free_port())))
        return path

    def kubeconfig(self):
        crt, key = self.plane.authority.issue("node", f"/O=system:nodes/CN=system:node:{NAME}")
        path = self.folder / "kubelet.kubeconfig"
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "node",
            "contexts": [{"name": "node", "context": {"cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": {
                "server": self.plane.url,
                "certificate-authority": str(self.plane.authority.certificate)}}],
            "users": [{"name": "u", "user": {"client-certificate": str(crt),
                                             "client-key": str(key)}}]}))
        return path

    def ctr(self, *arguments, **options):
        return subprocess.run(["ctr", "-a", f"{self.folder}/containerd.sock", "-n", "k8s.io",
                               *map(str, arguments)], capture_output=True, text=True, **options)

    def containerd_answers(self):
        return self.ctr("version").returncode == 0

    def import_image(self, tarball):
        self.ctr("images", "import", tarball, check=True)

    def inner_pid(self):
        """The first process of the node's namespace, as this machine numbers it."""
        children = pathlib.Path(f"/proc/{self.init.pid}/task/{self.init.pid}/children").read_text()
        return int(children.split()[0])

    def inside(self, *command, **options):
        """A command in the node's namespaces."""
        return subprocess.run(["nsenter", "-t", str(self.inner_pid()), "-m", "-p",
                               *map(str, command)], capture_output=True, text=True, **options)

    def signal_kubelet(self, how):
        pid = (self.folder / "kubelet.pid").read_text().strip()
        self.inside("kill", f"-{how}", pid, check=True)

    def restart_kubelet(self, gates):
        """With these of the gates that a kubelet has a part in."""
        path = self.folder / "kubelet.json"
        configuration = json.loads(path.read_text())
        configuration["featureGates"] = {name: on for name, on in gates.items()
                                         if name in KUBELET_GATES}
        path.write_text(json.dumps(configuration))
        self.signal_kubelet("KILL")

    def hold_kubelet(self):
        """Ends the kubelet and keeps it from coming back."""
        (self.folder / "no-kubelet").touch()
        self.signal_kubelet("KILL")

    def release_kubelet(self):
        (self.folder / "no-kubelet").unlink()

    def stop(self):
        if self.init is not None:
            if self.init.running():
                os.kill(self.inner_pid(), signal.SIGKILL)
            self.init.stop()
        remove_cgroups()
        for place in self.made:
            if os.path.isdir(place):
                os.rmdir(place)


def cgroup_mounts():
    lines = pathlib.Path("/proc/self/mounts").read_text().splitlines()
    return [line.split()[1] for line in lines if line.split()[2] in ("cgroup", "cgroup2")]


def pod_cgroups():
    return [path for mount in cgroup_mounts()
            for path, _, _ in os.walk(mount, topdown=False) if "kubepods" in path]


def remove_cgroups():
    def all_gone():
        for path in pod_cgroups():
            try:
                os.rmdir(path)
            except OSError:
                pass
        return not pod_cgroups()

    wait_until("the end of the pods' cgroups", all_gone, 20)
