#include "cases.hpp"

namespace di::test {

using model::LinkLayer;
using model::PhysState;
using model::PortState;
using model::Role;
using model::SkipReason;
using model::Status;

namespace {

FakePod pod() {
    return infiniband_pod(Role::prefill);
}

FakePod roce() {
    return roce_pod(Role::prefill);
}

FakePod ports(PortState state, PhysState phys) {
    return pod().each_port([&](model::Port& port) {
        port.state = state;
        port.phys_state = phys;
    });
}

/// Changes one device only, in all sources.
FakePod one(FakePod changed, std::string_view name, const std::function<void(model::Port&)>& how) {
    return changed.each_device([&](model::RdmaDevice& device) {
        if (device.name == name) {
            how(device.ports.front());
        }
    });
}

FakePod partitions(const std::vector<std::uint16_t>& pkeys) {
    return pod().each_port([&](model::Port& port) { port.pkeys = pkeys; });
}

void go_down(model::Port& port) {
    port.state = PortState::down;
    port.phys_state = PhysState::polling;
}

void as_ethernet_down(model::Port& port) {
    go_down(port);
    port.link_layer = LinkLayer::ethernet;
    port.rate_gbps = 40;
}

FakePod without_sysfs(FakePod changed) {
    changed.seen.sysfs = unseen();
    return changed;
}

FakePod blind(FakePod changed) {
    changed.seen.sysfs = unseen();
    changed.seen.ibstat = unseen(SkipReason::tool_missing);
    changed.seen.ibv_devinfo = unseen(SkipReason::tool_missing);
    return changed;
}

FakePod gpus(int count, std::size_t granted) {
    auto changed = pod();
    changed.worker.spec.gpus = count;
    changed.seen.verbs_nodes->resize(granted);
    changed.seen.engine->open_devices->resize(granted);
    return changed;
}

FakePod drivers(std::string_view first, std::string_view others) {
    return pod().each_device([&](model::RdmaDevice& device) {
        device.driver = device.name == "mlx5_0" ? first : others;
        device.name = others.empty() ? "hfi" + device.name.substr(5) : device.name;
    });
}

FakePod mlx_under_libfabric(const std::string& provider) {
    auto changed = efa_pod(Role::decode).each_device([](model::RdmaDevice& device) {
        device.driver = "mlx5_core";
    });
    changed.seen.environment->values.erase("FI_PROVIDER");
    return provider.empty() ? changed : changed.env("FI_PROVIDER", provider);
}

FakePod efa_under_ucx() {
    return efa_pod(Role::decode).arguments({}).libraries({"/x/libnixl.so"});
}

std::vector<RuleCase> node_cases() {
    return {
        {"IB-001", "four nodes open", Status::ok, pod(), "4 uverbs"},
        {"IB-001", "none at all", Status::fail, pod().no_devices(), "no RDMA"},
        {"IB-001", "none may be opened", Status::fail, pod().nodes_closed(), "uid 1000"},
        {"IB-001",
         "closed to the probe, held open by the engine",
         Status::ok,
         pod().nodes_closed().change([](FakePod& changed) {
             changed.seen.engine->open_devices =
                 std::vector<std::string>{"/dev/infiniband/uverbs0",
                                          "/dev/infiniband/uverbs1",
                                          "/dev/infiniband/uverbs2",
                                          "/dev/infiniband/uverbs3"};
         })},
        {"IB-001",
         "fewer than listed",
         Status::warn,
         gpus(1, 1).env("UCX_NET_DEVICES", "mlx5_0:1,mlx5_1:1"),
         "1 of 2 listed"},
        {"IB-001",
         "the listed one cannot be opened, another can",
         Status::fail,
         gpus(1, 1).env("UCX_NET_DEVICES", "mlx5_3:1"),
         "0 of 1 listed"},
        {"IB-001",
         "a listed interface is no HCA",
         Status::ok,
         gpus(1, 1).env("UCX_NET_DEVICES", "eth0")},
        {"IB-001",
         "fewer than listed, sysfs unseen",
         Status::warn,
         without_sysfs(gpus(1, 1).env("UCX_NET_DEVICES", "mlx5_0:1,mlx5_1:1"))},
        {"IB-001", "fewer than GPUs, the node has more", Status::warn, gpus(4, 2), "for 4 GPUs"},
        {"IB-001", "fewer than GPUs, as the node is built", Status::ok, gpus(8, 4)},
        {"IB-001", "one for eight GPUs", Status::warn, gpus(8, 1)},
        {"IB-001", "a directory that cannot be read", Status::skipped, pod().change([](FakePod& p) {
             p.seen.verbs_nodes = unseen(SkipReason::no_permission);
             p.seen.engine = unseen();
         })},
        {"IB-001", "KV goes over NVLink", Status::skipped, gb200_pod(Role::prefill)},
    };
}

std::vector<RuleCase> kind_cases() {
    return {
        {"IB-005", "mlx5 under UCX", Status::ok, pod(), "mlx5_core"},
        {"IB-005", "EFA under LIBFABRIC", Status::ok, efa_pod(Role::decode), "efa"},
        {"IB-005", "EFA under UCX", Status::warn, efa_under_ucx(), "LIBFABRIC"},
        {"IB-005", "two kinds", Status::warn, drivers("bnxt_re", "mlx5_core"), "bnxt_re"},
        {"IB-005", "FI_PROVIDER=efa without EFA", Status::fail, mlx_under_libfabric("efa")},
        {"IB-005", "LIBFABRIC without EFA", Status::warn, mlx_under_libfabric("")},
        {"IB-005", "no driver links, no telling names", Status::skipped, drivers("", "")},
        {"IB-005", "no sysfs", Status::skipped, without_sysfs(pod())},

        {"IB-006", "ibstat agrees", Status::ok, pod(), "agrees"},
        {"IB-006", "ibstat alone", Status::ok, without_sysfs(pod()), "sysfs was not readable"},
        {"IB-006", "ibstat disagrees", Status::warn, pod().change([](FakePod& p) {
             go_down(p.seen.ibstat->front().ports.front());
         })},
        {"IB-006", "no ibstat", Status::skipped, pod().change([](FakePod& p) {
             p.seen.ibstat = unseen(SkipReason::tool_missing);
         })},
        {"IB-007", "libibverbs agrees", Status::ok, pod()},
        {"IB-007",
         "libibverbs shows what this pod was granted",
         Status::ok,
         gpus(2, 2).change([](FakePod& p) { p.seen.ibv_devinfo->resize(2); })},
        {"IB-007",
         "libibverbs finds nothing",
         Status::warn,
         pod().change([](FakePod& p) { p.seen.ibv_devinfo = std::vector<model::RdmaDevice>{}; }),
         "0 HCAs"},
        {"IB-007",
         "its output is cut",
         Status::warn,
         pod().change([](FakePod& p) { p.seen.ibv_devinfo->back().cut = true; }),
         "cut"},
        {"IB-007", "no ibv_devinfo", Status::skipped, pod().change([](FakePod& p) {
             p.seen.ibv_devinfo = unseen(SkipReason::tool_missing);
         })},
        {"IB-008", "full members", Status::ok, pod(), "0xffff"},
        {"IB-008",
         "a full membership beside a limited one",
         Status::ok,
         partitions({0x7fff, 0x8001})},
        {"IB-008", "limited members", Status::warn, partitions({0x7fff}), "limited"},
        {"IB-008",
         "UCX_IB_PKEY names a partition of the port",
         Status::ok,
         partitions({0xffff, 0x8001}).env("UCX_IB_PKEY", "0x1")},
        {"IB-008",
         "UCX_IB_PKEY names a partition that the port is not in",
         Status::fail,
         pod().env("UCX_IB_PKEY", "0x1"),
         "0x0001 is not in the table of mlx5_0:1"},
        {"IB-008",
         "UCX_IB_PKEY with the member bit, which UCX refuses",
         Status::fail,
         pod().env("UCX_IB_PKEY", "0x8001")},
        {"IB-008", "UCX_IB_PKEY=auto", Status::ok, pod().env("UCX_IB_PKEY", "auto")},
        {"IB-008", "keys that are not shown", Status::skipped, partitions({})},
        {"IB-008",
         "RoCE has no partitions to choose from",
         Status::skipped,
         roce_pod(Role::decode)},
    };
}

std::vector<RuleCase> all_port_cases() {
    const auto polling = ports(PortState::down, PhysState::polling);
    return {
        {"IB-002", "all Active", Status::ok, pod(), "4 ports Active"},
        {"IB-002",
         "all wait for a subnet manager",
         Status::fail,
         ports(PortState::initializing, PhysState::link_up),
         "no subnet manager (SM)"},
        {"IB-002",
         "armed is not Active",
         Status::fail,
         ports(PortState::armed, PhysState::link_up),
         "subnet manager"},
        {"IB-002",
         "RoCE has no subnet manager",
         Status::fail,
         roce().each_port([](model::Port& port) { port.state = PortState::initializing; }),
         "Initializing/LinkUp"},
        {"IB-002", "all poll", Status::fail, polling, "4 Down/Polling (no signal"},
        {"IB-002",
         "all disabled",
         Status::fail,
         ports(PortState::down, PhysState::disabled),
         "port disabled"},
        {"IB-002",
         "LinkUp is not enough",
         Status::fail,
         ports(PortState::down, PhysState::link_up)},
        {"IB-002",
         "Active is not enough",
         Status::fail,
         ports(PortState::active, PhysState::polling)},
    };
}

std::vector<RuleCase> some_port_cases() {
    return {
        {"IB-002", "one rail is down", Status::warn, one(pod(), "mlx5_2", go_down), "1 of 4"},
        {"IB-002",
         "the rail that is down is not listed",
         Status::ok,
         one(pod(), "mlx5_2", go_down).env("UCX_NET_DEVICES", "mlx5_0:1,mlx5_1:1"),
         "2 ports"},
        {"IB-002",
         "only the rail that is down is listed",
         Status::fail,
         one(pod(), "mlx5_2", go_down).env("UCX_NET_DEVICES", "mlx5_2:1")},
        {"IB-002",
         "the rail that is down is denied",
         Status::ok,
         one(pod(), "mlx5_2", go_down).env("UCX_NET_DEVICES", "^mlx5_2:1")},
        {"IB-002",
         "an Ethernet port is down beside InfiniBand",
         Status::ok,
         one(pod(), "mlx5_3", as_ethernet_down),
         "3 ports"},
        {"IB-002",
         "an Ethernet port that is down is listed",
         Status::warn,
         one(pod(), "mlx5_3", as_ethernet_down).env("UCX_NET_DEVICES", "mlx5_0:1,mlx5_3:1")},
        {"IB-002",
         "RoCE cards whose second ports are not cabled",
         Status::ok,
         one(one(roce(), "mlx5_3", go_down), "mlx5_2", go_down),
         "2 ports"},
        {"IB-002", "one dead RoCE rail of four", Status::warn, one(roce(), "mlx5_3", go_down)},
        {"IB-002",
         "an HCA that is down cannot be opened",
         Status::ok,
         one(gpus(2, 2), "mlx5_3", go_down)},
        {"IB-002", "no device in the kernel", Status::fail, pod().change([](FakePod& p) {
             p.seen.sysfs = std::vector<model::RdmaDevice>{};
         })},
        {"IB-002", "ibstat in place of sysfs", Status::ok, without_sysfs(pod())},
        {"IB-002", "no source at all", Status::skipped, blind(pod())},
    };
}

std::vector<RuleCase> rate_cases() {
    return {
        {"IB-004", "one rate", Status::ok, pod(), "400 Gb/s"},
        {"IB-004",
         "a slow sibling",
         Status::warn,
         one(pod(), "mlx5_1", [](model::Port& port) { port.rate_gbps = 200; }),
         "mlx5_1:1 runs at 200"},
        {"IB-004", "all slow", Status::warn, pod().each_port([](model::Port& port) {
             port.rate_gbps = 56;
         })},
        {"IB-004", "100 Gb/s is enough", Status::ok, pod().each_port([](model::Port& port) {
             port.rate_gbps = 100;
         })},
        {"IB-004", "no rate shown", Status::skipped, pod().each_port([](model::Port& port) {
             port.rate_gbps.reset();
         })},
        {"IB-004", "EFA", Status::skipped, efa_pod(Role::decode)},
    };
}

FakePod gids(std::vector<model::Gid> table) {
    return roce().each_port([&](model::Port& port) { port.gids = table; });
}

std::vector<RuleCase> address_cases() {
    using model::GidType;
    const std::string v4 = "0000:0000:0000:0000:0000:ffff:0a01:0203";
    const std::string local = "fe80:0000:0000:0000:0ac0:ebff:fe11:2233";
    const auto no_lid = [](model::Port& port) { port.lid = 0; };
    return {
        {"IB-003", "InfiniBand with LIDs", Status::ok, pod()},
        {"IB-003", "LID 0 everywhere", Status::fail, pod().each_port(no_lid), "LID 0"},
        {"IB-003", "LID 0 on one port", Status::warn, one(pod(), "mlx5_0", no_lid), "mlx5_0:1"},
        {"IB-003", "LID not shown", Status::skipped, pod().each_port([](model::Port& port) {
             port.lid.reset();
         })},
        {"IB-003", "RoCE v2 with its interface", Status::ok, roce()},
        {"IB-003", "RoCE v1 only", Status::warn, gids({{1, v4, GidType::ib_or_roce_v1, "net1"}})},
        {"IB-003", "link-local only", Status::warn, gids({{1, local, GidType::roce_v2, "net1"}})},
        {"IB-003", "interface elsewhere", Status::fail, gids({{3, v4, GidType::roce_v2, {}}})},
        {"IB-003",
         "interface not in this pod",
         Status::fail,
         gids({{3, v4, GidType::roce_v2, "ens1"}})},
        {"IB-003", "no GID", Status::fail, gids({})},
        {"IB-003", "types not shown", Status::skipped, gids({{3, v4, GidType::unknown, "net1"}})},
        {"IB-003", "no table", Status::skipped, roce().each_port([](model::Port& port) {
             port.gids.clear();
             port.gids_readable = false;
         })},
        {"IB-003", "a short GID text", Status::warn, gids({{3, "fe", GidType::roce_v2, "net1"}})},
        {"IB-003",
         "no port is Active",
         Status::skipped,
         ports(PortState::down, PhysState::polling)},
    };
}

} // namespace

std::vector<RuleCase> ib_cases() {
    return joined<RuleCase>({node_cases(),
                             kind_cases(),
                             all_port_cases(),
                             some_port_cases(),
                             rate_cases(),
                             address_cases()});
}

} // namespace di::test
