#include "judge/port_facts.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace di::judge {
namespace {

using model::LinkLayer;
using model::PhysState;
using model::PortState;
using model::Value;

/// The spelling, or null where the tool did not show it.
template<class Enum> Value word_or_null(Enum value) {
    return value == Enum::unknown ? Value() : Value(to_string(value));
}

Value describe(const PortRef& port) {
    return Value::object()
        .set("device", port.device->name)
        .set("port", port.port->number)
        .set("state", word_or_null(port.port->state))
        .set("phys_state", word_or_null(port.port->phys_state))
        .set("rate_gbps", gbps_value(port.port->rate_gbps))
        .set("link_layer", word_or_null(port.port->link_layer));
}

/// Announced by the tool, but its output ended before the port.
bool was_shown(const PortRef& port) {
    return port.port->state != PortState::unknown || port.port->link_layer != LinkLayer::unknown ||
           port.port->rate_gbps.has_value();
}

std::string cause_of(const PortRef& port) {
    const auto phys = port.port->phys_state;
    auto cause = std::string(to_string(port.port->state));
    if (phys != PhysState::unknown) {
        cause += fmt::format("/{}", to_string(phys));
    }
    if (waits_for_subnet_manager(port)) {
        cause += " (no subnet manager)";
    } else if (phys == PhysState::polling) {
        cause += " (no signal: cable or switch port)";
    } else if (phys == PhysState::disabled) {
        cause += " (port disabled)";
    }
    return cause;
}

} // namespace

std::vector<PortRef> active_of(const std::vector<PortRef>& ports) {
    std::vector<PortRef> result;
    std::copy_if(ports.begin(), ports.end(), std::back_inserter(result), [](const auto& port) {
        return is_active(*port.port);
    });
    return result;
}

std::vector<std::string> ids_of(const std::vector<PortRef>& ports) {
    std::vector<std::string> result;
    result.reserve(ports.size());
    for (const auto& port : ports) {
        result.push_back(port.id());
    }
    return result;
}

Value gbps_value(const std::optional<double>& rate) {
    if (!rate) {
        return nullptr;
    }
    const auto whole = static_cast<std::int64_t>(*rate);
    return static_cast<double>(whole) == *rate ? Value(whole) : Value(*rate);
}

Finding with_port_facts(const Ports& ports, Finding finding) {
    auto all = ports.used;
    all.insert(all.end(), ports.ignored.begin(), ports.ignored.end());
    Value described = Value::array();
    for (const auto& port : all) {
        if (was_shown(port)) {
            described.push(describe(port));
        }
    }
    std::string excerpt;
    for (const auto& port : ports.used) {
        excerpt += fmt::format("{}{} {}/{}",
                               excerpt.empty() ? "" : ", ",
                               port.id(),
                               to_string(port.port->state),
                               to_string(port.port->phys_state));
    }
    return std::move(finding)
        .with("ports", std::move(described))
        .with("active", ids_of(active_of(all)))
        .with("ignored", ids_of(ports.ignored))
        .because("ports", std::move(excerpt));
}

bool waits_for_subnet_manager(const PortRef& port) {
    return port.port->link_layer == LinkLayer::infiniband &&
           (port.port->state == PortState::initializing || port.port->state == PortState::armed) &&
           (port.port->phys_state == PhysState::link_up ||
            port.port->phys_state == PhysState::unknown);
}

Finding no_port_active(const std::vector<PortRef>& ports) {
    if (std::all_of(ports.begin(), ports.end(), waits_for_subnet_manager)) {
        return fail(fmt::format("{} LinkUp but {}: the cables are fine, no "
                                "subnet manager (SM) has configured the fabric",
                                ports.size() == 1
                                    ? "the InfiniBand port is"
                                    : fmt::format("all {} InfiniBand ports are", ports.size()),
                                to_string(ports.front().port->state)));
    }
    return fail(fmt::format("none of {} ports is Active: {}", ports.size(), why_not_active(ports)));
}

std::string why_not_active(const std::vector<PortRef>& ports) {
    std::vector<std::pair<std::string, int>> counted;
    for (const auto& port : ports) {
        if (is_active(*port.port)) {
            continue;
        }
        const auto cause = cause_of(port);
        const auto known = std::find_if(counted.begin(), counted.end(), [&](const auto& entry) {
            return entry.first == cause;
        });
        if (known == counted.end()) {
            counted.emplace_back(cause, 1);
        } else {
            ++known->second;
        }
    }
    std::vector<std::string> parts;
    parts.reserve(counted.size());
    for (const auto& [cause, count] : counted) {
        parts.push_back(fmt::format("{} {}", count, cause));
    }
    return join(parts, ", ");
}

} // namespace di::judge
