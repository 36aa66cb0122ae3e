// Fuzzed bytes as a tool's output, and what every reading of one promises.
#pragma once

#include "fuzz.hpp"
#include "model/seen.hpp"
#include "parse/tool_output.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace di::fuzz {

/// stdout, and behind a NUL each stderr and one byte of exit code. So a captured stdout is a seed
/// as it is.
inline parse::ToolOutput tool_output(std::string_view input) {
    const auto take = [&] {
        const auto end = std::min(input.find('\0'), input.size());
        const auto part = input.substr(0, end);
        input.remove_prefix(std::min(end + 1, input.size()));
        return part;
    };
    parse::ToolOutput output;
    output.out = take();
    output.err = take();
    output.rc = input.empty() ? 0 : static_cast<unsigned char>(input.front());
    return output;
}

/// No list that is read from a text can be longer than this.
inline std::size_t most_lines(std::string_view text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

inline std::size_t most_words(std::string_view text) {
    return text.size() / 2 + 1;
}

/// A fact, or a reason in words; and the same on every reading.
template<class T> const T* require_seen(const model::Seen<T>& once, const model::Seen<T>& again) {
    require(once || !once.unseen()->why.empty(), "what was not seen says why");
    require(once || once.unseen()->reason != model::SkipReason::not_requested,
            "a parser that was asked does not answer 'not requested'");
    require(once == again, "the same text reads the same");
    return once.get();
}

/// Runs a tool's parser twice over the input; the fact, if there is one.
template<class T>
model::Seen<T> read_tool(std::string_view input,
                         model::Seen<T> (*parse)(const parse::ToolOutput&)) {
    auto once = parse(tool_output(input));
    require_seen(once, parse(tool_output(input)));
    return once;
}

} // namespace di::fuzz
