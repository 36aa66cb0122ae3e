// Rules about the way between NIC and GPU memory, and about NVLink: GDR-001 .. NVL-004.
#pragma once

#include "judge/pod_rule.hpp"

#include <array>

namespace di::judge::gpu {

using model::Unseen;

const Unseen* needs_gpudirect(const PodView& view);
const Unseen* needs_gdrdrv(const PodView& view);
const Unseen* needs_topology(const PodView& view);
const Unseen* needs_nvlink(const PodView& view);
const Unseen* needs_fabric(const PodView& view);
const Unseen* needs_imex(const PodView& view);
std::optional<std::string> unless_many_gpus(const PodView& view);
std::optional<std::string> unless_nvlink_path(const PodView& view);
Finding judge_gpudirect(const PodView& view);
Finding judge_gdrcopy(const PodView& view);
Finding judge_topology(const PodView& view);
Finding judge_nvlink(const PodView& view);
Finding judge_fabric(const PodView& view);
Finding judge_imex(const PodView& view);

inline constexpr std::array<PodRule, 6> k_rules = {{
    {{"GDR-001",
      "gpudirect-modules",
      model::Capability::gpudirect,
      Weight::deciding,
      "GPUDirect RDMA",
      "The NIC reaches GPU memory through a peer-memory module (nvidia_peermem), or through "
      "DMA-BUF: open GPU kernel modules on Linux 5.12 or newer. Either is enough.",
      "Without it each KV block is copied through host memory: transfers work, several times "
      "slower.",
      "Use the open GPU kernel modules, or load nvidia_peermem on the node.",
      "openucx/ucx src/uct/ib/base/ib_md.c; NVIDIA GPU Operator documentation, GPUDirect RDMA"},
     "ls -d /sys/module/nvidia_peermem /sys/kernel/mm/memory_peers/nv_mem; "
     "head -1 /proc/driver/nvidia/version; uname -r",
     unless_network,
     needs_gpudirect,
     judge_gpudirect},
    {{"GDR-002",
      "gdrcopy",
      model::Capability::none,
      Weight::advisory,
      "GDRCopy",
      "Looks for /dev/gdrdrv.",
      "UCX uses GDRCopy for small messages only; KV blocks do not need it.",
      "Install the gdrdrv module and mount its device for lower small-message latency.",
      "NVIDIA/gdrcopy; openucx/ucx src/uct/cuda/gdr_copy"},
     "ls -l /dev/gdrdrv",
     unless_network,
     needs_gdrdrv,
     judge_gdrcopy},
    {{"NVL-001",
      "gpu-topology",
      model::Capability::none,
      Weight::advisory,
      "NVLink between the pod's GPUs",
      "Reads the GPU matrix of nvidia-smi topo -m.",
      "It matters to tensor parallelism inside the pod. It says nothing about the way to another "
      "pod.",
      "Ask for GPUs of one NVLink group, or repair the link that is missing.",
      "nvidia-smi topo documentation"},
     "nvidia-smi topo -m",
     unless_many_gpus,
     needs_topology,
     judge_topology},
    {{"NVL-002",
      "nvlink-status",
      model::Capability::none,
      Weight::advisory,
      "NVLink links",
      "All links of each GPU should be up.",
      "An inactive link slows down collectives inside the pod.",
      "Reset the GPU or have the board repaired.",
      "nvidia-smi nvlink documentation"},
     "nvidia-smi nvlink --status",
     always_applies,
     needs_nvlink,
     judge_nvlink},
    {{"NVL-003",
      "gpu-fabric",
      model::Capability::nvlink,
      Weight::deciding_on_nvlink,
      "GPU fabric registration",
      "Reads the Fabric section of nvidia-smi -q. Multi-node NVLink needs Completed, Success and a "
      "cluster UUID that is not zero; on an NVSwitch box the zero UUID is normal.",
      "An NVSwitch box whose fabric is not Completed cannot start CUDA. Two pods reach each other "
      "over NVLink only in one clique of one cluster.",
      "Look at the fabric manager, or at IMEX and the NVLink domain's manager (NMX).",
      "openucx/ucx src/uct/cuda/cuda_ipc/cuda_ipc_md.c; nvidia-smi -q documentation"},
     "nvidia-smi -q | grep -A9 -w Fabric",
     unless_kv_moves,
     needs_fabric,
     judge_fabric},
    {{"NVL-004",
      "imex",
      model::Capability::devices,
      Weight::deciding,
      "IMEX channel",
      "Looks for a channel under /dev/nvidia-caps-imex-channels.",
      "Without an IMEX channel in both pods GPU memory cannot be imported from another node, and "
      "UCX goes to TCP.",
      "Claim the ComputeDomain's channel in the worker's pod template.",
      "NVIDIA IMEX service documentation; NVIDIA DRA driver, ComputeDomain"},
     "ls -l /dev/nvidia-caps-imex-channels",
     unless_nvlink_path,
     needs_imex,
     judge_imex},
}};

} // namespace di::judge::gpu
