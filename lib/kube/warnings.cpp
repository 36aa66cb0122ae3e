#include "kube/warnings.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <optional>

namespace di::kube {
namespace {

void skip_spaces(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

/// The characters up to the next space, taken from the front.
std::string_view take_word(std::string_view& text) {
    skip_spaces(text);
    const auto word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    skip_spaces(text);
    return word;
}

/// A quoted string with backslash escapes, taken from the front; nothing when it does not end.
std::optional<std::string> take_quoted(std::string_view& text) {
    if (text.empty() || text.front() != '"') {
        return std::nullopt;
    }
    std::string content;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            text.remove_prefix(i + 1);
            return content;
        }
        i += text[i] == '\\' ? 1 : 0;
        if (i < text.size()) {
            content += text[i];
        }
    }
    return std::nullopt;
}

} // namespace

std::vector<std::string> read_warnings(std::string_view header) {
    std::vector<std::string> texts;
    while (!trim(header).empty()) {
        const auto code = take_word(header);
        const auto agent = take_word(header);
        const auto text = take_quoted(header);
        const bool digits =
            code.size() == 3 && code.find_first_not_of("0123456789") == std::string_view::npos;
        if (!digits || agent.empty() || !text) {
            return texts;
        }
        if (code == "299" && printable(*text) == *text) {
            texts.push_back(*text);
        }
        skip_spaces(header);
        take_quoted(header); // the date
        skip_spaces(header);
        if (!header.empty() && header.front() != ',') {
            return texts;
        }
        header.remove_prefix(std::min<std::size_t>(header.size(), 1));
    }
    return texts;
}

} // namespace di::kube
