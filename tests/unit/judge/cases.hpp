// What each rule says of which worker: one table, split by area.
#pragma once

#include "support/observations.hpp"

#include <functional>
#include <string>
#include <vector>

namespace di::test {

struct RuleCase {
    std::string code;
    std::string what; ///< a sentence about the worker
    model::Status status;
    FakePod pod;
    std::string says = {}; ///< must be part of the detail
};

std::vector<RuleCase> engine_cases();
std::vector<RuleCase> ib_cases();
std::vector<RuleCase> gpu_cases();
std::vector<RuleCase> ucx_env_cases();
std::vector<RuleCase> env_cases();

/// Tables one behind the other.
template<class Row> std::vector<Row> joined(const std::vector<std::vector<Row>>& tables) {
    std::vector<Row> all;
    for (const auto& table : tables) {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

/// Why a fact could not be seen, in tests.
inline model::Unseen unseen(model::SkipReason reason = model::SkipReason::unreadable) {
    return {reason, "not readable"};
}

} // namespace di::test
