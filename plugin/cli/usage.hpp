// Errors of a command line that is wrong.
#pragma once

#include "base/error.hpp"
#include "cli/commands.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace di::cli {

inline Error usage(std::string what, std::string cause = "", std::string hint = "") {
    return {ErrorKind::usage, std::move(what), "", std::move(cause), std::move(hint)};
}

inline std::string help_hint(const CommandInfo& command) {
    return fmt::format("kubectl dynamo-interconnect {} --help", command.name);
}

} // namespace di::cli
