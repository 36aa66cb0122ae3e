#include "tool_cases.hpp"

#include <fmt/format.h>

namespace di::test {
namespace {

using model::Status;

std::string links(int gpu, const std::string& product, int up, int down) {
    std::string text = fmt::format("GPU {}: {} (UUID: GPU-0000)\n", gpu, product);
    for (int link = 0; link < up + down; ++link) {
        text += link < up ? fmt::format("\t Link {}: 26.562 GB/s\n", link)
                          : fmt::format("\t Link {}: <inactive>\n", link);
    }
    return text;
}

std::string fabric(const std::string& product,
                   const std::string& state,
                   const std::string& status,
                   const std::string& clique = "0",
                   const std::string& uuid = "00000000-0000-0000-0000-000000000000",
                   const std::string& health = "") {
    return "GPU 00000008:01:00.0\n    Product Name                          : " + product +
           "\n    Fabric\n        State                             : " + state +
           "\n        Status                            : " + status +
           "\n        CliqueId                          : " + clique +
           "\n        ClusterUUID                       : " + uuid + "\n" +
           (health.empty() ? "" : "        Health\n" + health);
}

const std::string k_uuid = "7a1d1f3e-5b0c-4c2a-9d6e-0f1e2d3c4b5a";
const std::string k_healthy = "            Summary                       : Healthy\n";
const std::string k_limited = "            Summary                       : Limited Capacity\n";
const std::string k_degraded = "            Bandwidth                     : Degraded\n";
const std::string k_unhealthy = k_degraded + "            Route Unhealthy               : True\n";

std::vector<ToolCase> topology_cases() {
    return {
        {"gpu-topology",
         "two GPUs, no escape codes, spaces for TABs",
         Status::ok,
         "       GPU0  GPU1  CPU Affinity\nGPU0   X   NV18  0-55\nGPU1  NV18   X   0-55\n",
         "NV18"},
        {"gpu-topology",
         "fewer links on one pair",
         Status::warn,
         "\tGPU0\tGPU1\tGPU2\nGPU0\t X \tNV18\tNV18\nGPU1\tNV18\t X \tNV17\nGPU2\tNV18\tNV17\t X "
         "\n",
         "from 17 to 18"},
        {"gpu-topology",
         "one GPU",
         Status::skipped,
         "\tGPU0\tNIC0\nGPU0\t X \tPIX\nNIC0\tPIX\t X \n",
         "one GPU"},
        {"gpu-topology",
         "cut inside the matrix",
         Status::skipped,
         "\tGPU0\tGPU1\nGPU0\t X \tNV18\nGPU1\tNV"},
        {"gpu-topology",
         "no permission is no fault",
         Status::skipped,
         "Failed to initialize NVML: Insufficient Permissions\n",
         "",
         "command terminated with exit code 4\n",
         4},
        {"gpu-topology",
         "no GPU",
         Status::fail,
         "No devices were found\n",
         "no usable GPU",
         "command terminated with exit code 6\n",
         6},
    };
}

std::vector<ToolCase> nvlink_cases() {
    return {
        {"nvlink-status", "H100 whole", Status::ok, links(0, "NVIDIA H100 80GB HBM3", 18, 0)},
        {"nvlink-status",
         "a GPU lists fewer links than its product has",
         Status::warn,
         links(0, "NVIDIA H100 80GB HBM3", 17, 0),
         "1 of 18"},
        {"nvlink-status",
         "H100 NVL uses 12 of the 18 it lists",
         Status::ok,
         links(0, "NVIDIA H100 NVL", 12, 6)},
        {"nvlink-status", "H20 is no H200", Status::ok, links(0, "NVIDIA H20", 18, 0)},
        {"nvlink-status", "an unknown product", Status::ok, links(0, "NVIDIA X900", 4, 0)},
        {"nvlink-status",
         "an unknown product with a link down",
         Status::warn,
         links(0, "NVIDIA X900", 3, 1)},
        {"nvlink-status",
         "all inactive, in words",
         Status::warn,
         "GPU 0: NVIDIA A30 (UUID: GPU-0000)\n"
         "\t Unable to retrieve NVLink information as all links are inActive\n"},
        {"nvlink-status",
         "one of two GPUs without NVLink",
         Status::warn,
         links(0, "NVIDIA A100-SXM4-80GB", 12, 0) + "GPU 1: NVIDIA L40S (UUID: GPU-0001)\n"},
        {"nvlink-status", "cut inside a number", Status::skipped, "GPU 0: NVIDIA H20 (UUID: "},
        {"nvlink-status",
         "NVML cannot reach the driver",
         Status::fail,
         "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: "
         "535.161\n",
         "",
         "command terminated with exit code 18\n",
         18},
    };
}

std::vector<ToolCase> fabric_cases() {
    return {
        {"gpu-fabric",
         "GB200 in a clique",
         Status::ok,
         fabric("NVIDIA GB200", "Completed", "Success", "32766", k_uuid, k_healthy)},
        {"gpu-fabric",
         "GB200 without a cluster, though Success",
         Status::fail,
         fabric("NVIDIA GB200", "Completed", "Success")},
        {"gpu-fabric",
         "GB300 whose clique is zero",
         Status::fail,
         fabric("NVIDIA GB300", "Completed", "Success", "0", k_uuid)},
        {"gpu-fabric",
         "GB200 with N/A",
         Status::fail,
         "GPU 00000008:01:00.0\n    Product Name : NVIDIA GB200\n    Fabric\n        State : N/A\n"
         "        Status : N/A\n"},
        {"gpu-fabric",
         "limited capacity",
         Status::warn,
         fabric("NVIDIA GB200", "Completed", "Success", "32766", k_uuid, k_limited)},
        {"gpu-fabric",
         "degraded bandwidth, before the summary line existed",
         Status::warn,
         fabric("NVIDIA GB200", "Completed", "Success", "32766", k_uuid, k_degraded)},
        {"gpu-fabric",
         "an unhealthy route behind a degraded bandwidth",
         Status::fail,
         fabric("NVIDIA GB200", "Completed", "Success", "32766", k_uuid, k_unhealthy)},
        {"gpu-fabric",
         "registration under way",
         Status::fail,
         fabric("NVIDIA H100 80GB HBM3", "In Progress", "N/A")},
        {"gpu-fabric",
         "never registered",
         Status::fail,
         fabric("NVIDIA H100 80GB HBM3", "Not Started", "N/A")},
        {"gpu-fabric",
         "one of two GPUs not registered",
         Status::fail,
         fabric("NVIDIA H200", "Completed", "Success") +
             fabric("NVIDIA H200", "Not Started", "N/A")},
        {"gpu-fabric",
         "grepped, without product names",
         Status::ok,
         "    Fabric\n        State : Completed\n        Status : Success\n        CliqueId : 0\n"
         "        ClusterUUID : 00000000-0000-0000-0000-000000000000\n"},
        {"gpu-fabric",
         "cut before the second GPU's section",
         Status::skipped,
         "Attached GPUs : 2\n" + fabric("NVIDIA H200", "Completed", "Success")},
        {"gpu-fabric", "PCIe card", Status::skipped, fabric("NVIDIA L40S", "N/A", "N/A")},
    };
}

std::vector<ToolCase> module_cases() {
    const std::string bound = "nvidia_peermem 16384 0\nib_core 491520 2 mlx5_ib,nvidia_peermem\n";
    return {
        {"gpudirect-modules", "used by ib_core", Status::ok, bound},
        {"gpudirect-modules",
         "used by ib_uverbs, in /proc/modules",
         Status::ok,
         "nvidia_peermem 16384 0 - Live 0x0000000000000000 (OE)\n"
         "ib_uverbs 184320 3 nvidia_peermem,mlx5_ib, Live 0x0000000000000000 (OE)\n"},
        {"gpudirect-modules",
         "the legacy module",
         Status::ok,
         "nv_peer_mem 16384 0\nib_core 491520 1 nv_peer_mem\n"},
        {"gpudirect-modules",
         "a grep that shows nothing but the module",
         Status::warn,
         "nvidia_peermem 16384 0\n",
         "does not show"},
        {"gpudirect-modules",
         "unloading",
         Status::warn,
         "nvidia_peermem 16384 -1 - Unloading 0x0000000000000000 (OE)\n"},
        {"gpudirect-modules", "only its name elsewhere", Status::warn, "nvidia 61513728 3 drm\n"},
        {"gpudirect-modules", "EFA", Status::ok, "efa_nv_peermem 16384 1\nefa 98304 0\n"},
        {"gpudirect-modules",
         "the file may not be read",
         Status::skipped,
         "",
         "",
         "cat: /proc/modules: Permission denied\n",
         1},
        {"gdrcopy",
         "the long form",
         Status::ok,
         "crw-rw-rw- 1 root root 235, 0 Oct  7 09:41 /dev/gdrdrv\n"},
        {"gdrcopy",
         "a file in place of the device",
         Status::warn,
         "-rw-r--r-- 1 root root 0 Oct  7 09:41 /dev/gdrdrv\n",
         "no device"},
        {"gdrcopy", "an empty directory in its place", Status::warn, "", "directory"},
        {"gdrcopy",
         "not permitted",
         Status::skipped,
         "",
         "",
         "ls: cannot access '/dev/gdrdrv': Permission denied\n",
         2},
    };
}

} // namespace

std::vector<ToolCase> gpu_tool_cases() {
    auto cases = topology_cases();
    for (const auto& more : {nvlink_cases(), fabric_cases(), module_cases()}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return cases;
}

} // namespace di::test
