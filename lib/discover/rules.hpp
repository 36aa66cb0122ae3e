// The rules that API objects alone decide. Codes are stable and never reused.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace di::discover {

struct Rule {
    std::string_view code;
    std::string_view name;  ///< `name` of its rows
    std::string_view title; ///< one line, as `explain` shows it
    bool advisory = false;  ///< its rows never move the verdict
};

enum class RuleId : std::uint8_t {
    discovery,
    pod_state,
    generation,
    replicas,
    role,
    dgd_status,
    rdma_resource,
};

inline constexpr std::array<Rule, 7> k_rules = {{
    {"POD-001", "discovery", "A prefill and a decode pod run in one generation of the graph"},
    {"POD-002", "pod-state", "A worker that cannot be entered was not seen"},
    {"POD-003", "generation", "All workers of a graph are of one generation"},
    {"POD-004", "replicas", "As many workers run as the DynamoGraphDeployment asks for"},
    {"POD-005", "role", "Roles are declared, not guessed from names", true},
    {"POD-006", "dgd-status", "The operator reports the DynamoGraphDeployment as ready"},
    {"POD-007", "rdma-resource", "The engine's container asks for an RDMA device", true},
}};

constexpr const Rule& rule(RuleId id) {
    return k_rules[static_cast<std::size_t>(id)];
}

} // namespace di::discover
