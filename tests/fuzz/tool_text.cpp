// The helpers that all tool parsers share, and the texts that a terminal shows.
#include "parse/tool_text.hpp"

#include "base/duration.hpp"
#include "tool_input.hpp"

#include <cmath>

DI_FUZZ_TARGET(tool_text) {
    using namespace di;
    const parse::LineReader reader(input);
    fuzz::require(reader.lines().size() <= fuzz::most_lines(input), "no line appears");
    for (const auto& line : reader.lines()) {
        fuzz::require(line.text.find('\n') == std::string_view::npos, "a line is one line");
    }
    const auto number = parse::leading_number(input);
    fuzz::require(!number || (std::isfinite(*number) && *number >= 0), "a number is finite");
    const auto output = fuzz::tool_output(input);
    fuzz::require(!parse::could_not_read(output, "tool").why.empty(), "a failure has words");
    const auto silent = parse::why_silent(output, "ibstat");
    fuzz::require(!silent || !silent->why.empty(), "silence has words");

    const auto shown = printable(input);
    fuzz::require(printable(shown) == shown, "printable text stays as it is");
    for (const char c : shown) {
        fuzz::require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "no control character");
    }
    fuzz::require(valid_utf8(valid_utf8(input)) == valid_utf8(input), "valid text stays");
    fuzz::require(width_of(excerpt(input, 40)) <= 40, "an excerpt keeps its width");
    const auto duration = parse_duration(input);
    fuzz::require(!duration || parse_duration(to_text(*duration)) == duration,
                  "a duration reads the same when printed");
}
