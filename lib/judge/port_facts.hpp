// Ports as rows show them, and why a port is not Active; shared by the live rules and by those that
// judge one tool's output.
#pragma once

#include "judge/hcas.hpp"
#include "judge/pod_rule.hpp"

#include <optional>
#include <string>
#include <vector>

namespace di::judge {

/// Those that are Active and LinkUp.
std::vector<PortRef> active_of(const std::vector<PortRef>& ports);

std::vector<std::string> ids_of(const std::vector<PortRef>& ports); ///< "mlx5_0:1", ...

/// Gb/s; whole rates as integers, so that 400 is not printed as 400.0.
model::Value gbps_value(const std::optional<double>& rate);

/// Adds the facts `ports` (what the tool did not show is null), `active` and `ignored`, and the
/// states of the used ports as evidence.
Finding with_port_facts(const Ports& ports, Finding finding);

/// InfiniBand, the cable is fine, and nobody has configured the port.
bool waits_for_subnet_manager(const PortRef& port);

/// The failure of ports of which none is Active, with its cause.
Finding no_port_active(const std::vector<PortRef>& ports);

/// What keeps those ports down that are not Active, each cause with its count.
std::string why_not_active(const std::vector<PortRef>& ports);

} // namespace di::judge
