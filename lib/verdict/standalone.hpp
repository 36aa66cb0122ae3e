// The verdict of rows that were judged without a cluster: one tool's, or those of captured pods.
#pragma once

#include "model/report.hpp"

#include <vector>

namespace di::verdict {

/// How many rows of each status.
model::Counts count_rows(const std::vector<model::Check>& checks);

/// Of one row: its status is the state. Exit 1 fail, 3 skipped, else 0 (also not-applicable).
model::Verdict verdict_of_row(const model::Check& check);

/// Of captured pods: the worst of their roll-ups (rows named `pod`) and of their pairs. A set
/// without pairs is judged by its pods. Exit codes as above.
model::Verdict verdict_of_pods(const std::vector<model::Check>& checks,
                               const std::vector<model::Pair>& pairs);

} // namespace di::verdict
