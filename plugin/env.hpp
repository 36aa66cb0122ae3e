// The transport environment that manifests ask for, judged by the rules for running workers.
#pragma once

#include "cli/invocation.hpp"
#include "deps.hpp"

namespace di::app {

/// `env PATH...`: needs no cluster. 0, 1 or 3 as the report says; 2 when a path does not exist (the
/// others are judged all the same), 4 when nothing was found to judge.
int run_env(const cli::Invocation& invocation, const Deps& deps);

} // namespace di::app
