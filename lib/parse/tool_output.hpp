// What a tool printed, before anybody reads it.
#pragma once

#include "model/seen.hpp"

#include <optional>
#include <string_view>

namespace di::parse {

/// Text as captured, capped and hostile. `rc` is the exit code as the shell gave it.
struct ToolOutput {
    std::string_view out;
    std::string_view err; ///< empty when both streams were captured together into `out`
    int rc = 0;
};

/// Why the tool said nothing useful: not in the image, not permitted, timed out, killed. Nothing
/// when it ran. Decided by exit code and text together, since shells and runtimes differ (126, 127,
/// 1 with "executable file not found in $PATH", 124/137/143 of timeout).
std::optional<model::Unseen> why_silent(const ToolOutput& output, std::string_view tool);

/// The exit code that kubectl reports in the last line of stderr ("command terminated with exit
/// code 2"); nothing when it does not.
std::optional<int> reported_exit_code(std::string_view err);

} // namespace di::parse
