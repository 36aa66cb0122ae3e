#include "captured.hpp"
#include "parse/sysfs.hpp"

namespace di::parse {
namespace {

using model::GidType;
using model::LinkLayer;
using model::PhysState;
using model::Port;
using model::PortState;
using model::RdmaDevice;
using model::SkipReason;

const std::string k_zero_gid = "0000:0000:0000:0000:0000:0000:0000:0000";

std::vector<RdmaDevice> devices_of(const Captured& output) {
    const auto seen = parse_sysfs(output.view());
    REQUIRE(seen);
    return *seen;
}

Port only_port(const std::string& text) {
    const auto devices = devices_of(printed(text));
    REQUIRE(devices.size() == 1);
    REQUIRE(devices.front().ports.size() == 1);
    return devices.front().ports.front();
}

std::string port_line(const std::string& rest) {
    return "/sys/class/infiniband/mlx5_0/ports/1/" + rest;
}

/// Each value of the part is unknown or the whole's.
void check_says_no_more(const Port& part, const Port& whole) {
    CHECK((part.state == whole.state || part.state == PortState::unknown));
    CHECK((!part.lid || part.lid == whole.lid));
    CHECK((!part.sm_lid || part.sm_lid == whole.sm_lid));
    CHECK((!part.rate_gbps || part.rate_gbps == whole.rate_gbps));
    CHECK((part.pkeys.empty() || part.pkeys == whole.pkeys));
    CHECK(part.gids.size() <= whole.gids.size());
    for (const auto& gid : part.gids) {
        CHECK(gid.text == whole.gids[0].text);
        CHECK((!gid.netdev || gid.netdev == whole.gids[0].netdev));
    }
}

} // namespace

TEST_CASE("sysfs: every device of real files, with its words and numbers") {
    const auto devices = devices_of(captured("sysfs-gb200-four-rails"));
    REQUIRE(devices.size() == 6);
    CHECK(devices[0].name == "mlx5_0");
    CHECK(devices[0].ports[0].state == PortState::active);
    CHECK(devices[0].ports[0].link_layer == LinkLayer::infiniband);
    CHECK(devices[0].ports[0].rate_gbps == 400);
    CHECK(devices[3].ports[0].state == PortState::down);
    CHECK(devices[3].ports[0].phys_state == PhysState::disabled);
    CHECK(devices[3].ports[0].rate_gbps == 40);
    CHECK(devices[2].ports[0].link_layer == LinkLayer::ethernet);
    CHECK(devices_of(captured("sysfs-h100-ib-and-bond"))[4].name == "mlx5_bond_0");
}

TEST_CASE("sysfs: errors of single files do not spoil the rest") {
    const auto devices = devices_of(captured("sysfs-roce-gid-types"));
    REQUIRE(devices.size() == 1);
    const auto& port = devices[0].ports[0];
    CHECK(port.gids_readable);
    REQUIRE(port.gids.size() == 4);
    CHECK(port.gids[3].index == 3);
    CHECK(port.gids[3].type == GidType::roce_v2);
    CHECK(port.gids[3].text == "0000:0000:0000:0000:0000:ffff:0a90:0415");
    CHECK(port.gids[2].type == GidType::ib_or_roce_v1);
    CHECK(!port.gids[3].netdev);
}

TEST_CASE("sysfs: a table of zeros was readable and is empty") {
    const auto devices = devices_of(captured("sysfs-roce-netdev-in-other-netns"));
    REQUIRE(devices.size() == 2);
    CHECK(devices[0].ports[0].gids_readable);
    CHECK(devices[0].ports[0].gids.empty());
    CHECK(devices[0].ports[0].state == PortState::down);
}

TEST_CASE("sysfs: one value of one port") {
    struct Case {
        std::string line;
        bool (*holds)(const Port& port);
    };

    const auto c = GENERATE(values<Case>({
        {"state:4: ACTIVE", [](const Port& p) { return p.state == PortState::active; }},
        {"state:5: ACTIVE_DEFER", [](const Port& p) { return p.state == PortState::active_defer; }},
        {"state:2: INIT", [](const Port& p) { return p.state == PortState::initializing; }},
        {"state:0: NOP", [](const Port& p) { return p.state == PortState::unknown; }},
        {"state:9: ACTIVE", [](const Port& p) { return p.state == PortState::unknown; }},
        {"state:ACTIVE", [](const Port& p) { return p.state == PortState::unknown; }},
        {"phys_state:5: LinkUp", [](const Port& p) { return p.phys_state == PhysState::link_up; }},
        {"phys_state:2: Polling", [](const Port& p) { return p.phys_state == PhysState::polling; }},
        {"rate:2.5 Gb/sec (1X SDR)", [](const Port& p) { return p.rate_gbps == 2.5; }},
        {"rate:800 Gb/sec (4X XDR)", [](const Port& p) { return p.rate_gbps == 800; }},
        {"rate:fast", [](const Port& p) { return !p.rate_gbps; }},
        {"link_layer:InfiniBand",
         [](const Port& p) { return p.link_layer == LinkLayer::infiniband; }},
        {"link_layer:Unspecified",
         [](const Port& p) { return p.link_layer == LinkLayer::unspecified; }},
        {"link_layer:Infini", [](const Port& p) { return p.link_layer == LinkLayer::unknown; }},
        {"lid:0x1a", [](const Port& p) { return p.lid == 26U; }},
        {"sm_lid:0x1", [](const Port& p) { return p.sm_lid == 1U; }},
        {"lid:none", [](const Port& p) { return !p.lid; }},
        {"pkeys/0:0xffff",
         [](const Port& p) { return p.pkeys == std::vector<std::uint16_t>{65535}; }},
        {"pkeys/3:0x0000", [](const Port& p) { return p.pkeys.empty(); }},
        {"pkeys/0:0x12345", [](const Port& p) { return p.pkeys.empty(); }},
        {"gids/0:fe80::1", [](const Port& p) { return !p.gids_readable && p.gids.empty(); }},
        {"gids/16:fe80:0000:0000:0000:a288:c2ff:fe45:1a30",
         [](const Port& p) { return p.gids.empty(); }},
        {"gid_attrs/ndevs/0:eth2", [](const Port& p) { return p.gids.empty(); }}, // without a GID
        {"counters/port_xmit_data:12", [](const Port& p) { return !p.lid; }},
    }));
    CAPTURE(c.line);
    CHECK(c.holds(only_port(port_line(c.line) + "\n")));
    CHECK(c.holds(only_port(port_line(c.line) + "\r\n")));
}

TEST_CASE("sysfs: paths as grep, find and the probe script print them") {
    const auto* const before =
        GENERATE("/sys/class/infiniband/",
                 "./",
                 "",
                 "/sys/devices/pci0000:15/0000:15:01.0/0000:1a:00.0/infiniband/");
    CAPTURE(before);
    const std::string start = before;
    const auto devices = devices_of(printed(
        start + "mlx5_0/ports/1/state:4: ACTIVE\n" + start + "mlx5_0/ports/2/state:1: DOWN\n" +
        start + "mlx5_0/device/uevent:DRIVER=mlx5_core\n" + start +
        "mlx5_0/uevent:PCI_SLOT_NAME=0000:1a:00.0\n" + start + "mlx5_0/device/numa_node:1\n" +
        start + "rdmap79s0/device/numa_node:-1\n"));
    REQUIRE(devices.size() == 2);
    CHECK(devices[0].driver == "mlx5_core");
    CHECK(devices[0].pci == "0000:1a:00.0");
    CHECK(devices[0].numa_node == 1);
    REQUIRE(devices[0].ports.size() == 2);
    CHECK(devices[0].ports[1].number == 2);
    CHECK(!devices[1].numa_node);
}

TEST_CASE("sysfs: verbs nodes find their devices, and a name alone is a device") {
    const auto devices =
        devices_of(printed("+/sys/class/infiniband\n+mlx5_0\n+*\nuverbs3/ibdev:mlx5_0\n"
                           "/sys/class/infiniband_verbs/uverbs4/ibdev:mlx5_1\n+mlx5_1\n"));
    REQUIRE(devices.size() == 2);
    CHECK(devices[0].uverbs == "uverbs3");
    CHECK(devices[0].ports.empty());
    CHECK(devices[1].uverbs == "uverbs4");
}

TEST_CASE("sysfs: no device is a fact only when the kernel says so") {
    CHECK(devices_of(failed(2, "grep: /sys/class/infiniband: No such file or directory")).empty());
    CHECK(devices_of(
              failed(2, "grep: /sys/class/infiniband/*/ports/*/state: No such file or directory"))
              .empty());
    const auto reason = [](const Captured& output) {
        const auto seen = parse_sysfs(output.view());
        REQUIRE(!seen);
        return seen.unseen()->reason;
    };
    CHECK(reason(failed(127, "sh: 1: grep: not found")) == SkipReason::tool_missing);
    CHECK(reason(failed(2, "grep: /sys/class/infiniband: Permission denied")) ==
          SkipReason::no_permission);
    CHECK(reason(printed("")) == SkipReason::unreadable);
    CHECK(reason(printed(k_foreign)) == SkipReason::unreadable);
}

TEST_CASE("sysfs: cut text never says what the whole does not") {
    const auto whole_text =
        port_line("state:4: ACTIVE\n") + port_line("rate:400 Gb/sec (4X NDR)\n") +
        port_line("lid:0x12\n") + port_line("pkeys/0:0xffff\n") +
        port_line("gids/0:fe80:0000:0000:0000:a288:c2ff:fe45:1a30\n") +
        port_line("gids/1:" + k_zero_gid + "\n") + port_line("gid_attrs/types/0:RoCE v2\n") +
        port_line("gid_attrs/ndevs/0:eth21\n") + port_line("link_layer:InfiniBand\n") +
        port_line("sm_lid:0x21\n");
    const Port whole = only_port(whole_text);
    for_each_prefix(whole_text, [&](const Captured& prefix) {
        const auto seen = parse_sysfs(prefix.view());
        for (const auto& device : seen ? *seen : std::vector<RdmaDevice>{}) {
            CHECK(device.name == "mlx5_0");
            for (const auto& port : device.ports) {
                check_says_no_more(port, whole);
            }
        }
    });
}

TEST_CASE("sysfs: hostile text is bounded") {
    std::string flood;
    for (int i = 0; i < 5000; ++i) {
        flood += "x" + std::to_string(i) + "/ports/1/state:4: ACTIVE\n";
        flood += "x/ports/" + std::to_string(i) + "/gids/" + std::to_string(i) + ":zz\n";
    }
    CHECK(devices_of(printed(flood)).size() <= 512);
    for (const std::string text : {":",
                                   "/",
                                   "a/:",
                                   "//:::",
                                   "+",
                                   "+/",
                                   "/infiniband/",
                                   "a/ports/:1",
                                   "a/ports/1:2",
                                   "a/ports/99999999999999999999/state:4: ACTIVE",
                                   "a/ports/1/gids/:x",
                                   "uverbs",
                                   "uverbs0/ibdev:"}) {
        CAPTURE(text);
        static_cast<void>(parse_sysfs(printed(text).view()));
        static_cast<void>(parse_sysfs(printed(text + "\n").view()));
    }
}

} // namespace di::parse
