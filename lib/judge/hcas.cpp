#include "judge/hcas.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace di::judge {
namespace {

using model::LinkLayer;
using model::PodObservation;
using model::RdmaDevice;

constexpr std::string_view k_verbs_prefix = "/dev/infiniband/uverbs";

bool opens(const RdmaDevice& device,
           const PodObservation& seen,
           const std::vector<std::string>& nodes) {
    if (!seen.verbs_nodes && nodes.empty()) {
        return true; // not known: the row about devices says so
    }
    if (device.uverbs.empty()) {
        return !nodes.empty(); // not mapped to a node: any open one may be it
    }
    const auto path = "/dev/infiniband/" + device.uverbs;
    return std::find(nodes.begin(), nodes.end(), path) != nodes.end();
}

/// The engine's own list of devices, else UCX_NET_DEVICES.
class Listing {
public:
    Listing(const PodObservation& seen, const UsedPath& path)
        : devices_(path.devices) {
        const bool by_ucx = path.kind == PathKind::ucx || path.kind == PathKind::nvlink;
        if (by_ucx && seen.environment && seen.environment->net_devices &&
            !seen.environment->net_devices->all) {
            ucx_ = &*seen.environment->net_devices;
        }
    }

    [[nodiscard]] bool restricts() const { return ucx_ != nullptr || !devices_.empty(); }

    /// Is the port named by an allow list?
    [[nodiscard]] bool names(const PortRef& port) const {
        return (ucx_ == nullptr || !ucx_->deny) && admits(port) && restricts();
    }

    [[nodiscard]] bool admits(const PortRef& port) const {
        if (!devices_.empty()) {
            return std::find(devices_.begin(), devices_.end(), port.device->name) != devices_.end();
        }
        if (ucx_ == nullptr) {
            return true;
        }
        const bool listed =
            std::any_of(ucx_->entries.begin(), ucx_->entries.end(), [&](const auto& entry) {
                return entry.device == port.device->name &&
                       entry.port.value_or(port.port->number) == port.port->number;
            });
        return listed != ucx_->deny;
    }

private:
    const std::vector<std::string>& devices_;
    const model::UcxNetDevices* ucx_ = nullptr;
};

std::vector<PortRef> all_ports(const std::vector<RdmaDevice>& devices) {
    std::vector<PortRef> ports;
    for (const auto& device : devices) {
        for (const auto& port : device.ports) {
            ports.push_back({&device, &port});
        }
    }
    return ports;
}

/// Moves what does not satisfy `keep` to the ignored ones, unless nothing would be left.
template<class Keep> void narrow(Ports& ports, const Keep& keep) {
    if (std::none_of(ports.used.begin(), ports.used.end(), keep)) {
        return;
    }
    const auto dropped = std::stable_partition(ports.used.begin(), ports.used.end(), keep);
    ports.ignored.insert(ports.ignored.end(), dropped, ports.used.end());
    ports.used.erase(dropped, ports.used.end());
}

/// Ethernet ports that nobody meant to use. The second port of a RoCE card is often not cabled, and
/// the kernel shows no difference to a broken cable: both are Down and Disabled. Where most ports
/// of one kind of card are Active, though, the others should be.
std::set<const model::Port*> spare_ports(const std::vector<PortRef>& ports) {
    struct Kind {
        std::size_t active = 0;
        std::vector<const model::Port*> others;
    };

    std::map<std::string_view, Kind> kinds;
    for (const auto& port : ports) {
        auto& kind = kinds[port.device->hca_type];
        if (is_active(*port.port)) {
            ++kind.active;
        } else if (port.port->state == model::PortState::down) {
            kind.others.push_back(port.port);
        }
    }
    std::set<const model::Port*> spare;
    for (const auto& [name, kind] : kinds) {
        if (kind.others.size() >= kind.active) {
            spare.insert(kind.others.begin(), kind.others.end());
        }
    }
    return spare;
}

} // namespace

std::string PortRef::id() const {
    return fmt::format("{}:{}", device->name, port->number);
}

