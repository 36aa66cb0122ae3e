// Scripts for `sh -c`, read as the shell reads them, without running anything.
//
// POSIX shell command language, sections 2.2 to 2.10: quoting, comments, parameter expansion with
// field splitting, assignments, redirections, here-documents, `if` and `case` over known values.
// A branch that may or may not be taken counts as run; loops as run once; command substitution and
// functions are not followed.
#pragma once

#include "model/inventory.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace di::discover {

/// What a script finds when it starts.
struct ShellContext {
    model::EnvMap variables;
    std::vector<std::string> unknown;    ///< set, but to values that nobody here knows
    std::vector<std::string> positional; ///< $1, $2, ...
};

/// One simple command: its words after expansion, and the variables exported to it. What cannot be
/// known stays in the words as it is written: `$MODE`, `$(nproc)`.
struct ShellCommand {
    std::vector<std::string> words;
    model::EnvMap env;
    std::vector<std::string> unknown; ///< exported, to values that nobody here knows
};

/// Commands in the order of the text; assignments and `export` show in what follows them. At most
/// 256 commands are read.
std::vector<ShellCommand> read_script(std::string_view script, const ShellContext& context);

} // namespace di::discover
