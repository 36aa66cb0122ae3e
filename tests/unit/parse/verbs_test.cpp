// ibstat and ibv_devinfo: two tools, the same facts.
#include "parse/ibstat.hpp"
#include "parse/ibv_devinfo.hpp"
#include "unit/parse/captured.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::parse {
namespace {

using model::RdmaDevice;
using model::SkipReason;
using Lines = std::vector<std::string>;

/// "mlx5_0:1 Active LinkUp 400 InfiniBand", one per port.
Lines ports(const std::vector<RdmaDevice>& devices) {
    Lines result;
    for (const auto& device : devices) {
        for (const auto& port : device.ports) {
            result.push_back(fmt::format("{}:{} {} {} {} {}",
                                         device.name,
                                         port.number,
                                         to_string(port.state),
                                         to_string(port.phys_state),
                                         port.rate_gbps ? fmt::format("{}", *port.rate_gbps) : "-",
                                         to_string(port.link_layer)));
        }
    }
    return result;
}

/// `count` ports of mlx5_<first>... that all look like `facts`.
Lines rails(int count, const std::string& facts) {
    Lines result;
    for (int i = 0; i < count; ++i) {
        result.push_back(fmt::format("mlx5_{}:1 {}", i, facts));
    }
    return result;
}

Lines replaced(Lines lines, std::size_t index, std::string line) {
    lines.at(index) = std::move(line);
    return lines;
}

struct PortsCase {
    std::string name;
    Lines expected;
};

TEST_CASE("ibstat: each port of the corpus is read as an expert reads it") {
    const std::string up = "Active LinkUp 400 InfiniBand";
    const auto& [name, expected] = GENERATE_COPY(values<PortsCase>({
        {"ibstat-all-polling", rails(4, "Down Polling 10 InfiniBand")},
        {"ibstat-empty-rc0", {}},
        {"ibstat-ib-disabled", rails(2, "Down Disabled 10 InfiniBand")},
        {"ibstat-initializing-no-sm", rails(4, "Initializing LinkUp 400 InfiniBand")},
        {"ibstat-one-at-half-rate",
         replaced(rails(8, up), 3, "mlx5_3:1 Active LinkUp 200 InfiniBand")},
        {"ibstat-one-rail-polling",
         replaced(rails(8, up), 6, "mlx5_6:1 Down Polling 10 InfiniBand")},
        {"ibstat-roce-dual-one-used",
         {"mlx5_0:1 Active LinkUp 100 Ethernet", "mlx5_1:1 Down Disabled 40 Ethernet"}},
        {"ibstat-vf-down-linkup", {"mlx5_7:1 Down LinkUp 200 InfiniBand"}},
        {"ibstat-dgx-h100-healthy",
         {"mlx5_0:1 " + up,
          "mlx5_1:1 Active LinkUp 200 Ethernet",
          "mlx5_10:1 " + up,
          "mlx5_11:1 " + up,
          "mlx5_2:1 Down Disabled 40 Ethernet",
          "mlx5_3:1 " + up,
          "mlx5_4:1 " + up,
          "mlx5_5:1 " + up,
          "mlx5_6:1 " + up,
          "mlx5_7:1 Active LinkUp 200 Ethernet",
          "mlx5_8:1 Down Disabled 40 Ethernet",
          "mlx5_9:1 " + up}},
    }));
    CAPTURE(name);
    const auto devices = parse_ibstat(captured(name).view());
    REQUIRE(devices);
    CHECK(ports(*devices) == expected);
    for (const auto& device : *devices) {
        CHECK_FALSE(device.cut);
    }
}

TEST_CASE("ibv_devinfo: each port of the corpus is read as an expert reads it") {
    const std::string roce = "Active unknown - Ethernet";
    const std::string efa = "Active unknown - Unspecified";
    const auto& [name, expected] = GENERATE_COPY(values<PortsCase>({
        {"dev-bonds-only", {"mlx5_bond_0:1 " + roce, "mlx5_bond_1:1 " + roce}},
        {"dev-efa-active",
         {"rdmap79s0:1 " + efa, "rdmap80s0:1 " + efa, "rdmap81s0:1 " + efa, "rdmap82s0:1 " + efa}},
        {"dev-ib-init", rails(2, "Initializing unknown - InfiniBand")},
        {"dev-none", {}},
        {"dev-roce-eight-active", rails(8, roce)},
    }));
    CAPTURE(name);
    const auto devices = parse_ibv_devinfo(captured(name).view());
    REQUIRE(devices);
    CHECK(ports(*devices) == expected);
}

TEST_CASE("ibv_devinfo -l: names, or the fact that there are none") {
    struct Case {
        Captured output;
        Lines names;
    };

    const auto& [output, names] = GENERATE(values<Case>({
        {captured("devl-zero-hcas"), {}},
        {captured("devl-enosys"), {}},
        {captured("devl-one-hca"), {"mlx5_17"}},
        {captured("devl-nine-with-bond"),
         {"mlx5_0",
          "mlx5_1",
          "mlx5_4",
          "mlx5_5",
          "mlx5_6",
          "mlx5_7",
          "mlx5_8",
          "mlx5_9",
          "mlx5_bond_0"}},
        {{"2 HCAs found:\r\n\tbnxt_re0\r\n\tirdma1\r\n\r\n", {}, 0}, {"bnxt_re0", "irdma1"}},
        {{"2 HCAs found:\n\tmlx4_0\n\tmlx5_1", {}, 0}, {"mlx4_0"}},
        {{"0 HCAs found:\n\n",
          "libibverbs: Warning: couldn't load driver 'libmlx5-rdmav34.so': cannot open shared "
          "object\n",
          0},
         {}},
        {failed(255, "No IB devices found"), {}},
    }));
    CAPTURE(output.out, output.err);
    const auto list = parse_ibv_devinfo_list(output.view());
    REQUIRE(list);
    CHECK(*list == names);
}

const std::string k_ibstat = "CA 'mlx4_0'\n"
                             "\tCA type: MT4103\n"
                             "\tNumber of ports: 2\n"
                             "\tFirmware version: 2.42.5000\n"
                             "\tPort 1:\n"
                             "\t\tState: Armed\n"
                             "\t\tPhysical state: LinkUp\n"
                             "\t\tRate: 40 (FDR10)\n"
                             "\t\tBase lid: 0x12\n"
                             "\t\tLMC: 0\n"
                             "\t\tSM lid: 3\n"
                             "\t\tPort GUID: 0x0002c90300a1b2c1\n"
                             "\t\tLink layer: InfiniBand\n"
                             "\tPort 2:\n"
                             "\t\tState: Active\n"
                             "\t\tPhysical state: LinkErrorRecovery\n"
                             "\t\tRate: 2.5\n"
                             "\t\tBase lid: 65535\n"
                             "\t\tSM lid: 0\n"
                             "\t\tLink layer: Ethernet\n"
                             "CA 'irdma0'\n"
                             "\tCA type: \n"
                             "\tNumber of ports: 1\n"
                             "\tPort 1:\n"
                             "\t\tState: ActiveDefer\n"
                             "\t\tPhysical state: <unknown>\n"
                             "\t\tRate: 100\n"
                             "\t\tLink layer: Ethernet\n";

const Lines k_ibstat_ports = {"mlx4_0:1 Armed LinkUp 40 InfiniBand",
                              "mlx4_0:2 Active LinkErrorRecovery 2.5 Ethernet",
                              "irdma0:1 ActiveDefer unknown 100 Ethernet"};

TEST_CASE("ibstat: several ports, old rates, hexadecimal lids, CR LF and no final newline") {
    const std::string out = GENERATE_COPY(as<std::string>(),
                                          k_ibstat,
                                          with_crlf(k_ibstat),
                                          k_ibstat.substr(0, k_ibstat.size() - 1),
                                          "\x1b[1m" + k_ibstat + "\x1b[0m");
    const auto devices = parse_ibstat(printed(out).view());
    REQUIRE(devices);
    CHECK(ports(*devices) == k_ibstat_ports);
    CHECK(devices->at(0).hca_type == "MT4103");
    CHECK(devices->at(0).ports.at(0).lid == 0x12);
    CHECK(devices->at(0).ports.at(0).sm_lid == 3);
    CHECK_FALSE(devices->back().cut);
}

const std::string k_devinfo = "hca_id:\tmlx5_0\n"
                              "\ttransport:\t\t\tInfiniBand (0)\n"
                              "\tfw_ver:\t\t\t\t28.43.2566\n"
                              "\tnode_guid:\t\t\t58a2:e103:007a:2cd0\n"
                              "\tvendor_id:\t\t\t0x02c9\n"
                              "\tvendor_part_id:\t\t\t4129\n"
                              "\thw_ver:\t\t\t\t0x0\n"
                              "\tphys_port_cnt:\t\t\t1\n"
                              "\tmax_mr_size:\t\t\t0xffffffffffffffff\n"
                              "\tdevice_cap_flags:\t\t0xe5721c36\n"
                              "\t\t\t\t\tBAD_PKEY_CNTR\n"
                              "\t\tport:\t1\n"
                              "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n"
                              "\t\t\tmax_mtu:\t\t4096 (5)\n"
                              "\t\t\tactive_mtu:\t\t4096 (5)\n"
                              "\t\t\tsm_lid:\t\t\t1\n"
                              "\t\t\tport_lid:\t\t17\n"
                              "\t\t\tport_lmc:\t\t0x00\n"
                              "\t\t\tlink_layer:\t\tInfiniBand\n"
                              "\t\t\tmax_msg_sz:\t\t0x40000000\n"
                              "\t\t\tactive_width:\t\t4X (2)\n"
                              "\t\t\tactive_speed:\t\t100.0 Gbps (128)\n"
                              "\t\t\tphys_state:\t\tLINK_UP (5)\n"
                              "\t\t\tGID[  0]:\t\tfe80:0000:0000:0000:58a2:e103:007a:2cd0\n"
                              "\n"
                              "hca_id:\tbnxt_re0\n"
                              "\ttransport:\t\t\tiWARP (1)\n"
                              "\tvendor_id:\t\t\t0x14e4\n"
                              "\tvendor_part_id:\t\t\t5968\n"
                              "\tphys_port_cnt:\t\t\t2\n"
                              "\t\tport:\t1\n"
                              "\t\t\tstate:\t\t\tPORT_DOWN (1)\n"
                              "\t\t\tactive_mtu:\t\t1024 (3)\n"
                              "\t\t\tlink_layer:\t\tEthernet\n"
                              "\t\tport:\t2\n"
                              "\t\t\tstate:\t\t\tPORT_ARMED (3)\n"
                              "\t\t\tlink_layer:\t\tEthernet\n"
                              "\n";

const Lines k_devinfo_ports = {"mlx5_0:1 Active LinkUp 400 InfiniBand",
                               "bnxt_re0:1 Down unknown - Ethernet",
                               "bnxt_re0:2 Armed unknown - Ethernet"};

TEST_CASE("ibv_devinfo -v: rates from width and speed, adapters of other vendors") {
    const std::string out = GENERATE_COPY(as<std::string>(), k_devinfo, with_crlf(k_devinfo));
    const auto devices = parse_ibv_devinfo(printed(out).view());
    REQUIRE(devices);
    CHECK(ports(*devices) == k_devinfo_ports);
    CHECK(devices->at(0).hca_type == "MT4129");
    CHECK(devices->at(0).transport == "InfiniBand");
    CHECK(devices->at(0).ports.at(0).active_mtu == 4096);
    CHECK(devices->at(0).ports.at(0).lid == 17);
    CHECK(devices->at(1).hca_type == "0x14e4:5968");
    CHECK(devices->at(1).transport == "iWARP");
}

TEST_CASE("ibv_devinfo: 32 EFA devices are 32 devices") {
    std::string out;
    for (int i = 0; i < 32; ++i) {
        out +=
            fmt::format("hca_id:\trdmap{}s0\n\ttransport:\t\t\tunspecified (4)\n"
                        "\tvendor_id:\t\t\t0x1d0f\n\tvendor_part_id:\t\t\t61345\n"
                        "\tphys_port_cnt:\t\t\t1\n\t\tport:\t1\n"
                        "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tlink_layer:\t\tUnspecified\n\n",
                        79 + i);
    }
    const auto devices = parse_ibv_devinfo(printed(out).view());
    REQUIRE(devices);
    CHECK(devices->size() == 32);
    CHECK(devices->back().name == "rdmap110s0");
    CHECK(devices->back().transport == "unspecified");
    CHECK(devices->back().hca_type == "0x1d0f:61345");
}

TEST_CASE("ibv_devinfo: devices that do not open are no devices, and one that opens is one") {
    const auto none = parse_ibv_devinfo(failed(255, "Failed to open device").view());
    REQUIRE(none);
    CHECK(none->empty());
    const auto enosys = parse_ibv_devinfo(
        failed(255, "Failed to get IB devices list: Function not implemented").view());
    REQUIRE(enosys);
    CHECK(enosys->empty());
    const auto some = parse_ibv_devinfo(failed(255, "Failed to open device", k_devinfo).view());
    REQUIRE(some);
    CHECK(some->size() == 2);
}

template<class T> bool same_or_unknown(const T& part, const T& whole) {
    return part == whole || part == T{};
}

bool is_part_of(const model::Port& part, const model::Port& whole) {
    return part.number == whole.number && same_or_unknown(part.state, whole.state) &&
           same_or_unknown(part.phys_state, whole.phys_state) &&
           same_or_unknown(part.link_layer, whole.link_layer) &&
           same_or_unknown(part.rate_gbps, whole.rate_gbps) && same_or_unknown(part.lid, whole.lid);
}

bool is_part_of(const RdmaDevice& part, const RdmaDevice& whole) {
    const bool whole_or_marked = part.cut || part.ports.size() == whole.ports.size();
    return same_or_unknown(part.name, whole.name) && whole_or_marked &&
           part.ports.size() <= whole.ports.size() &&
           std::equal(part.ports.begin(),
                      part.ports.end(),
                      whole.ports.begin(),
                      [](const auto& a, const auto& b) { return is_part_of(a, b); });
}

/// Nothing that a cut text yields may differ from the whole, except by being unknown; and a last
/// device that is not whole says so.
bool is_part_of(const std::vector<RdmaDevice>& part, const std::vector<RdmaDevice>& whole) {
    return part.size() <= whole.size() &&
           std::equal(part.begin(), part.end(), whole.begin(), [](const auto& a, const auto& b) {
               return is_part_of(a, b);
           });
}

TEST_CASE("ibstat and ibv_devinfo: cut anywhere, the text yields no more than the whole") {
    const auto ibstat = parse_ibstat(printed(k_ibstat).view());
    for_each_prefix(k_ibstat, [&](const Captured& cut) {
        if (const auto part = parse_ibstat(cut.view())) {
            CHECK(is_part_of(*part, *ibstat));
        }
    });
    const auto devinfo = parse_ibv_devinfo(printed(k_devinfo).view());
    for_each_prefix(k_devinfo, [&](const Captured& cut) {
        if (const auto part = parse_ibv_devinfo(cut.view())) {
            CHECK(is_part_of(*part, *devinfo));
        }
    });
}

TEST_CASE("ibstat: the device in which the output ended is marked, its unseen ports are unknown") {
    const auto end = k_ibstat.find("\t\tRate: 40") + 8; // "\t\tRate: "
    const auto devices = parse_ibstat(printed(k_ibstat.substr(0, end + 1)).view());
    REQUIRE(devices);
    REQUIRE(devices->size() == 1);
    CHECK(devices->at(0).cut);
    CHECK(ports(*devices) ==
          Lines{"mlx4_0:1 Armed LinkUp - unknown", "mlx4_0:2 unknown unknown - unknown"});
}

TEST_CASE("ibstat: a beginning of the next device's name marks the last device") {
    const std::string one = "CA 'a'\n\tNumber of ports: 1\n\tPort 1:\n\t\tState: Active\n"
                            "\t\tLink layer: InfiniBand\n";
    CHECK_FALSE(parse_ibstat(printed(one).view())->front().cut);
    CHECK(parse_ibstat(printed(one + "C").view())->front().cut);
}

TEST_CASE("ibstat and ibv_devinfo: foreign text and refusals are not facts") {
    struct Case {
        Captured output;
        SkipReason reason;
    };

    const auto& [output, reason] = GENERATE(values<Case>({
        {printed(k_foreign), SkipReason::unreadable},
        {failed(255, "ibpanic: [7] main: can't get UMAD CA list: (Invalid argument)"),
         SkipReason::unreadable},
        {failed(1, ""), SkipReason::unreadable},
        {failed(255, "Failed to get IB devices list: Permission denied"),
         SkipReason::no_permission},
        {failed(127, "sh: 1: ibstat: not found"), SkipReason::tool_missing},
    }));
    CAPTURE(output.err);
    const auto ibstat = parse_ibstat(output.view());
    REQUIRE(ibstat.unseen() != nullptr);
    CHECK(ibstat.unseen()->reason == reason);
    const auto devinfo = parse_ibv_devinfo(output.view());
    REQUIRE(devinfo.unseen() != nullptr);
    CHECK(devinfo.unseen()->reason == reason);
    CHECK(parse_ibv_devinfo_list(output.view()).unseen() != nullptr);
}

TEST_CASE("a hostile port count does not fill the memory") {
    const auto devices =
        parse_ibstat(printed("CA 'x'\n\tNumber of ports: 99999999999\n\tPort 1:\n").view());
    REQUIRE(devices);
    CHECK(devices->at(0).ports.size() <= 8);
}

TEST_CASE("ibv_devinfo -l: a list cut before its first name is no empty list") {
    const auto list = parse_ibv_devinfo_list(printed("8 HCAs found:\n\tmlx5").view());
    REQUIRE(list.unseen() != nullptr);
    CHECK(list.unseen()->reason == SkipReason::truncated);
}

} // namespace
} // namespace di::parse
