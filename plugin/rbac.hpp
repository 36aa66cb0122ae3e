// `rbac`: the least-privilege role, and whether the present user has it.
#pragma once

#include "cli/invocation.hpp"
#include "deps.hpp"

namespace di::app {

/// Prints Role and RoleBinding; needs no cluster. With --check asks the API server instead: exit 0
/// when all that is required is granted, 1 when something is not, 3 when it could not be told.
int run_rbac(const cli::Invocation& invocation, const Deps& deps);

} // namespace di::app
