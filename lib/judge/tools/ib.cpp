// RDMA device nodes, HCAs and ports, each by one tool's output.
#include "base/strings.hpp"
#include "judge/port_facts.hpp"
#include "judge/tools/tool_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace di::judge::tools {
namespace {

using model::GidType;
using model::LinkLayer;
using model::Port;
using model::PortState;
using model::RdmaDevice;
using model::SkipReason;
using model::Value;

std::string_view file_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

/// uverbs0, umad12: the kind and a number.
bool is_numbered(std::string_view name, std::string_view kind) {
    return name.starts_with(kind) && parse_unsigned(name.substr(kind.size())).has_value();
}

/// Names that the kernel and udev give to what lies in /dev/infiniband.
bool is_node(std::string_view name) {
    return is_numbered(name, "uverbs") || is_numbered(name, "umad") || is_numbered(name, "issm") ||
           is_numbered(name, "ucm") || name == "rdma_cm" || name.starts_with("by-") ||
           name == "." || name == "..";
}

std::size_t count_of(const std::vector<std::string_view>& names, std::string_view kind) {
    return static_cast<std::size_t>(std::count_if(
        names.begin(), names.end(), [&](auto name) { return is_numbered(name, kind); }));
}

std::vector<PortRef> those(const std::vector<PortRef>& ports, bool (*is)(const PortRef&)) {
    std::vector<PortRef> found;
    std::copy_if(ports.begin(), ports.end(), std::back_inserter(found), is);
    return found;
}

bool is_down(const PortRef& port) {
    return !is_active(*port.port) && port.port->state != PortState::unknown;
}

bool has_no_state(const PortRef& port) {
    return port.port->state == PortState::unknown;
}

bool on_software(const PortRef& port) {
    return is_software(*port.device);
}

bool on_iwarp(const PortRef& port) {
    return port.device->transport == "iWARP";
}

/// Active on InfiniBand without the address that the subnet manager assigns.
bool has_no_lid(const PortRef& port) {
    constexpr std::uint32_t k_unassigned = 65535;
    return port.port->link_layer == LinkLayer::infiniband &&
           (port.port->lid == 0U || port.port->lid == k_unassigned);
}

/// The GID types were shown, and RoCE v2 is not among them.
bool has_only_roce_v1(const PortRef& port) {
    const auto& gids = port.port->gids;
    const auto is_known = [](const auto& gid) { return gid.type != GidType::unknown; };
    const auto is_v2 = [](const auto& gid) { return gid.type == GidType::roce_v2; };
    return port.port->link_layer == LinkLayer::ethernet &&
           std::any_of(gids.begin(), gids.end(), is_known) &&
           std::none_of(gids.begin(), gids.end(), is_v2);
}

/// A RoCE port whose network interface is in another namespace has an empty GID table.
bool has_no_gid(const PortRef& port) {
    return port.port->link_layer == LinkLayer::ethernet && port.port->first_gid_empty &&
           port.port->gids.empty();
}

/// "0000:0000:0000:0000:0000:ffff:0a90:0415": an IPv4 address in a GID.
bool is_ipv4(std::string_view gid) {
    return gid.starts_with("0000:0000:0000:0000:0000:ffff:");
}

struct SlowPort {
    PortRef port;
    double peers_gbps = 0;
};

/// Active ports below the rate of their siblings: ports of the same card model and link layer.
std::vector<SlowPort> slow_ports(const std::vector<PortRef>& ports) {
    std::map<std::pair<std::string_view, LinkLayer>, double> fastest;
    const auto kind = [](const PortRef& port) {
        return std::pair(std::string_view(port.device->hca_type), port.port->link_layer);
    };
    for (const auto& port : ports) {
        auto& best = fastest[kind(port)];
        best = std::max(best, port.port->rate_gbps.value_or(0));
    }
    std::vector<SlowPort> slow;
    for (const auto& port : ports) {
        if (port.port->rate_gbps && *port.port->rate_gbps < fastest[kind(port)]) {
            slow.push_back({port, fastest[kind(port)]});
        }
    }
    return slow;
}

std::string fabric_of(const std::vector<PortRef>& ports) {
    const auto all = [&](auto is) { return std::all_of(ports.begin(), ports.end(), is); };
    const auto on = [](LinkLayer layer) {
        return [layer](const PortRef& port) { return port.port->link_layer == layer; };
    };
    return all(on_iwarp)                                                   ? "iwarp"
           : all([](const PortRef& port) { return is_efa(*port.device); }) ? "efa"
           : all(on(LinkLayer::infiniband))                                ? "ib"
           : all(on(LinkLayer::ethernet))                                  ? "roce"
                                                                           : "";
}

/// What is wrong with ports of which some are Active, worst first; empty when nothing is.
std::vector<std::string> troubles(const std::vector<PortRef>& ports, bool cut) {
    std::vector<std::string> found;
    const auto up = active_of(ports);
    const auto note = [&](const std::vector<PortRef>& which, std::string_view what) {
        if (!which.empty()) {
            found.push_back(fmt::format("{}: {}", what, join(ids_of(which), ", ")));
        }
    };
    if (const auto down = those(ports, is_down); !down.empty()) {
        found.push_back(fmt::format(
            "{} of {} ports not Active: {}", down.size(), ports.size(), why_not_active(down)));
    }
    for (const auto& slow : slow_ports(up)) {
        found.push_back(fmt::format("{} runs at {:g} Gb/s, its siblings at {:g}",
                                    slow.port.id(),
                                    *slow.port.port->rate_gbps,
                                    slow.peers_gbps));
    }
    note(those(up, on_software), "emulated in software");
    note(those(up, on_iwarp), "iWARP, which UCX does not use");
    note(those(up, has_no_gid), "no GID (network interface elsewhere)");
    note(those(up, has_only_roce_v1), "RoCE v1 only");
    note(those(up, has_no_lid), "no LID assigned");
    if (cut) {
        found.emplace_back("the output ends too early to tell of all ports");
    } else {
        note(those(ports, has_no_state), "no state shown");
    }
    return found;
}

Finding port_finding(const std::vector<RdmaDevice>& devices, const Ports& ports) {
    const bool cut =
        std::any_of(devices.begin(), devices.end(), [](const auto& device) { return device.cut; });
    const auto up = active_of(ports.used);
    if (devices.empty()) {
        return fail("no RDMA device is visible in this container");
    }
    if (those(ports.used, has_no_state).size() == ports.used.size()) {
        return skipped(cut ? SkipReason::truncated : SkipReason::unreadable,
                       cut ? "the output ends before the state of the first port"
                           : "no port shows its state");
    }
    if (up.empty()) {
        return cut ? warn("no port is Active as far as the output goes: " +
                          why_not_active(those(ports.used, is_down)))
                   : no_port_active(ports.used);
    }
    if (those(up, has_no_gid).size() == up.size()) {
        return fail("Active, but no port has a GID: the network interface is in another namespace");
    }
    const auto wrong = troubles(ports.used, cut);
    return wrong.empty() ? ok(counted(up.size(), "port") + " Active and LinkUp")
                         : warn(join(wrong, "; "));
}

std::vector<std::string> ipv4_gids(const std::vector<PortRef>& ports) {
    std::vector<std::string> found;
    for (const auto& port : ports) {
        for (const auto& gid : port.port->gids) {
            if (gid.type == GidType::roce_v2 && is_ipv4(gid.text)) {
                found.push_back(fmt::format("{}:{}", port.id(), gid.index));
            }
        }
    }
    return found;
}

Value slow_value(const std::vector<PortRef>& ports) {
    Value value = Value::array();
    for (const auto& slow : slow_ports(active_of(ports))) {
        value.push(Value::object()
                       .set("port", slow.port.id())
                       .set("rate_gbps", gbps_value(slow.port.port->rate_gbps))
                       .set("peers_gbps", gbps_value(slow.peers_gbps)));
    }
    return value;
}

} // namespace

