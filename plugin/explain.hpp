// What a finding means: the catalogues of discover and judge, for reading.
#pragma once

#include "base/result.hpp"
#include "cli/invocation.hpp"
#include "deps.hpp"

#include <string_view>

namespace di::app {

/// ErrorKind::usage, with the nearest code, when no finding has that one.
Outcome require_code(std::string_view code);

int run_explain(const cli::Invocation& invocation, const Deps& deps);

} // namespace di::app
