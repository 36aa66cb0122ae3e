// Words that ibstat and ibv_devinfo print for the numbers of the InfiniBand specification.
#pragma once

#include "model/observation.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace di::parse {

/// "Active", "Initializing", ...; anything else is unknown.
model::PortState port_state(std::string_view word);

/// "LinkUp", "Polling", ...; anything else is unknown.
model::PhysState phys_state(std::string_view word);

/// "InfiniBand", "Ethernet", "Unspecified"; anything else is unknown.
model::LinkLayer link_layer(std::string_view word);

/// "PORT_ACTIVE (4)": by the number, since the words differ between versions.
model::PortState numbered_port_state(std::string_view text);

/// "LINK_UP (5)", likewise.
model::PhysState numbered_phys_state(std::string_view text);

/// A local identifier, decimal or hexadecimal. 0 and 65535 mean that none was assigned.
std::optional<std::uint32_t> lid(std::string_view text);

/// Marks the device the output ended in: a port without its last line, or fewer ports than
/// declared. Ports that were announced and not shown are added in state unknown.
void mark_cut(model::RdmaDevice& device, std::size_t declared_ports);

} // namespace di::parse