Ports select_ports(const std::vector<RdmaDevice>& devices,
                   const PodObservation& seen,
                   const UsedPath& path) {
    Ports ports{all_ports(devices), {}};
    const auto nodes = openable_nodes(seen);
    narrow(ports, [&](const PortRef& port) { return opens(*port.device, seen, nodes); });
    const Listing listing(seen, path);
    narrow(ports, [&](const PortRef& port) { return listing.admits(port); });
    const bool wants_efa = path.kind == PathKind::libfabric;
    narrow(ports, [&](const PortRef& port) { return is_efa(*port.device) == wants_efa; });
    narrow(ports, [](const PortRef& port) { return !is_software(*port.device); });
    narrow(ports, [&](const PortRef& port) {
        return listing.names(port) || port.port->link_layer == LinkLayer::infiniband;
    });
    const bool only_ethernet =
        std::all_of(ports.used.begin(), ports.used.end(), [](const PortRef& port) {
            return port.port->link_layer == LinkLayer::ethernet;
        });
    if (only_ethernet) {
        const auto spare = spare_ports(ports.used);
        narrow(ports, [&](const PortRef& port) {
            return listing.names(port) || spare.count(port.port) == 0;
        });
    }
    return ports;
}

const model::Seen<std::vector<RdmaDevice>>& port_source(const PodObservation& seen) {
    if (!seen.sysfs && seen.ibstat) {
        return seen.ibstat;
    }
    if (!seen.sysfs && seen.ibv_devinfo) {
        return seen.ibv_devinfo;
    }
    return seen.sysfs;
}

std::vector<std::string> openable_nodes(const PodObservation& seen) {
    std::vector<std::string> nodes;
    if (seen.verbs_nodes) {
        for (const auto& node : *seen.verbs_nodes) {
            if (node.openable) {
                nodes.push_back(node.path);
            }
        }
    }
    if (seen.engine && seen.engine->open_devices) {
        for (const auto& path : *seen.engine->open_devices) {
            if (std::string_view(path).substr(0, k_verbs_prefix.size()) == k_verbs_prefix) {
                nodes.push_back(path);
            }
        }
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

bool can_open(const RdmaDevice& device, const PodObservation& seen) {
    return opens(device, seen, openable_nodes(seen));
}

bool is_active(const model::Port& port) {
    return port.state == model::PortState::active &&
           (port.phys_state == model::PhysState::link_up ||
            port.phys_state == model::PhysState::unknown);
}

bool is_efa(const RdmaDevice& device) {
    const std::string_view name = device.name;
    return device.driver == "efa" ||
           (device.driver.empty() && (name.substr(0, 5) == "rdmap" || name.substr(0, 4) == "efa_"));
}

bool is_software(const RdmaDevice& device) {
    constexpr std::string_view k_soft_roce_vendor = "0xffffff:";
    const std::string_view name = device.name;
    return device.driver == "rdma_rxe" || device.driver == "siw" || name.starts_with("rxe") ||
           name.starts_with("siw") || device.hca_type.starts_with(k_soft_roce_vendor);
}

bool is_routable(const model::Gid& gid) {
    constexpr std::size_t k_gid_length = 39; // eight groups of four digits
    const auto group = parse_unsigned("0x" + gid.text.substr(0, 4));
    return gid.text.size() == k_gid_length && group && (*group & 0xffc0U) != 0xfe80U;
}

bool lives_in_pod(const model::Gid& gid, const PodObservation& seen) {
    if (!gid.netdev) {
        return false;
    }
    return !seen.netdevs || std::find(seen.netdevs->begin(), seen.netdevs->end(), *gid.netdev) !=
                                seen.netdevs->end();
}

std::string subnet_prefix(const model::Port& port) {
    for (const auto& gid : port.gids) {
        if (gid.index == 0) {
            return gid.text.substr(0, 19); // four groups of four digits and three colons
        }
    }
    return {};
}

} // namespace di::judge