Finding judge_device_nodes(const model::Listing& listing) {
    std::vector<std::string_view> names(listing.names.begin(), listing.names.end());
    std::transform(names.begin(), names.end(), names.begin(), file_name);
    if (!names.empty() && std::none_of(names.begin(), names.end(), is_node)) {
        const auto first = excerpt(listing.names.front(), 60);
        return skipped(SkipReason::unreadable, "not a listing of /dev/infiniband: " + first)
            .because("ls /dev/infiniband", first);
    }
    const auto uverbs = count_of(names, "uverbs");
    auto finding = uverbs > 0 ? ok(counted(uverbs, "uverbs node"))
                   : listing.exists
                       ? fail("no uverbs node in /dev/infiniband: nothing can open an RDMA device")
                       : fail("no /dev/infiniband in the container: no RDMA from this pod");
    return std::move(finding)
        .with("exists", listing.exists)
        .with("uverbs", uverbs)
        .with("umad", count_of(names, "umad"))
        .with("issm", count_of(names, "issm"))
        .with("rdma_cm", std::find(names.begin(), names.end(), "rdma_cm") != names.end())
        .because("ls /dev/infiniband", excerpt(join(listing.names, " "), 120));
}

Finding judge_hca_list(const model::HcaList& list) {
    auto finding =
        !list.names.empty() ? ok(counted(list.names.size(), "HCA") + " can be opened")
        : list.error.empty()
            ? fail("0 HCAs can be opened from this container")
            : fail(fmt::format("the kernel has no verbs interface here ({})", list.error));
    return std::move(finding)
        .with("hca_count", list.names.size())
        .with("hcas", list.names)
        .with("errno", list.error.empty() ? Value() : Value(list.error))
        .because("ibv_devinfo -l", excerpt(join(list.names, " "), 120));
}

Finding judge_ports(const std::vector<RdmaDevice>& devices) {
    const auto ports = select_ports(devices, {}, {});
    const auto fabric = ports.used.empty() ? std::string() : fabric_of(ports.used);
    auto all = ports.used;
    all.insert(all.end(), ports.ignored.begin(), ports.ignored.end());
    const auto gid0_zero =
        those(all, [](const PortRef& port) { return port.port->first_gid_empty; });
    return with_port_facts(ports, port_finding(devices, ports))
        .with("data_ports", ids_of(ports.used))
        .with("down", ids_of(those(ports.used, is_down)))
        .with("slow", slow_value(ports.used))
        .with("fabric", fabric.empty() ? Value() : Value(fabric))
        .with("rocev2_ipv4_gids", ipv4_gids(all))
        .with("gid0_zero", ids_of(gid0_zero));
}

} // namespace di::judge::tools
