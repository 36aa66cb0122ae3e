// Output that was captured in files.
#pragma once

#include "base/result.hpp"
#include "deps.hpp"
#include "parse/tool_output.hpp"

#include <optional>
#include <string>

namespace di::app {

/// Owns the texts that a parse::ToolOutput only points to.
struct CapturedOutput {
    std::string out;
    std::string err;
    int rc = 0;

    [[nodiscard]] parse::ToolOutput view() const { return {out, err, rc}; }
};

/// The text of a file; "-" is standard input. Errors are of kind usage and name the file.
Result<std::string> read_captured(const std::string& path, const Deps& deps);

/// Without a given exit code kubectl's word on stderr counts, else 0.
int exit_code_of(std::optional<int> given, const std::string& err);

} // namespace di::app
