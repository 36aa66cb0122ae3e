#include "parse/verbs_words.hpp"

#include "base/strings.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::LinkLayer;
using model::PhysState;
using model::PortState;

/// More ports than any adapter has: a hostile count must not fill the memory.
constexpr std::size_t k_most_ports = 8;

/// The enumerator between 1 and `last` that the model spells like this; 0 is "unknown".
template<class Enum> Enum by_spelling(std::string_view word, Enum last) {
    for (int value = 1; value <= static_cast<int>(last); ++value) {
        if (to_string(static_cast<Enum>(value)) == word) {
            return static_cast<Enum>(value);
        }
    }
    return Enum{};
}

/// The enumerator whose number stands in the parentheses at the end.
template<class Enum> Enum by_number(std::string_view text, Enum last) {
    const auto open = text.rfind('(');
    if (open == std::string_view::npos || !text.ends_with(')')) {
        return Enum{};
    }
    const auto number = parse_unsigned(text.substr(open + 1, text.size() - open - 2));
    return number && *number <= static_cast<std::uint64_t>(last) ? static_cast<Enum>(*number)
                                                                 : Enum{};
}

} // namespace

PortState port_state(std::string_view word) {
    return by_spelling(word, PortState::active_defer);
}

PhysState phys_state(std::string_view word) {
    return by_spelling(word, PhysState::phy_test);
}

LinkLayer link_layer(std::string_view word) {
    return by_spelling(word, LinkLayer::unspecified);
}

PortState numbered_port_state(std::string_view text) {
    return by_number(text, PortState::active_defer);
}

PhysState numbered_phys_state(std::string_view text) {
    return by_number(text, PhysState::phy_test);
}

std::optional<std::uint32_t> lid(std::string_view text) {
    const auto number = parse_unsigned(text);
    return number && *number <= UINT32_MAX ? std::optional(static_cast<std::uint32_t>(*number))
                                           : std::nullopt;
}

void mark_cut(model::RdmaDevice& device, std::size_t declared_ports) {
    const bool last_port_whole =
        !device.ports.empty() && device.ports.back().link_layer != LinkLayer::unknown;
    device.cut = device.cut || !last_port_whole || device.ports.size() < declared_ports;
    while (device.ports.size() < std::min(declared_ports, k_most_ports)) {
        model::Port unseen;
        unseen.number = device.ports.empty() ? 1 : (device.ports.back().number + 1) & 0xFF;
        device.ports.push_back(unseen);
    }
}

} // namespace di::parse
