// argv -> Invocation. Pure.
#pragma once

#include "base/result.hpp"
#include "cli/invocation.hpp"

#include <span>
#include <string>

namespace di::cli {

/// `arguments` without the program's name. Errors are ErrorKind::usage and name the flag, the value
/// and what would be accepted.
Result<Invocation> parse(std::span<const std::string> arguments);

} // namespace di::cli
