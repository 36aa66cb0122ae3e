// Help texts, made from the command and flag tables.
#pragma once

#include "cli/invocation.hpp"

#include <string>
#include <string_view>

namespace di::cli {

/// How the user starts us: "kubectl dynamo-interconnect" when kubectl would, else the binary's
/// name.
std::string program_name(std::string_view argv0);

/// For Command::help the overview, else one command with its flags.
std::string help_text(Command about, std::string_view program);

/// The README's flag table, in Markdown.
std::string flag_table_markdown();

} // namespace di::cli
