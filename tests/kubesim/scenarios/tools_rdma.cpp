// Formats of rdma-core's ibv_devinfo and ibstat, and of openucx's ucx_info (1.20).
#include "base/strings.hpp"
#include "kubesim/scenarios/hca.hpp"
#include "kubesim/scenarios/tools.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim::scenarios {
namespace {

/// libibverbs lists a device only when its node is in /dev/infiniband.
std::vector<Hca> openable(const Host& host, std::string_view seed) {
    auto devices = hcas(host, seed);
    devices.erase(
        std::remove_if(devices.begin(), devices.end(), [](const Hca& hca) { return !hca.granted; }),
        devices.end());
    return devices;
}

/// "4: ACTIVE" as ibv_devinfo and as ibstat say it.
struct PortWords {
    std::string verbs;
    std::string ibstat;
};

PortWords words_of(std::string_view state) {
    const char number = state.empty() ? '0' : state[0];
    switch (number) {
    case '4':
        return {"PORT_ACTIVE (4)", "Active"};
    case '3':
        return {"PORT_ARMED (3)", "Armed"};
    case '2':
        return {"PORT_INIT (2)", "Initializing"};
    default:
        return {"PORT_DOWN (1)", "Down"};
    }
}

std::string colons(const std::string& guid) {
    return fmt::format(
        "{}:{}:{}:{}", guid.substr(0, 4), guid.substr(4, 4), guid.substr(8, 4), guid.substr(12));
}

std::string device_info(const Hca& hca, const Rdma& rdma) {
    const bool efa = rdma.fabric == Fabric::efa;
    return fmt::format("hca_id:\t{name}\n"
                       "\ttransport:\t\t\t{transport}\n"
                       "\tfw_ver:\t\t\t\t{firmware}\n"
                       "\tnode_guid:\t\t\t{guid}\n"
                       "\tsys_image_guid:\t\t\t{guid}\n"
                       "\tvendor_id:\t\t\t{vendor}\n"
                       "\tvendor_part_id:\t\t\t{part}\n"
                       "\thw_ver:\t\t\t\t{version}\n"
                       "{board}"
                       "\tphys_port_cnt:\t\t\t1\n"
                       "\t\tport:\t1\n"
                       "\t\t\tstate:\t\t\t{state}\n"
                       "\t\t\tmax_mtu:\t\t4096 (5)\n"
                       "\t\t\tactive_mtu:\t\t{mtu}\n"
                       "\t\t\tsm_lid:\t\t\t{sm_lid}\n"
                       "\t\t\tport_lid:\t\t{lid}\n"
                       "\t\t\tport_lmc:\t\t{lmc}\n"
                       "\t\t\tlink_layer:\t\t{layer}\n\n",
                       fmt::arg("name", hca.name),
                       fmt::arg("transport", efa ? "unspecified (4)" : "InfiniBand (0)"),
                       fmt::arg("firmware", efa ? "0.0.0.0" : "28.43.2566"),
                       fmt::arg("guid", colons(hca.guid)),
                       fmt::arg("vendor", efa ? "0x1d0f" : "0x02c9"),
                       fmt::arg("part", efa ? "61345" : "4129"),
                       fmt::arg("version", efa ? "0xEFA1" : "0x0"),
                       fmt::arg("board", efa ? "" : "\tboard_id:\t\t\tMT_0000000838\n"),
                       fmt::arg("state", words_of(rdma.state).verbs),
                       fmt::arg("mtu", efa ? "1024 (3)" : "4096 (5)"),
                       fmt::arg("sm_lid", hca.sm_lid),
                       fmt::arg("lid", hca.lid),
                       fmt::arg("lmc", efa ? "0x01" : "0x00"),
                       fmt::arg("layer", link_layer(rdma.fabric)));
}

std::string ibstat_device(const Hca& hca, const Rdma& rdma) {
    return fmt::format(
        "CA '{}'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tFirmware version: 28.43.2566\n"
        "\tHardware version: 0\n\tNode GUID: 0x{guid}\n\tSystem image GUID: 0x{guid}\n\tPort 1:\n"
        "\t\tState: {}\n\t\tPhysical state: {}\n\t\tRate: {}\n\t\tBase lid: {}\n\t\tLMC: 0\n"
        "\t\tSM lid: {}\n\t\tCapability mask: 0xa751e848\n\t\tPort GUID: 0x{guid}\n\t\tLink layer: "
        "{}\n",
        hca.name,
        words_of(rdma.state).ibstat,
        rdma.phys_state.substr(rdma.phys_state.find(' ') + 1),
        rdma.rate.substr(0, rdma.rate.find(' ')),
        hca.lid,
        hca.sm_lid,
        link_layer(rdma.fabric),
        fmt::arg("guid", hca.guid));
}

std::string domain(std::string_view name,
                   std::string_view component,
                   std::string_view registration,
                   std::string_view memory) {
    return fmt::format("#\n# Memory domain: {}\n#     Component: {}\n#             register: {}\n"
                       "#         memory types: {}\n#\n",
                       name,
                       component,
                       registration,
                       memory);
}

std::string transport(std::string_view name,
                      std::string_view device,
                      std::string_view type,
                      std::string_view rate) {
    return fmt::format("#      Transport: {}\n#         Device: {}\n#           Type: {}\n#  "
                       "System device: <unknown>\n#\n"
                       "#      capabilities:\n#            bandwidth: {} MB/sec\n#              "
                       "latency: 600 nsec\n"
                       "#           connection: to iface\n#      device priority: 0\n#       error "
                       "handling: peer failure, ep_check\n#\n",
                       name,
                       device,
                       type,
                       rate);
}

} // namespace

