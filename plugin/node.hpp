// The probe and the rules on the machine they are started on: a GPU node, or a shell inside a pod.
#pragma once

#include "cli/invocation.hpp"
#include "deps.hpp"

namespace di::app {

/// `node --local`: needs no cluster and no kubeconfig. Prints the report; the exit code is the
/// report's.
int run_node_local(const cli::Invocation& invocation, const Deps& deps);

} // namespace di::app
