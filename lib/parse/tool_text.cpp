#include "parse/tool_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace di::parse {
namespace {

constexpr std::size_t k_excerpt = 160;

/// ESC [ parameters final-byte.
std::string without_escapes(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        const auto escape = text.find("\x1b[");
        plain += text.substr(0, escape);
        if (escape == std::string_view::npos) {
            break;
        }
        const auto final_byte = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(escape) + 2,
                                             text.end(),
                                             [](char c) { return c >= '@' && c <= '~'; });
        const auto rest = std::min<std::ptrdiff_t>(final_byte - text.begin() + 1, std::ssize(text));
        text.remove_prefix(static_cast<std::size_t>(rest));
    }
    return plain;
}

bool is_kubectl_remark(std::string_view line) {
    return line.starts_with("command terminated with exit code ") ||
           line.starts_with("Defaulted container ") || line.starts_with("Unable to use a TTY ") ||
           line.starts_with("Warning: ");
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

LineReader::LineReader(std::string_view text)
    : text_(without_escapes(text)) {
    for (const auto line : di::lines(text_)) {
        lines_.push_back({line});
    }
    if (!lines_.empty()) {
        lines_.back().ended = text_.back() == '\n';
    }
}

std::optional<Field> field(std::string_view line) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    return Field{trim(line.substr(0, colon)), trim(line.substr(colon + 1))};
}

std::optional<double> leading_number(std::string_view text) {
    constexpr double k_largest = 1e6;
    const auto first_other = std::find_if_not(
        text.begin(), text.end(), [](char c) { return is_digit(c) || c == '.' || c == ','; });
    std::string number(text.begin(), first_other);
    std::replace(number.begin(), number.end(), ',', '.');
    double value = 0;
    const char* const end = number.data() + number.size();
    const auto [stop, status] = std::from_chars(number.data(), end, value);
    if (number.empty() || status != std::errc{} || stop != end || value > k_largest) {
        return std::nullopt;
    }
    return value;
}

std::vector<std::string_view> messages(const ToolOutput& output) {
    std::vector<std::string_view> found;
    for (const auto stream : {output.err, output.out}) {
        for (const auto line : di::lines(stream)) {
            if (!trim(line).empty() && !is_kubectl_remark(line)) {
                found.push_back(trim(line));
            }
        }
    }
    return found;
}

model::Unseen could_not_read(const ToolOutput& output, std::string_view tool) {
    const auto said = messages(output);
    if (said.empty()) {
        return {model::SkipReason::unreadable,
                fmt::format("{} printed nothing and ended with exit code {}", tool, output.rc)};
    }
    const auto refusal = std::find_if(said.begin(), said.end(), [](std::string_view line) {
        return contains_ignoring_case(line, "permission denied") ||
               contains_ignoring_case(line, "operation not permitted") ||
               contains_ignoring_case(line, "permissions"); // nvidia-smi, insufficient ones
    });
    if (refusal != said.end()) {
        return {model::SkipReason::no_permission, excerpt(*refusal, k_excerpt)};
    }
    return {model::SkipReason::unreadable, excerpt(said.front(), k_excerpt)};
}

model::Unseen cut_short(std::string_view tool) {
    return {model::SkipReason::truncated, fmt::format("the output of {} ends too early", tool)};
}

} // namespace di::parse
