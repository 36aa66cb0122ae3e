// Rules about RDMA devices and ports: IB-001 .. IB-008.
#pragma once

#include "judge/pod_rule.hpp"

#include <array>

namespace di::judge::ib {

using model::Unseen;

const Unseen* needs_device_nodes(const PodView& view);
const Unseen* needs_ports(const PodView& view);
const Unseen* needs_sysfs(const PodView& view);
const Unseen* needs_ibstat(const PodView& view);
const Unseen* needs_ibv_devinfo(const PodView& view);
std::optional<std::string> unless_addressed(const PodView& view);
std::optional<std::string> unless_rated(const PodView& view);
Finding judge_device_nodes(const PodView& view);
Finding judge_link(const PodView& view);
Finding judge_address(const PodView& view);
Finding judge_rate(const PodView& view);
Finding judge_kind(const PodView& view);
Finding judge_ibstat(const PodView& view);
Finding judge_ibv_devinfo(const PodView& view);
std::optional<std::string> unless_partitioned(const PodView& view);
Finding judge_partition(const PodView& view);

inline constexpr std::array<PodRule, 8> k_rules = {{
    {{"IB-001",
      "ib-devices",
      model::Capability::devices,
      Weight::deciding,
      "RDMA device nodes",
      "Looks for /dev/infiniband/uverbs* nodes that the container can open for reading and "
      "writing.",
      "Without an open device node UCX and libfabric see no RDMA device, and UCX goes to TCP "
      "without "
      "an error. sysfs shows the host's devices to every pod, so it cannot prove this.",
      "Give the worker the cluster's RDMA resource (rdma/ib, vpc.amazonaws.com/efa, ...) and run "
      "it "
      "with a user that may open the nodes.",
      "linux-rdma/rdma-core libibverbs; Mellanox/k8s-rdma-shared-dev-plugin issue 93"},
     "ls -l /dev/infiniband",
     unless_network,
     needs_device_nodes,
     judge_device_nodes},
    {{"IB-002",
      "ib-sysfs",
      model::Capability::link,
      Weight::deciding,
      "Port state",
      "Every port that KV may use must be Active in logical state and LinkUp in physical state. "
      "Ports that the container cannot open, that UCX_NET_DEVICES leaves out, and Ethernet ports "
      "beside InfiniBand ones are ignored.",
      "LinkUp with Initializing means that the cable is fine and that no subnet manager has "
      "configured the port: nothing can be sent. Polling means no signal from the other end.",
      "Start or reach the subnet manager (Initializing), check cable and switch port (Polling), "
      "enable the port (Disabled).",
      "InfiniBand Architecture Specification, PortState; kernel ABI sysfs-class-infiniband"},
     "grep -H . /sys/class/infiniband/*/ports/*/state /sys/class/infiniband/*/ports/*/phys_state",
     unless_network,
     needs_ports,
     judge_link},
    {{"IB-003",
      "ib-address",
      model::Capability::address,
      Weight::deciding,
      "Port address",
      "An InfiniBand port needs a LID other than 0. A RoCE port needs a RoCE v2 GID that is not "
      "link-local and whose network interface is in the pod.",
      "A RoCE port can be Active while its interface is in another network namespace: connecting "
      "then fails. RoCE v1 and link-local addresses do not pass a router.",
      "Attach the NIC's interface to the pod (SR-IOV, host-device, macvlan) and give it an "
      "address; "
      "for LID 0 ask the subnet manager.",
      "kernel ABI sysfs-class-infiniband gids and gid_attrs; ai-dynamo/dynamo issues 814 and 740; "
      "smg-project/smg issue 1691; NVIDIA/nccl issues 890, 1573 and 1587"},
     "grep -H . /sys/class/infiniband/*/ports/*/gids/* /sys/class/infiniband/*/ports/*/lid | "
     "grep -v 0000:0000:0000:0000$",
     unless_addressed,
     needs_ports,
     judge_address},
    {{"IB-004",
      "ib-rate",
      model::Capability::none,
      Weight::deciding,
      "Port rate",
      "Active ports of one worker should run at one rate, and at 100 Gb/s or more.",
      "A port that came up slower than its siblings, or a management port among them, slows down "
      "every transfer that is striped over it.",
      "Reseat or replace the cable of the slow port, or leave the port out with UCX_NET_DEVICES.",
      "kernel ABI sysfs-class-infiniband rate"},
     "grep -H . /sys/class/infiniband/*/ports/*/rate",
     unless_rated,
     needs_ports,
     judge_rate},
    {{"IB-005",
      "hca-kind",
      model::Capability::none,
      Weight::deciding,
      "Kind of RDMA device",
      "The device driver must fit the transfer backend: EFA goes with LIBFABRIC, InfiniBand and "
      "RoCE go with UCX.",
      "UCX on EFA emulates the reads that KV transfer needs; libfabric without an EFA device falls "
      "back to TCP sockets.",
      "On EFA select the LIBFABRIC backend of NIXL; elsewhere select UCX.",
      "ai-dynamo/dynamo docs, EKS EFA page; ai-dynamo/nixl libfabric_common.cpp"},
     "ls -l /sys/class/infiniband/*/device/driver",
     unless_network,
     needs_sysfs,
     judge_kind},
    {{"IB-006",
      "ib-link",
      model::Capability::none,
      Weight::advisory,
      "Second opinion of ibstat",
      "Compares the ports that ibstat calls Active with those that sysfs does.",
      "ibstat reads sysfs as well: it confirms a reading, it cannot prove that a device opens.",
      "Where the two disagree, trust neither and look at the port again.",
      "linux-rdma/rdma-core infiniband-diags ibstat"},
     "ibstat",
     unless_network,
     needs_ibstat,
     judge_ibstat},
    {{"IB-007",
      "ibv-devinfo",
      model::Capability::none,
      Weight::advisory,
      "Second opinion of libibverbs",
      "Compares the ports that ibv_devinfo could open and calls Active with those that sysfs does.",
      "libibverbs opens the device nodes: no device there although sysfs shows Active ports is "
      "about missing nodes or provider libraries in the image, not about the fabric.",
      "Grant the RDMA resource, or add the provider library (libmlx5, libefa) to the image.",
      "linux-rdma/rdma-core libibverbs/examples/devinfo.c"},
     "ibv_devinfo",
     unless_network,
     needs_ibv_devinfo,
     judge_ibv_devinfo},
    {{"IB-008",
      "ib-partition",
      model::Capability::none,
      Weight::deciding,
      "Partition membership",
      "Each InfiniBand port that KV may use must be a full member of a partition (bit 15 of its "
      "P_Key), and of the one that UCX_IB_PKEY names, if it is set (0x0 to 0x7fff).",
      "UCX takes the first full membership, a limited one only for want of better: two limited "
      "members cannot talk to each other. A key that the port does not hold takes the port out.",
      "Remove UCX_IB_PKEY, or have the subnet manager make the port a full member.",
      "InfiniBand Architecture Specification, P_Key; openucx/ucx src/uct/ib/base/ib_iface.c"},
     "grep -H . /sys/class/infiniband/*/ports/*/pkeys/* | grep -v :0x0000",
     unless_partitioned,
     needs_ports,
     judge_partition},
}};

} // namespace di::judge::ib
