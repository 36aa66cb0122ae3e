// Looking at one worker's rows.
#pragma once

#include "judge/evaluate.hpp"
#include "support/observations.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace di::test {

/// The rows of one worker, judged in a disaggregated graph.
inline std::vector<model::Check> rows_of(const FakePod& pod) {
    FakeCluster cluster;
    cluster.add(pod);
    return judge::evaluate(cluster.inventory, cluster.observations, {}).checks;
}

/// The row with that code; an empty one (skipped, no code) when there is none.
inline model::Check row(const std::vector<model::Check>& rows, std::string_view code) {
    for (const auto& check : rows) {
        if (check.code == code) {
            return check;
        }
    }
    return {};
}

inline model::Check row_of(const FakePod& pod, std::string_view code) {
    return row(rows_of(pod), code);
}

} // namespace di::test
