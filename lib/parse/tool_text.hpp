// Shared by the tool parsers: lines that may be cut, `key: value` fields, and complaints.
#pragma once

#include "base/strings.hpp"
#include "parse/tool_output.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::parse {

/// A line of captured text. Output that is cut ends in a line without its newline: what such a line
/// says counts only where a shorter text could not have meant something else.
struct Line {
    std::string_view text; ///< without CR, LF and escape codes
    bool ended = true;
};

/// Owns the text, since terminal escape codes (ECMA-48 CSI) are taken out first.
class LineReader {
public:
    explicit LineReader(std::string_view text);

    [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }

    /// The last line has no newline.
    [[nodiscard]] bool cut() const { return !lines_.empty() && !lines_.back().ended; }

private:
    std::string text_;
    std::vector<Line> lines_;
};

struct Field {
    std::string_view key;
    std::string_view value;
};

/// `key: value` with blanks around both taken away; nothing without a colon.
std::optional<Field> field(std::string_view line);

/// "400", "2.5 GB/s" or "26,562": the leading number, whatever the locale of the writer. Nothing
/// above a million, which no rate is.
std::optional<double> leading_number(std::string_view text);

/// The streams' lines that the tool itself wrote: without kubectl's remarks.
std::vector<std::string_view> messages(const ToolOutput& output);

/// For text that is not the tool's: no_permission when it says so, else unreadable; with an
/// excerpt.
model::Unseen could_not_read(const ToolOutput& output, std::string_view tool);

/// Output that ended too early for any answer.
model::Unseen cut_short(std::string_view tool);

} // namespace di::parse
