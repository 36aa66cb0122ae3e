#include "support/observations.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace di::test {
namespace {

using model::Role;
using model::SkipReason;
using model::Unseen;

const std::map<std::string, std::vector<std::string>, std::less<>>& aliases() {
    static const std::map<std::string, std::vector<std::string>, std::less<>> k_aliases = {
        {"rc", {"rc_mlx5", "rc_verbs"}},
        {"rc_x", {"rc_mlx5"}},
        {"rc_v", {"rc_verbs"}},
        {"dc", {"dc_mlx5"}},
        {"ud", {"ud_mlx5", "ud_verbs"}},
        {"ib",
         {"rc_mlx5", "rc_verbs", "dc_mlx5", "ud_mlx5", "ud_verbs", "gga_mlx5", "rc_gda", "srd"}},
        {"sm", {"posix", "sysv", "cma"}},
        {"cuda", {"cuda_copy", "cuda_ipc", "gdr_copy"}}};
    return k_aliases;
}

const std::vector<std::string>& literals() {
    static const std::vector<std::string> k_names = {"tcp",
                                                     "self",
                                                     "srd",
                                                     "rc_mlx5",
                                                     "rc_verbs",
                                                     "dc_mlx5",
                                                     "ud_mlx5",
                                                     "ud_verbs",
                                                     "gga_mlx5",
                                                     "rc_gda",
                                                     "posix",
                                                     "sysv",
                                                     "cuda_copy",
                                                     "cuda_ipc",
                                                     "gdr_copy",
                                                     "cma"};
    return k_names;
}

std::vector<std::string> expand(const std::string& token) {
    if (const auto alias = aliases().find(token); alias != aliases().end()) {
        return alias->second;
    }
    const auto& names = literals();
    if (std::find(names.begin(), names.end(), token) != names.end()) {
        return {token};
    }
    return {};
}

model::Port port(int index) {
    model::Port result;
    result.state = model::PortState::active;
    result.phys_state = model::PhysState::link_up;
    result.link_layer = model::LinkLayer::infiniband;
    result.rate_gbps = 400;
    result.lid = 17U + static_cast<unsigned>(index);
    result.sm_lid = 1;
    result.gids_readable = true;
    result.gids = {{0, fmt::format("fe80:0000:0000:0001:506b:4b03:00f2:c0{:02x}", index), {}, {}}};
    result.gids[0].type = model::GidType::ib_or_roce_v1;
    result.pkeys = {0xffff};
    return result;
}

FakePod base_pod(Role role, std::string name, std::string node) {
    FakePod pod;
    auto& worker = pod.worker;
    worker.ns = "dynamo";
    worker.role = role;
    worker.pod = name.empty() ? std::string(to_string(role)) + "-0" : std::move(name);
    worker.node = node.empty() ? "node-" + worker.pod : std::move(node);
    worker.pod_ip = "10.1.2.3";
    worker.container = "main";
    worker.component = role == Role::prefill ? "VllmPrefillWorker" : "VllmDecodeWorker";
    worker.graph = "llama";
    worker.backend = model::Backend::vllm;
    worker.spec.gpus = 4;
    pod.arguments({"--disaggregation-mode",
                   std::string(to_string(role)),
                   "--kv-transfer-config",
                   R"({"kv_connector": "NixlConnector", "kv_role": "kv_both"})"});

    auto& seen = pod.seen;
    seen.exec = 0;
    seen.netdevs = std::vector<std::string>{"lo", "eth0"};
    seen.kernel = model::KernelRelease{6, 8, "6.8.0-60-generic"};
    seen.driver = model::GpuDriver{"570.86.15", model::DriverFlavour::open};
    seen.peer_memory = model::PeerMemory{};
    seen.peer_memory->nvidia_peermem = true;
    seen.gdrdrv = std::optional(model::DeviceNode{"/dev/gdrdrv", true});
    seen.imex_channels = std::vector<std::string>{};
    seen.environment = model::Environment{};
    seen.exec_environment = model::EnvMap{};
    seen.topology = model::GpuTopology{};
    seen.topology->gpus = 2;
    seen.topology->cells = {{"X", "NV18"}, {"NV18", "X"}};
    seen.topology->nics = {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"};
    seen.topology->nic_cells = {{"PIX", "NODE", "SYS", "SYS"}, {"NODE", "PXB", "SYS", "SYS"}};
    model::NvlinkGpu links;
    links.product = "H100";
    links.links = 18;
    seen.nvlink = std::vector<model::NvlinkGpu>{links};
    model::GpuFabric fabric;
    fabric.pci = "00000000:18:00.0";
    fabric.state = "Completed";
    fabric.status = "Success";
    fabric.clique = 0;
    fabric.cluster_uuid = "00000000-0000-0000-0000-000000000000";
    seen.fabric = std::vector<model::GpuFabric>{fabric};
    seen.ucx = model::UcxBuild{"1.20.0", true, true, true, false, true};
    seen.nixl_plugins = std::vector<model::PluginDirectory>{
        {"/opt/nvidia/nvda_nixl/lib64/plugins", {"UCX", "LIBFABRIC", "POSIX"}}};
    seen.nixl_version = std::string("1.1.0");
    return pod;
}

void add_devices(FakePod& pod, std::string_view name_format, std::string_view driver) {
    std::vector<model::RdmaDevice> devices;
    std::vector<model::DeviceNode> nodes;
    std::vector<std::string> open;
    for (int i = 0; i < 4; ++i) {
        model::RdmaDevice device;
        device.name = fmt::format(fmt::runtime(name_format), i);
        device.driver = driver;
        device.uverbs = fmt::format("uverbs{}", i);
        device.ports = {port(i)};
        devices.push_back(device);
        open.push_back("/dev/infiniband/" + device.uverbs);
        nodes.push_back({open.back(), true});
    }
    pod.seen.sysfs = devices;
    pod.seen.ibstat = devices;
    pod.seen.ibv_devinfo = devices;
    pod.seen.verbs_nodes = nodes;

    model::EngineProcess engine;
    engine.pid = 214;
    engine.uid = 1000;
    engine.cap_eff = 0;
    engine.memlock = model::Memlock{true, 0};
    engine.environment = model::EnvMap{};
    engine.open_devices = open;
    pod.seen.engine = engine;
    pod.libraries({"/opt/nvidia/nvda_nixl/lib64/libnixl.so",
                   "/opt/nvidia/nvda_nixl/lib64/plugins/libplugin_UCX.so",
                   "/usr/local/ucx/lib/libucp.so.0.0.0"});
}

/// In all three sources of port states.
template<class Change> void on_devices(model::PodObservation& seen, const Change& change) {
    for (auto* source : {&seen.sysfs, &seen.ibstat, &seen.ibv_devinfo}) {
        if (*source) {
            for (auto& device : **source) {
                change(device);
            }
        }
    }
}

} // namespace

model::UcxTls ucx_tls(const std::string& text) {
    model::UcxTls tls;
    tls.text = text;
    tls.deny = !text.empty() && text.front() == '^';
    std::set<std::string> named;
    for (const auto part : split(std::string_view(text).substr(tls.deny ? 1 : 0), ',')) {
        const std::string token(part);
        tls.tokens.push_back(token);
        tls.all = tls.all || token == "all";
        const auto names = expand(token);
        named.insert(names.begin(), names.end());
        if (names.empty() && token != "all") {
            tls.unknown.push_back(token);
        }
        if (token == "rc" || token == "rc_x" || token == "dc") {
            tls.auxiliary.insert("ud_mlx5");
        }
    }
    if (tls.deny) {
        for (const auto& name : literals()) {
            if (named.count(name) == 0) {
                tls.transports.insert(name);
            }
        }
    } else {
        tls.transports = named;
    }
    return tls;
}

model::UcxNetDevices ucx_net_devices(const std::string& text) {
    model::UcxNetDevices list;
    list.text = text;
    list.all = text == "all";
    list.deny = !text.empty() && text.front() == '^';
    list.ranges = contains(text, "[");
    if (list.all) {
        return list;
    }
    for (const auto part : split(std::string_view(text).substr(list.deny ? 1 : 0), ',')) {
        model::UcxNetDevice entry;
        const auto words = split(part, ':');
        entry.text = part;
        entry.device = words.front();
        if (words.size() > 1) {
            entry.port = static_cast<int>(parse_unsigned(words[1]).value_or(0));
        }
        list.entries.push_back(entry);
    }
    return list;
}

FakePod& FakePod::env(const std::string& name, const std::string& value) {
    seen.environment->values[name] = value;
    if (name == "UCX_TLS") {
        seen.environment->tls = ucx_tls(value);
    } else if (name == "UCX_NET_DEVICES") {
        seen.environment->net_devices = ucx_net_devices(value);
    }
    return *this;
}

FakePod& FakePod::env_source(model::EnvSource source) {
    seen.environment->source = source;
    return *this;
}

FakePod& FakePod::arguments(std::vector<std::string> words) {
    worker.spec.arguments = std::move(words);
    return *this;
}

FakePod& FakePod::each_port(const std::function<void(model::Port&)>& change) {
    return each_device([&](model::RdmaDevice& device) {
        for (auto& one : device.ports) {
            change(one);
        }
    });
}

FakePod& FakePod::each_device(const std::function<void(model::RdmaDevice&)>& change) {
    on_devices(seen, change);
    return *this;
}

FakePod& FakePod::each_gpu(const std::function<void(model::GpuFabric&)>& change) {
    for (auto& gpu : *seen.fabric) {
        change(gpu);
    }
    return *this;
}

FakePod& FakePod::no_devices() {
    seen.verbs_nodes = std::vector<model::DeviceNode>{};
    seen.ibv_devinfo = std::vector<model::RdmaDevice>{};
    seen.engine->open_devices = std::vector<std::string>{};
    return *this;
}

FakePod& FakePod::nodes_closed() {
    for (auto& node : *seen.verbs_nodes) {
        node.openable = false;
    }
    seen.engine->open_devices = std::vector<std::string>{};
    return *this;
}

FakePod& FakePod::libraries(const std::vector<std::string>& paths) {
    std::vector<model::MappedLibrary> mapped;
    for (const auto& path : paths) {
        mapped.push_back({path});
    }
    seen.engine->libraries = mapped;
    return *this;
}

FakePod& FakePod::unseen_exec(SkipReason reason) {
    for (const auto& blindfold : blindfolds()) {
        blindfold.put_on(seen);
    }
    seen.exec = Unseen{reason, "the runtime's words"};
    return *this;
}

FakePod& FakePod::change(const std::function<void(FakePod&)>& change) {
    change(*this);
    return *this;
}

FakePod infiniband_pod(Role role, std::string name, std::string node) {
    auto pod = base_pod(role, std::move(name), std::move(node));
    add_devices(pod, "mlx5_{}", "mlx5_core");
    return pod;
}

FakePod roce_pod(Role role, std::string name, std::string node) {
    auto pod = infiniband_pod(role, std::move(name), std::move(node));
    pod.seen.netdevs = std::vector<std::string>{"lo", "eth0", "net1"};
    return pod.each_port([](model::Port& one) {
        one.link_layer = model::LinkLayer::ethernet;
        one.lid = 0;
        one.pkeys = {0xffff};
        one.gids.clear();
        one.gids.push_back(
            {0, "fe80:0000:0000:0000:0ac0:ebff:fe11:2233", model::GidType::ib_or_roce_v1, "net1"});
        one.gids.push_back(
            {3, "0000:0000:0000:0000:0000:ffff:0a01:0203", model::GidType::roce_v2, "net1"});
    });
}

FakePod efa_pod(Role role, std::string name, std::string node) {
    auto pod = base_pod(role, std::move(name), std::move(node));
    add_devices(pod, "rdmap{}s27", "efa");
    pod.each_port([](model::Port& one) {
        one.link_layer = model::LinkLayer::unspecified;
        one.lid = 0;
        one.pkeys.clear();
    });
    pod.seen.peer_memory = model::PeerMemory{};
    pod.seen.peer_memory->efa_nv_peermem = true;
    pod.arguments({"--kv-transfer-config",
                   R"({"kv_connector":"NixlConnector",)"
                   R"("kv_connector_extra_config":{"backends":["LIBFABRIC"]}})"});
    pod.libraries({"/opt/nvidia/nvda_nixl/lib64/libnixl.so",
                   "/opt/nvidia/nvda_nixl/lib64/plugins/libplugin_LIBFABRIC.so",
                   "/opt/amazon/efa/lib/libfabric.so.1"});
    return pod.env("FI_PROVIDER", "efa").env("FI_EFA_USE_DEVICE_RDMA", "1");
}

FakePod gb200_pod(Role role, std::string name, std::string node) {
    auto pod = infiniband_pod(role, std::move(name), std::move(node));
    pod.no_devices();
    pod.seen.sysfs = std::vector<model::RdmaDevice>{};
    pod.seen.imex_channels = std::vector<std::string>{"channel0"};
    pod.each_gpu([](model::GpuFabric& gpu) {
        gpu.clique = 32766;
        gpu.cluster_uuid = "6f1c2a74-93be-4d05-8a1e-52c7d90b3e48";
        gpu.health = "Healthy";
    });
    return pod.env("UCX_TLS", "cuda_copy,cuda_ipc,tcp").env("UCX_CUDA_IPC_ENABLE_MNNVL", "y");
}

FakeCluster& FakeCluster::add(FakePod pod) {
    pod.seen.worker = inventory.workers.size();
    inventory.workers.push_back(std::move(pod.worker));
    observations.push_back(std::move(pod.seen));
    return *this;
}

FakeCluster& FakeCluster::left_out(Role role, model::NotProbedReason reason, std::string detail) {
    model::NotProbed pod;
    pod.ns = "dynamo";
    pod.pod = std::string(to_string(role)) + "-left-out";
    pod.container = "main";
    pod.reason = reason;
    pod.detail = std::move(detail);
    pod.role = role;
    pod.graph = "llama";
    inventory.not_probed.push_back(std::move(pod));
    return *this;
}

FakeCluster disagg(const std::function<FakePod(Role, std::string, std::string)>& make,
                   const std::function<void(FakePod&)>& change) {
    FakeCluster cluster;
    model::Graph graph;
    graph.ns = "dynamo";
    graph.name = "llama";
    graph.disagg = true;
    cluster.inventory.graphs.push_back(graph);
    for (const auto role : {Role::decode, Role::prefill}) {
        for (const std::string index : {"0", "1"}) {
            auto pod = make(role, std::string(to_string(role)) + "-" + index, "node-" + index);
            if (change) {
                change(pod);
            }
            cluster.add(std::move(pod));
        }
    }
    return cluster;
}

std::vector<Blindfold> blindfolds() {
    static const Unseen k_unseen{SkipReason::unreadable, "not readable"};
    using Seen = model::PodObservation;
    const auto on_engine = [](auto member) {
        return [member](Seen& seen) {
            if (seen.engine) {
                (*seen.engine).*member = k_unseen;
            }
        };
    };
    const auto on_pod = [](auto member) {
        return [member](Seen& seen) { seen.*member = k_unseen; };
    };
    return {{"sysfs", on_pod(&Seen::sysfs)},
            {"verbs_nodes", on_pod(&Seen::verbs_nodes)},
            {"ibstat", on_pod(&Seen::ibstat)},
            {"ibv_devinfo", on_pod(&Seen::ibv_devinfo)},
            {"netdevs", on_pod(&Seen::netdevs)},
            {"kernel", on_pod(&Seen::kernel)},
            {"driver", on_pod(&Seen::driver)},
            {"peer_memory", on_pod(&Seen::peer_memory)},
            {"gdrdrv", on_pod(&Seen::gdrdrv)},
            {"imex_channels", on_pod(&Seen::imex_channels)},
            {"engine.memlock", on_engine(&model::EngineProcess::memlock)},
            {"engine.libraries", on_engine(&model::EngineProcess::libraries)},
            {"engine.open_devices", on_engine(&model::EngineProcess::open_devices)},
            {"engine", on_pod(&Seen::engine)},
            {"environment", on_pod(&Seen::environment)},
            {"topology", on_pod(&Seen::topology)},
            {"nvlink", on_pod(&Seen::nvlink)},
            {"fabric", on_pod(&Seen::fabric)},
            {"ucx", on_pod(&Seen::ucx)},
            {"nixl_plugins", on_pod(&Seen::nixl_plugins)},
            {"nixl_version", on_pod(&Seen::nixl_version)},
            {"exec", on_pod(&Seen::exec)}};
}

} // namespace di::test
