// The main job: from a connection to a printed report.
#pragma once

#include "cli/invocation.hpp"
#include "deps.hpp"

namespace di::app {

/// Probes every worker and prints the report; the exit code is the report's.
int run_check(const cli::Invocation& invocation, const Deps& deps);

/// Prints what run_check would run, and runs nothing.
int run_plan(const cli::Invocation& invocation, const Deps& deps);

} // namespace di::app
