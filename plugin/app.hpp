// One run from argv to exit code.
#pragma once

#include "deps.hpp"

#include <span>
#include <string>

namespace di::app {

/// The process's exit code (0, 1, 2, 3, 4, 5, 70 or 130); never throws for what the user or the
/// cluster did.
int run(std::span<const std::string> arguments, const Deps& deps);

} // namespace di::app
