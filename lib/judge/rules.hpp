// The catalogue of findings: what each code means, and why it matters to KV transfer.
#pragma once

#include "model/finding.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace di::judge {

enum class Weight : std::uint8_t {
    deciding,
    advisory,           ///< shown and counted, moves no verdict
    deciding_on_nvlink, ///< advisory unless the KV path rests on NVLink; a fail always decides
};

/// One rule as `explain` shows it. Codes are stable and never reused.
struct RuleInfo {
    std::string_view code; ///< "IB-002"
    std::string_view name; ///< the row's name: "ib-sysfs"
    /// What a deciding row speaks for. A deciding rule with `none` has a veto but no vote: its warn
    /// and fail count, its ok proves too little to decide anything.
    model::Capability capability;
    Weight weight;
    std::string_view title;
    std::string_view meaning; ///< what is looked at, and when it is good or bad
    std::string_view why;     ///< what it does to KV transfer
    std::string_view fix;     ///< what to change
    std::string_view source;  ///< where the fact can be looked up
};

/// All rules: those about pods, about pairs, and about one tool's output; in the order of rows.
std::span<const RuleInfo* const> catalogue();

/// What a row of that rule offers to type, with NAMESPACE, POD, GRAPH and so on for real names.
std::vector<std::string> typical_next(const RuleInfo& info);

/// The rule with that code in any letter case, or nullptr.
const RuleInfo* find_rule(std::string_view code);

} // namespace di::judge