std::string ibv_devinfo_list(const Host& host, std::string_view seed) {
    const auto devices = openable(host, seed);
    std::string text =
        fmt::format("{} HCA{} found:\n", devices.size(), devices.size() == 1 ? "" : "s");
    for (const Hca& hca : devices) {
        text += "\t" + hca.name + "\n";
    }
    return text + "\n";
}

std::string ibv_devinfo(const Host& host, std::string_view seed) {
    std::string text;
    for (const Hca& hca : openable(host, seed)) {
        text += device_info(hca, host.rdma);
    }
    return text;
}

std::string ibstat(const Host& host, std::string_view seed) {
    std::string text;
    for (const Hca& hca : hcas(host, seed)) {
        text += ibstat_device(hca, host.rdma);
    }
    return text;
}

std::string ucx_info_version() {
    return "# Library version: 1.20.0\n"
           "# Library path: /usr/local/ucx/lib/libucs.so.0\n"
           "# API headers version: 1.20.0\n"
           "# Git branch 'v1.20.x', revision 0f2b1c4\n"
           "# Configured with: --prefix=/usr/local/ucx --enable-shared --disable-static "
           "--disable-doxygen-doc "
           "--enable-optimizations --enable-cma --enable-devel-headers --with-cuda=/usr/local/cuda "
           "--with-verbs "
           "--with-efa --with-dm --with-gdrcopy=/usr/local --enable-mt\n";
}

std::string ucx_info_devices(const Component& component, std::string_view seed) {
    const Host& host = component.host;
    std::string text =
        domain("self", "self", "unlimited, cost: 0 nsec", "host (access,reg_nonblock,reg,cache)") +
        transport("self", "memory", "loopback", "0.00/ppn + 19360.00") +
        domain("tcp", "tcp", "unlimited, cost: 0 nsec", "host (access,reg_nonblock,reg,cache)") +
        transport("tcp", "eth0", "network", "1129.60/ppn + 0.00") +
        domain("cuda_cpy",
               "cuda_cpy",
               "unlimited, cost: 0 nsec",
               "host (reg), cuda (access,alloc,reg,detect,dmabuf)") +
        transport("cuda_copy", "cuda", "accelerator", "10000.00/ppn + 0.00") +
        domain("cuda_ipc", "cuda_ipc", "unlimited, cost: 0 nsec", "cuda (access,reg,cache)") +
        transport("cuda_ipc", "cuda", "intra-node", "300000.00/ppn + 0.00");
    if (host.rdma.fabric == Fabric::efa) {
        return text;
    }
    for (const Hca& hca : openable(host, seed)) {
        // A port that is not ACTIVE has no transport; its memory domain is there all the same.
        text += domain(hca.name,
                       "ib",
                       "unlimited, dmabuf, cost: 16000 + 0.060 * N nsec",
                       "host (access,reg,cache), cuda (access,reg,cache)");
        if (host.rdma.state != "4: ACTIVE") {
            text += "#   < no supported devices found >\n#\n";
            continue;
        }
        for (const char* name : {"dc_mlx5", "rc_verbs", "rc_mlx5", "ud_verbs", "ud_mlx5"}) {
            text += transport(name, hca.name + ":1", "network", "47203.49/ppn + 0.00");
        }
    }
    return text;
}

} // namespace di::kubesim::scenarios
