// What every list of RDMA devices promises, whoever read it.
#pragma once

#include "model/rdma.hpp"
#include "tool_input.hpp"

#include <cmath>
#include <set>

namespace di::fuzz {

inline void require_port(const model::Port& port) {
    using namespace model;
    require(port.number >= 0 && port.number <= 255, "a port number fits a byte");
    require(port.state <= PortState::active_defer, "the port state is one of the specification");
    require(port.phys_state <= PhysState::phy_test, "the physical state is one too");
    require(port.link_layer <= LinkLayer::unspecified, "the link layer is one of four");
    require(!port.rate_gbps || (std::isfinite(*port.rate_gbps) && *port.rate_gbps >= 0),
            "a rate is a number that is not negative");
    require(port.gids.size() <= 16, "at most the first 16 slots of the GID table");
    require(port.gids.empty() || port.gids_readable, "a GID was read from a readable table");
    std::set<int> slots;
    for (const auto& gid : port.gids) {
        require(gid.index >= 0 && gid.index <= 15, "a slot among the first 16");
        require(slots.insert(gid.index).second, "a slot comes once");
        require(gid.text.size() == 39, "a GID is eight groups of four");
        require(gid.type <= GidType::roce_v2, "the GID type is one of three");
    }
    const std::set<std::uint16_t> keys(port.pkeys.begin(), port.pkeys.end());
    require(keys.size() == port.pkeys.size() && !keys.contains(0), "each used P_Key once");
    require(!port.active_mtu || (*port.active_mtu >= 256 && *port.active_mtu <= 4096),
            "an MTU of the specification");
}

/// `most_unseen`: ports that a device announces and does not show are listed as unknown.
inline void require_devices(const std::vector<model::RdmaDevice>* devices,
                            std::string_view text,
                            std::size_t most_unseen) {
    if (devices == nullptr) {
        return;
    }
    require(devices->size() <= most_lines(text), "no more devices than lines");
    for (const auto& device : *devices) {
        require(device.ports.size() <= most_lines(text) + most_unseen, "no more ports than lines");
        require(!device.numa_node || *device.numa_node >= 0, "a NUMA node has a number");
        std::for_each(device.ports.begin(), device.ports.end(), require_port);
    }
}

} // namespace di::fuzz
