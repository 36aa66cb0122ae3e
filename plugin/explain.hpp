// What a finding means: the catalogues of discover and judge, for reading.
#pragma once

#include "cli/invocation.hpp"
#include "deps.hpp"

namespace di::app {

int run_explain(const cli::Invocation& invocation, const Deps& deps);

} // namespace di::app
