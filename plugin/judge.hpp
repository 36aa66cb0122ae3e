// Judging what was captured earlier: one tool's output, or whole pods. No cluster, no kubeconfig.
#pragma once

#include "cli/invocation.hpp"
#include "deps.hpp"

namespace di::app {

/// `judge PROBE`: prints a report of one row. Exit 0 ok, warn or not-applicable, 1 fail, 3
/// otherwise skipped, 2 for a file that cannot be read.
int run_judge(const cli::Invocation& invocation, const Deps& deps);

/// `judge --pods DIR`: prints a report of each pod and of the pairs. Exit codes as above.
int run_judge_pods(const cli::Invocation& invocation, const Deps& deps);

} // namespace di::app
