// InfiniBand partitions: which P_Keys the ports in use hold.
#include "base/strings.hpp"
#include "judge/catalogue/ib.hpp"
#include "judge/hcas.hpp"
#include "judge/partitions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::judge {

std::optional<std::uint16_t> parse_pkey(std::string_view text) {
    const auto word = trim(text);
    const auto value = parse_unsigned(word);
    const bool usable = value && to_lower(word.substr(0, 2)) == "0x" && *value <= k_partition_mask;
    return usable ? std::optional(static_cast<std::uint16_t>(*value)) : std::nullopt;
}

std::string pkey_text(std::uint16_t pkey) {
    return fmt::format("{:#06x}", pkey);
}

} // namespace di::judge

namespace di::judge::ib {
namespace {

constexpr std::string_view k_variable = "UCX_IB_PKEY";

/// Active InfiniBand ports that KV may use.
std::vector<PortRef> infiniband_ports(const PodView& view) {
    auto ports = select_ports(*port_source(view.seen), view.seen, view.path).used;
    std::erase_if(ports, [](const PortRef& port) {
        return port.port->link_layer != model::LinkLayer::infiniband || !is_active(*port.port);
    });
    return ports;
}

bool holds(const PortRef& port, std::uint16_t partition) {
    return std::any_of(port.port->pkeys.begin(), port.port->pkeys.end(), [&](std::uint16_t pkey) {
        return (pkey & k_partition_mask) == partition;
    });
}

bool is_full_member(const PortRef& port) {
    return std::any_of(port.port->pkeys.begin(), port.port->pkeys.end(), [](std::uint16_t pkey) {
        return (pkey & k_full_member) != 0;
    });
}

std::string keys_of(const PortRef& port) {
    std::vector<std::string> texts;
    for (const auto pkey : port.port->pkeys) {
        texts.push_back(pkey_text(pkey));
    }
    return join(texts, " ");
}

Finding pinned_finding(const std::vector<PortRef>& ports, std::uint16_t partition) {
    const auto missing = std::find_if(
        ports.begin(), ports.end(), [&](const PortRef& port) { return !holds(port, partition); });
    const auto text = fmt::format("{}={}", k_variable, pkey_text(partition));
    if (missing != ports.end()) {
        return fail(fmt::format("{} is not in the table of {}", text, missing->id()))
            .because("pkeys", keys_of(*missing));
    }
    return ok(fmt::format("{} is in the table of each port", text))
        .because("pkeys", keys_of(ports.front()));
}

} // namespace

std::optional<std::string> unless_partitioned(const PodView& view) {
    if (auto why = unless_network(view)) {
        return why;
    }
    if (port_source(view.seen) && infiniband_ports(view).empty()) {
        return "no Active InfiniBand port is in use";
    }
    return std::nullopt;
}

Finding judge_partition(const PodView& view) {
    const auto ports = infiniband_ports(view);
    const auto unread = std::find_if(
        ports.begin(), ports.end(), [](const PortRef& port) { return port.port->pkeys.empty(); });
    if (unread != ports.end()) {
        return skipped(model::SkipReason::unreadable,
                       "the partition keys of " + unread->id() + " are not shown");
    }
    const auto* pinned = setting(view.worker, view.seen, k_variable);
    if (pinned != nullptr && to_lower(trim(*pinned)) != "auto") {
        const auto partition = parse_pkey(*pinned);
        return partition
                   ? pinned_finding(ports, *partition)
                   : fail(fmt::format("{}={} is no partition (0x0 to 0x7fff): UCX gives up the "
                                      "RDMA device",
                                      k_variable,
                                      *pinned));
    }
    const auto limited = std::find_if(
        ports.begin(), ports.end(), [](const PortRef& port) { return !is_full_member(port); });
    if (limited != ports.end()) {
        return warn(fmt::format("{} is a limited member only ({}): it cannot talk to other limited "
                                "members",
                                limited->id(),
                                keys_of(*limited)))
            .because("pkeys", keys_of(*limited));
    }
    return ok("full member of " + keys_of(ports.front())).because("pkeys", keys_of(ports.front()));
}

} // namespace di::judge::ib
