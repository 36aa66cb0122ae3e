// Rules about the way between NIC and GPU memory, and about NVLink: GDR-001 .. NVL-004, GDR-003.
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
std::optional<std::string> unless_gpus_and_network(const PodView& view);
Finding judge_nic_affinity(const PodView& view);

inline constexpr std::array<PodRule, 7> k_rules = {{
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
      "openucx/ucx src/uct/ib/base/ib_md.c and pull 11002; NVIDIA GPU Operator documentation, "
      "GPUDirect RDMA; NVIDIA/nccl issues 1474, 1537, 1676 and 1939; ofiwg/libfabric issue 12409"},
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
    {{"GDR-003",
      "nic-affinity",
      model::Capability::none,
      Weight::advisory,
      "A NIC near each GPU",
      "Reads the NIC columns of nvidia-smi topo -m: each GPU should have an HCA in use behind the "
      "same PCIe switch (PIX, PXB) or host bridge (PHB).",
      "Over NODE and SYS each KV block crosses a CPU interconnect. Where every distance is the "
      "same a virtual machine hides the topology: UCX then spreads over all HCAs, and with ACS or "
      "an IOMMU in the way GPUDirect has delivered garbage with HTTP 200.",
      "List the HCAs that belong to the pod's GPUs in UCX_NET_DEVICES; on a virtual machine ask "
      "for the host's topology file.",
      "ai-dynamo/dynamo issue 12463; ai-dynamo/dynamo pull 10852; NVIDIA/nccl src/graph/paths.cc"},
     "nvidia-smi topo -m",
     unless_gpus_and_network,
     needs_topology,
     judge_nic_affinity},
    {{"NVL-001",
      "gpu-topology",
      model::Capability::none,
      Weight::advisory,
      "NVLink between the pod's GPUs",
      "Reads the GPU matrix of nvidia-smi topo -m.",
      "It matters to tensor parallelism inside the pod. It says nothing about the way to another "
      "pod.",
      "Ask for GPUs of one NVLink group, or repair the link that is missing.",
      "nvidia-smi topo documentation; NVIDIA/gpu-operator issue 485; "
      "NVIDIA/nvidia-container-toolkit "
      "issues 48 and 1227 (NVML errors inside a container)"},
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
      "nvidia-smi nvlink documentation; NVIDIA/NVSentinel issues 883 and 889"},
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
      "openucx/ucx src/uct/cuda/cuda_ipc/cuda_ipc_md.c; nvidia-smi -q documentation; "
      "Azure/azhpc-images issue 506; leptonai/gpud issue 1085"},
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
      "NVIDIA IMEX service documentation; NVIDIA DRA driver, ComputeDomain; NVIDIA/aicr issue "
      "2641"},
     "ls -l /dev/nvidia-caps-imex-channels",
     unless_nvlink_path,
     needs_imex,
     judge_imex},
}};

} // namespace di::judge::gpu
