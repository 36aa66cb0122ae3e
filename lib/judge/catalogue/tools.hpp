// Rules about the output of one tool, where no rule about a worker asks the same, and the rule that
// sums a pod up: IB-011 .. IB-013, UCX-005, NIXL-003, NIXL-004, POD-010.
#pragma once

#include "judge/rules.hpp"

#include <array>

namespace di::judge::tools {

inline constexpr std::array<RuleInfo, 7> k_infos = {{
    {"IB-011",
     "ib-link",
     model::Capability::link,
     Weight::deciding,
     "Ports as ibstat shows them",
     "Every data port must be Active in State and LinkUp in Physical state, at the rate of its "
     "siblings. Ethernet ports beside InfiniBand ones, and second ports that are not cabled, are "
     "ignored.",
     "LinkUp with Initializing means that no subnet manager has configured the port: nothing can "
     "be sent. ibstat reads the host's sysfs: it cannot prove that the container may open a "
     "device.",
     "Start or reach the subnet manager (Initializing), check cable and switch port (Polling), "
     "enable the port (Disabled).",
     "linux-rdma/rdma-core infiniband-diags ibstat; InfiniBand Architecture Specification"},
    {"IB-012",
     "ibv-devinfo",
     model::Capability::link,
     Weight::deciding,
     "Ports that libibverbs opens",
     "Every data port of the devices that ibv_devinfo could open must be PORT_ACTIVE.",
     "libibverbs opens the device nodes, as UCX does: what it does not list cannot be used from "
     "this container.",
     "Grant the RDMA resource, add the provider library (libmlx5, libefa) to the image, or bring "
     "the port up.",
     "linux-rdma/rdma-core libibverbs/examples/devinfo.c"},
    {"IB-013",
     "ibv-devinfo-list",
     model::Capability::devices,
     Weight::deciding,
     "HCAs that libibverbs opens",
     "ibv_devinfo -l counts the devices that can be opened. 0 HCAs, or a kernel without verbs "
     "(ENOSYS), is a definite answer.",
     "Without an HCA that opens UCX and libfabric see no RDMA device and go to TCP without an "
     "error.",
     "Give the worker the cluster's RDMA resource, and the image the provider library of its NIC.",
     "linux-rdma/rdma-core libibverbs/examples/devinfo.c"},
    {"UCX-005",
     "ucx-devices",
     model::Capability::gpudirect,
     Weight::deciding,
     "What UCX can use here",
     "ucx_info -d must list an RDMA transport (rc, dc, srd), GPU memory among the memory types of "
     "the HCAs' domains, and cuda_copy and cuda_ipc. UCX_TLS and UCX_NET_DEVICES are not applied.",
     "Without RDMA KV goes over TCP; without a CUDA transport GPU memory is taken for host memory; "
     "an HCA that registers host memory only stages each block.",
     "Make the devices openable, use an image whose UCX has CUDA and verbs, load nvidia_peermem or "
     "the open GPU kernel modules.",
     "openucx/ucx src/tools/info/tl_info.c"},
    {"NIXL-003",
     "nixl-tools",
     model::Capability::none,
     Weight::advisory,
     "NIXL test tools",
     "Looks for nixlbench and nixl_test on PATH.",
     "They can prove a transfer between two pods. The engine does not need them.",
     "Run nixlbench from its own image, beside the workers.",
     "ai-dynamo/nixl benchmark/nixlbench"},
    {"NIXL-004",
     "nixl-plugins",
     model::Capability::library,
     Weight::deciding,
     "NIXL plugins on disk",
     "A NIXL plugin directory must hold libplugin_UCX.so or libplugin_LIBFABRIC.so.",
     "NIXL moves KV between pods through one of these. On disk is not loaded: the engine may use "
     "another directory.",
     "Point NIXL_PLUGIN_DIR at a directory with the plugin, or use an image that has it.",
     "ai-dynamo/nixl src/core/nixl_plugin_manager.cpp"},
    {"POD-010",
     "pod",
     model::Capability::none,
     Weight::deciding,
     "One pod, from its tools' outputs",
     "The worst of the pod's rows that count. Stronger evidence overrules weaker: GPU memory that "
     "UCX registers on an HCA overrules a missing nvidia_peermem, and missing device nodes "
     "overrule "
     "the Active ports of ibstat and sysfs, which are the host's. Advice does not count.",
     "A pod is as good as the way that KV has to take.",
     "See the row that decided.",
     "the rows of the pod"},
}};

} // namespace di::judge::tools
