// Linux ABI: Documentation/ABI/stable/sysfs-class-infiniband and testing/sysfs-bus-pci.
#include "kubesim/scenarios/hca.hpp"
#include "kubesim/scenarios/root.hpp"
#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

namespace di::kubesim::scenarios {
namespace {

constexpr int k_gid_slots = 16;
constexpr int k_pkey_slots = 4;
constexpr const char* k_empty_gid = "0000:0000:0000:0000:0000:0000:0000:0000";

/// Tables of a port. The kernel answers EINVAL for the attributes of an empty GID slot, and for the
/// netdev of a slot that has none here; a file that is not there is the closest to it.
void add_tables(Tree& tree, const std::string& port, const Hca& hca, const Rdma& rdma) {
    for (std::size_t i = 0; i < k_gid_slots; ++i) {
        const bool used = i < hca.gids.size();
        tree.line(fmt::format("{}/gids/{}", port, i), used ? hca.gids[i].text : k_empty_gid);
        if (used) {
            tree.line(fmt::format("{}/gid_attrs/types/{}", port, i), hca.gids[i].type);
        }
        if (used && !hca.gids[i].netdev.empty()) {
            tree.line(fmt::format("{}/gid_attrs/ndevs/{}", port, i), hca.gids[i].netdev);
        }
    }
    tree.folder(port + "/gid_attrs/ndevs");
    for (std::size_t i = 0; i < k_pkey_slots; ++i) {
        tree.line(fmt::format("{}/pkeys/{}", port, i),
                  i < rdma.pkeys.size() ? rdma.pkeys[i] : "0x0000");
    }
}

void add_port(Tree& tree, const std::string& port, const Hca& hca, const Rdma& rdma) {
    tree.line(port + "/state", rdma.state);
    tree.line(port + "/phys_state", rdma.phys_state);
    tree.line(port + "/rate", rdma.rate);
    tree.line(port + "/link_layer", link_layer(rdma.fabric));
    tree.line(port + "/lid", fmt::format("0x{:x}", hca.lid));
    tree.line(port + "/lid_mask_count", "0");
    tree.line(port + "/sm_lid", fmt::format("0x{:x}", hca.sm_lid));
    tree.line(port + "/sm_sl", "0");
    tree.line(port + "/cap_mask", rdma.fabric == Fabric::infiniband ? "0xa751e848" : "0x00010000");
    add_tables(tree, port, hca, rdma);
    // In words of four bytes, and of the whole node.
    const std::uint64_t words =
        rdma.state == "4: ACTIVE" ? hash(hca.guid + hca.name) % 900'000'000'000 : 0;
    if (rdma.fabric == Fabric::efa) {
        tree.line(port + "/hw_counters/tx_bytes", std::to_string(words));
        tree.line(port + "/hw_counters/rx_bytes", std::to_string(words / 3));
        tree.line(port + "/hw_counters/rdma_read_bytes", std::to_string(words / 2));
        return;
    }
    tree.line(port + "/counters/port_xmit_data", std::to_string(words));
    tree.line(port + "/counters/port_rcv_data", std::to_string(words / 3));
    tree.line(port + "/counters/port_xmit_wait", "0");
    tree.line(port + "/counters/symbol_error", "0");
    tree.line(port + "/counters/link_downed", "0");
    tree.line(port + "/counters/link_error_recovery", "0");
}

/// /sys/bus/pci/devices/<address> and the device's folder, which is returned (without "sys/").
std::string
add_pci(Tree& tree, const PciPlace& place, const std::string& driver, const std::string& id) {
    std::string device = fmt::format("devices/{}/{}", place.bridge, place.address);
    tree.file("sys/" + device + "/uevent",
              fmt::format("DRIVER={}\nPCI_CLASS=20700\nPCI_ID={}\nPCI_SLOT_NAME={}\n",
                          driver,
                          id,
                          place.address));
    tree.line("sys/" + device + "/numa_node", std::to_string(place.numa));
    std::string up = "../../..";
    for (const char c : place.bridge) {
        up += c == '/' ? "/.." : "";
    }
    tree.link("sys/" + device + "/driver", up + "/bus/pci/drivers/" + driver);
    tree.folder("sys/bus/pci/drivers/" + driver);
    tree.link("sys/bus/pci/devices/" + place.address, "../../../" + device);
    return device;
}

void add_hca(Tree& tree, const Hca& hca, const Host& host) {
    const bool efa = host.rdma.fabric == Fabric::efa;
    const std::string pci = add_pci(tree, hca.pci, hca.driver, efa ? "1D0F:EFA1" : "15B3:1021");
    const std::string device = fmt::format("{}/infiniband/{}", pci, hca.name);
    tree.link("sys/class/infiniband/" + hca.name, "../../" + device);
    tree.line("sys/" + device + "/node_type", efa ? "7: unspecified" : "1: CA");
    tree.line("sys/" + device + "/fw_ver", efa ? "0.0.0.0" : "28.43.2566");
    tree.line("sys/" + device + "/hca_type", efa ? "EFA" : "MT4129");
    tree.line("sys/" + device + "/node_guid",
              fmt::format("{}:{}:{}:{}",
                          hca.guid.substr(0, 4),
                          hca.guid.substr(4, 4),
                          hca.guid.substr(8, 4),
                          hca.guid.substr(12)));
    tree.link("sys/" + device + "/device", "../../../" + hca.pci.address);
    add_port(tree, "sys/" + device + "/ports/1", hca, host.rdma);

    const std::string verbs = fmt::format("{}/infiniband_verbs/{}", pci, hca.uverbs);
    tree.link("sys/class/infiniband_verbs/" + hca.uverbs, "../../" + verbs);
    tree.line("sys/" + verbs + "/ibdev", hca.name);
    tree.line("sys/" + verbs + "/abi_version", "1");
    tree.link("sys/" + verbs + "/device", "../../../" + hca.pci.address);
    if (hca.granted) {
        tree.file("dev/infiniband/" + hca.uverbs, "");
    }
}

void add_netdev(Tree& tree, const std::string& name, const std::string& address) {
    const std::string folder = "devices/virtual/net/" + name;
    tree.link("sys/class/net/" + name, "../../" + folder);
    tree.line("sys/" + folder + "/operstate", name == "lo" ? "unknown" : "up");
    tree.line("sys/" + folder + "/address", address);
    tree.line("sys/" + folder + "/mtu", name == "lo" ? "65536" : "9000");
}

std::string net_row(std::string_view name, std::uint64_t received, std::uint64_t sent) {
    return fmt::format("{:>6}: {:>7} {:>7}    0    0    0     0          0         0 {:>8} {:>7}   "
                       " 0    0    0     0       0          0\n",
                       name,
                       received,
                       received / 900,
                       sent,
                       sent / 900);
}

} // namespace

void add_rdma(Tree& tree, const Host& host, std::string_view seed) {
    std::string net =
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs "
        "drop fifo colls carrier compressed\n";
    add_netdev(tree, "lo", "00:00:00:00:00:00");
    add_netdev(tree, "eth0", "6a:1d:4e:00:00:" + hex(seed, 2));
    net += net_row("lo", 48211, 48211) + net_row("eth0", 918273645, 817263544);
    for (const Hca& hca : hcas(host, seed)) {
        add_hca(tree, hca, host);
        if (!hca.netdev.empty()) {
            add_netdev(tree, hca.netdev, "58:a2:e1:00:01:" + hex(hca.guid, 2));
            net += net_row(hca.netdev, 3100221, 2900112);
        }
    }
    tree.file("proc/net/dev", net);
    tree.line("sys/class/infiniband_verbs/abi_version", "6");
    if (host.rdma.granted > 0) {
        tree.file("dev/infiniband/rdma_cm", "");
    }
}

} // namespace di::kubesim::scenarios
