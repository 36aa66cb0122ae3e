"""What people do by hand today, for both benches: six node probes and one NIXL probe a worker."""
import os
import platform

PARALLEL = 16
PROBES = [
    ["ls", "/dev/infiniband"],
    ["ibv_devinfo", "-l"],
    ["ibstat"],
    ["sh", "-c", "lsmod | grep -E 'nvidia_peermem|nv_peer_mem'"],
    ["ls", "/dev/gdrdrv"],
    ["nvidia-smi", "topo", "-m"],
    ["sh", "-c", "command -v nixlbench nixl_test; ls /usr/local/nixl"],
]


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if "model name" in line),
                 platform.machine())
    return f"{os.cpu_count()} cores, {model}, Linux {platform.release()}"
