#include "tool_cases.hpp"

#include <fmt/format.h>

namespace di::test {
namespace {

using model::Status;

struct IbstatPort {
    std::string device;
    std::string state = "Active";
    std::string phys = "LinkUp";
    int rate = 400;
    std::string layer = "InfiniBand";
    std::string type = "MT4129";
    int lid = 17;
};

std::string ibstat(const std::vector<IbstatPort>& ports) {
    std::string text;
    for (const auto& port : ports) {
        text += fmt::format("CA '{}'\n\tCA type: {}\n\tNumber of ports: 1\n\tPort 1:\n"
                            "\t\tState: {}\n\t\tPhysical state: {}\n\t\tRate: {}\n"
                            "\t\tBase lid: {}\n\t\tSM lid: 1\n\t\tLink layer: {}\n",
                            port.device,
                            port.type,
                            port.state,
                            port.phys,
                            port.rate,
                            port.lid,
                            port.layer);
    }
    return text;
}

/// A port of ibv_devinfo.
std::string device(const std::string& name,
                   const std::string& state,
                   const std::string& layer,
                   const std::string& transport = "InfiniBand (0)",
                   const std::string& vendor = "0x02c9") {
    return fmt::format("hca_id:\t{}\n\ttransport:\t\t\t{}\n\tvendor_id:\t\t\t{}\n"
                       "\tvendor_part_id:\t\t\t4129\n\tphys_port_cnt:\t\t\t1\n\t\tport:\t1\n"
                       "\t\t\tstate:\t\t\t{}\n\t\t\tactive_mtu:\t\t4096 (5)\n"
                       "\t\t\tsm_lid:\t\t\t1\n\t\t\tport_lid:\t\t5\n\t\t\tlink_layer:\t\t{}\n\n",
                       name,
                       transport,
                       vendor,
                       state,
                       layer);
}

/// Files of one port in sysfs, as `grep -H .` prints them.
std::string sysfs(const std::string& name,
                  const std::string& state,
                  const std::string& phys,
                  const std::string& layer,
                  const std::string& more = "") {
    const auto port = "/sys/class/infiniband/" + name + "/ports/1/";
    std::string text = port + "state:" + state + "\n" + port + "phys_state:" + phys + "\n" + port +
                       "rate:400 Gb/sec (4X NDR)\n" + port + "link_layer:" + layer + "\n";
    return more.empty() ? text : text + port + more + "\n";
}

std::vector<IbstatPort> rails(std::size_t count, const std::string& layer) {
    std::vector<IbstatPort> ports;
    for (std::size_t i = 0; i < count; ++i) {
        ports.push_back({fmt::format("mlx5_{}", i)});
        ports.back().layer = layer;
    }
    return ports;
}

std::vector<IbstatPort> plus(std::vector<IbstatPort> ports, IbstatPort more) {
    ports.push_back(std::move(more));
    return ports;
}

std::vector<ToolCase> ibstat_cases() {
    const auto ib = rails(4, "InfiniBand");
    const auto roce = rails(4, "Ethernet");
    const auto whole = ibstat(ib);
    return {
        {"ib-link", "four rails", Status::ok, whole, "4 ports"},
        {"ib-link", "no final newline", Status::ok, whole.substr(0, whole.size() - 1)},
        {"ib-link",
         "Armed is not Active",
         Status::fail,
         ibstat({{"mlx5_0", "Armed"}, {"mlx5_1", "Armed"}}),
         "subnet manager"},
        {"ib-link", "ActiveDefer is not Active", Status::fail, ibstat({{"mlx5_0", "ActiveDefer"}})},
        {"ib-link",
         "Active in name while the link recovers from errors",
         Status::fail,
         ibstat({{"mlx5_0", "Active", "LinkErrorRecovery"}})},
        {"ib-link",
         "one rail without subnet manager",
         Status::warn,
         ibstat(plus(ib, {"mlx5_9", "Initializing"})),
         "1 of 5"},
        {"ib-link",
         "one dead RoCE rail among many",
         Status::warn,
         ibstat(plus(roce, {"mlx5_9", "Down", "Disabled", 40, "Ethernet"}))},
        {"ib-link",
         "management ports of another card beside RoCE rails",
         Status::ok,
         ibstat(plus(roce, {"mlx5_9", "Down", "Disabled", 40, "Ethernet", "MT4117"}))},
        {"ib-link",
         "an InfiniBand storage card that is slower by design",
         Status::ok,
         ibstat(plus(ib, {"mlx5_9", "Active", "LinkUp", 100, "InfiniBand", "MT4115"}))},
        {"ib-link",
         "Active without a LID",
         Status::warn,
         ibstat({{"mlx5_bond_0", "Active", "LinkUp", 400, "InfiniBand", "MT4129", 0}}),
         "no LID"},
        {"ib-link",
         "software RoCE alone",
         Status::warn,
         ibstat({{"rxe0", "Active", "LinkUp", 2, "Ethernet", ""}}),
         "software"},
        {"ib-link",
         "software RoCE beside real HCAs",
         Status::ok,
         ibstat(plus(ib, {"rxe0", "Down", "Disabled", 2, "Ethernet", ""}))},
        {"ib-link",
         "cut after the second device",
         Status::warn,
         ibstat({{"mlx5_0"}, {"mlx5_1"}}) + "CA 'mlx5_2'\n\tCA type: MT4129\n\tNumber of po",
         "ends too early"},
        {"ib-link",
         "no RDMA in the kernel, in the words of libibumad",
         Status::fail,
         "",
         "no RDMA device",
         "ibpanic: [7] main: can't list IB device names: (No such file or directory)\n",
         255},
        {"ib-link", "cut before the first port", Status::skipped, "CA 'mlx5_0'\n\tCA type: MT41"},
        {"ib-link",
         "kubectl remarks on stderr",
         Status::ok,
         whole,
         "",
         "Defaulted container \"main\" out of: main, sidecar\n"},
    };
}

std::vector<ToolCase> devinfo_cases() {
    const auto active = device("mlx5_0", "PORT_ACTIVE (4)", "InfiniBand");
    return {
        {"ibv-devinfo", "one active port", Status::ok, active},
        {"ibv-devinfo",
         "other words, same number",
         Status::ok,
         device("mlx5_0", "active (4)", "InfiniBand")},
        {"ibv-devinfo",
         "PORT_ARMED",
         Status::fail,
         device("mlx5_0", "PORT_ARMED (3)", "InfiniBand")},
        {"ibv-devinfo",
         "PORT_ACTIVE_DEFER",
         Status::fail,
         device("mlx5_0", "PORT_ACTIVE_DEFER (5)", "InfiniBand")},
        {"ibv-devinfo",
         "one of two down",
         Status::warn,
         active + device("mlx5_1", "PORT_DOWN (1)", "InfiniBand")},
        {"ibv-devinfo",
         "iWARP",
         Status::warn,
         device("irdma0", "PORT_ACTIVE (4)", "Ethernet", "iWARP (1)", "0x8086"),
         "iWARP"},
        {"ibv-devinfo",
         "software RoCE by its vendor",
         Status::warn,
         device("rocep1s0", "PORT_ACTIVE (4)", "Ethernet", "InfiniBand (0)", "0xffffff"),
         "software"},
        {"ibv-devinfo",
         "Broadcom RoCE",
         Status::ok,
         device("bnxt_re0", "PORT_ACTIVE (4)", "Ethernet", "InfiniBand (0)", "0x14e4")},
        {"ibv-devinfo",
         "the provider cannot be loaded",
         Status::fail,
         "",
         "",
         "libibverbs: Warning: couldn't load driver 'libmlx5-rdmav34.so'\nNo IB devices found\n"
         "command terminated with exit code 255\n",
         255},
        {"ibv-devinfo",
         "cut inside the second device",
         Status::warn,
         active + "hca_id:\tmlx5_1\n\ttransport:\t\t\tInfiniBand (0)\n\tphys_port_cnt:\t\t\t1\n"},
        {"ibv-devinfo", "another tool's text", Status::skipped, "CA 'mlx5_0'\n\tCA type: MT4129\n"},
        {"ibv-devinfo-list", "two HCAs", Status::ok, "2 HCAs found:\n\tmlx5_0\n\tmlx5_1\n\n"},
        {"ibv-devinfo-list",
         "no provider in the image",
         Status::fail,
         "0 HCAs found:\n\n",
         "0 HCAs",
         "libibverbs: Warning: no userspace device-specific driver found for "
         "/sys/class/infiniband_verbs/uverbs0\n"},
        {"ibv-devinfo-list", "cut before the names", Status::skipped, "8 HCAs found:\n"},
    };
}

std::vector<ToolCase> sysfs_cases() {
    return {
        {"ib-sysfs", "Active", Status::ok, sysfs("mlx5_0", "4: ACTIVE", "5: LinkUp", "InfiniBand")},
        {"ib-sysfs",
         "ACTIVE_DEFER",
         Status::fail,
         sysfs("mlx5_0", "5: ACTIVE_DEFER", "5: LinkUp", "InfiniBand")},
        {"ib-sysfs",
         "RoCE v1 only",
         Status::warn,
         sysfs("mlx5_0",
               "4: ACTIVE",
               "5: LinkUp",
               "Ethernet",
               "gids/0:fe80:0000:0000:0000:a288:c2ff:fe45:1a30\n"
               "/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/0:IB/RoCE v1"),
         "RoCE v1"},
        {"ib-sysfs",
         "an Active RoCE port whose interface is elsewhere",
         Status::fail,
         sysfs("mlx5_0",
               "4: ACTIVE",
               "5: LinkUp",
               "Ethernet",
               "gids/0:0000:0000:0000:0000:0000:0000:0000:0000"),
         "namespace"},
        {"ib-sysfs",
         "EFA",
         Status::ok,
         sysfs("rdmap79s0", "4: ACTIVE", "5: LinkUp", "Unspecified")},
        {"ib-sysfs",
         "relative paths",
         Status::ok,
         "mlx5_0/ports/1/state:4: ACTIVE\nmlx5_0/ports/1/phys_state:5: LinkUp\n"
         "mlx5_0/ports/1/link_layer:InfiniBand\n"},
        {"ib-sysfs",
         "no port shows its state",
         Status::skipped,
         "/sys/class/infiniband/mlx5_0/ports/1/rate:400 Gb/sec (4X NDR)\n"},
        {"ib-sysfs",
         "no RDMA in the kernel",
         Status::fail,
         "",
         "",
         "grep: /sys/class/infiniband/*/ports/*/state: No such file or directory\n",
         2},
    };
}

std::vector<ToolCase> node_cases() {
    return {
        {"ib-devices", "two nodes", Status::ok, "rdma_cm\nuverbs0\nuverbs1\n", "2 uverbs"},
        {"ib-devices",
         "the long form",
         Status::ok,
         "total 0\ncrw-rw-rw- 1 root root 231, 192 Oct  7 09:41 uverbs0\n",
         "1 uverbs"},
        {"ib-devices", "paths, by a pattern", Status::ok, "/dev/infiniband/uverbs0\n"},
        {"ib-devices", "an empty directory", Status::fail, ""},
        {"ib-devices", "an empty directory, the long form", Status::fail, "total 0\n"},
        {"ib-devices", "links of udev and no node", Status::fail, "by-ibdev\nby-path\nrdma_cm\n"},
        {"ib-devices",
         "a look-alike name",
         Status::skipped,
         "uverbs0.bak\nmy-uverbs\n",
         "not a listing"},
        {"ib-devices",
         "German",
         Status::skipped,
         "",
         "",
         "ls: Zugriff auf '/dev/infiniband' nicht möglich: Datei oder Verzeichnis nicht gefunden\n",
         2},
    };
}

} // namespace

std::vector<ToolCase> device_cases() {
    auto cases = ibstat_cases();
    for (const auto& more : {devinfo_cases(), sysfs_cases(), node_cases()}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return cases;
}

} // namespace di::test
