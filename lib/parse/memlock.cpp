#include "parse/memlock.hpp"

#include "parse/tool_text.hpp"

namespace di::parse {
namespace {

using model::Memlock;
using model::Seen;

/// "unlimited", or a number of units of so many bytes. A limit too large for 64 bits is no limit
/// that anybody meets, but it is not "unlimited" either: it reads as the largest number.
std::optional<Memlock> limit(std::string_view word, std::uint64_t unit) {
    if (word == "unlimited") {
        return Memlock{true, 0};
    }
    const auto number = parse_unsigned(word);
    const bool digits =
        !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
    if (!number && !digits) {
        return std::nullopt;
    }
    const bool fits = number && *number <= UINT64_MAX / unit;
    return Memlock{false, fits ? *number * unit : UINT64_MAX};
}

} // namespace

Seen<Memlock> parse_ulimit_memlock(const ToolOutput& output) {
    for (const std::string_view tool : {"ulimit", "sh"}) {
        if (auto silent = why_silent(output, tool)) {
            return *silent;
        }
    }
    constexpr std::uint64_t k_kib = 1024;
    const LineReader text(output.out);
    for (const auto& line : text.lines()) {
        const auto parts = words(line.text);
        const bool row_of_all = contains(line.text, "locked memory"); // `ulimit -a`
        if (parts.size() != 1 && !row_of_all) {
            continue;
        }
        if (const auto found = limit(parts.back(), k_kib)) {
            return *found;
        }
    }
    return could_not_read(output, "ulimit -l");
}

Seen<Memlock> parse_limits_memlock(const ToolOutput& output) {
    if (auto silent = why_silent(output, "cat")) {
        return *silent;
    }
    constexpr std::size_t k_soft = 3;
    const LineReader text(output.out);
    for (const auto& line : text.lines()) {
        const auto parts = words(line.text);
        const bool soft_is_whole = parts.size() > k_soft + 1; // the hard limit follows it
        if (!trim(line.text).starts_with("Max locked memory") || !soft_is_whole) {
            continue;
        }
        if (const auto found = limit(parts[k_soft], 1)) {
            return *found;
        }
    }
    return could_not_read(output, "limits");
}

} // namespace di::parse
