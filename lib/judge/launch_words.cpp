#include "judge/launch_words.hpp"

#include "base/strings.hpp"

#include <algorithm>

namespace di::judge {
namespace {

constexpr std::string_view k_blank = " \t\r\n";

/// Reads one POSIX shell word from `pos` on; quotes and backslashes are taken off.
std::string shell_word(std::string_view text, std::size_t& pos) {
    std::string word;
    char quote = '\0';
    for (; pos < text.size(); ++pos) {
        const char c = text[pos];
        if (quote == '\0' && k_blank.find(c) != std::string_view::npos) {
            break;
        }
        const bool escapes = c == '\\' && quote != '\'' && pos + 1 < text.size();
        if (c == quote) {
            quote = '\0';
        } else if (quote == '\0' && (c == '"' || c == '\'')) {
            quote = c;
        } else if (escapes && (quote == '\0' || text[pos + 1] == '"' || text[pos + 1] == '\\')) {
            ++pos;
            if (text[pos] != '\n') {
                word.push_back(text[pos]);
            }
        } else {
            word.push_back(c);
        }
    }
    return word;
}

/// `-c`, `-lc`, `-ec`: what follows is a script for the shell.
bool introduces_script(std::string_view argument) {
    return argument.size() >= 2 && argument.front() == '-' && argument[1] != '-' &&
           argument.back() == 'c';
}

std::size_t skip_blanks(std::string_view text, std::size_t pos) {
    return std::min(text.find_first_not_of(k_blank, pos), text.size());
}

/// A double-quoted string that starts at `pos`; leaves `pos` behind it. Nothing if there is none,
/// or if it has no end.
std::optional<std::string> quoted(std::string_view text, std::size_t& pos) {
    if (pos >= text.size() || text[pos] != '"') {
        return std::nullopt;
    }
    std::string value;
    for (++pos; pos < text.size() && text[pos] != '"'; ++pos) {
        if (text[pos] == '\\' && pos + 1 < text.size()) {
            ++pos;
        }
        value.push_back(text[pos]);
    }
    if (pos >= text.size()) {
        return std::nullopt;
    }
    ++pos;
    return value;
}

/// The value behind a colon: a string, or the strings of a flat array.
void take_values(std::string_view text, std::size_t pos, std::vector<std::string>& values) {
    pos = skip_blanks(text, pos);
    const bool array = pos < text.size() && text[pos] == '[';
    pos = array ? skip_blanks(text, pos + 1) : pos;
    while (auto value = quoted(text, pos)) {
        values.push_back(std::move(*value));
        pos = skip_blanks(text, pos);
        if (!array || pos >= text.size() || text[pos] != ',') {
            return;
        }
        pos = skip_blanks(text, pos + 1);
    }
}

} // namespace

std::vector<std::string> launch_words(const std::vector<std::string>& arguments) {
    std::vector<std::string> result;
    bool script = false;
    for (const auto& argument : arguments) {
        const bool split_it = script;
        script = introduces_script(argument);
        if (!split_it) {
            result.push_back(argument);
            continue;
        }
        for (auto pos = skip_blanks(argument, 0); pos < argument.size();
             pos = skip_blanks(argument, pos)) {
            result.push_back(shell_word(argument, pos));
        }
    }
    return result;
}

std::optional<std::string> option_value(const std::vector<std::string>& words,
                                        std::string_view name) {
    std::optional<std::string> value;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == name && i + 1 < words.size()) {
            value = words[i + 1];
        } else if (word.size() > name.size() && word.substr(0, name.size()) == name &&
                   word[name.size()] == '=') {
            value = std::string(word.substr(name.size() + 1));
        }
    }
    return value;
}

bool has_word(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> json_strings(std::string_view text, std::string_view key) {
    std::vector<std::string> values;
    for (std::size_t pos = 0; pos < text.size();) {
        if (text[pos] != '"') {
            ++pos;
            continue;
        }
        const auto name = quoted(text, pos);
        const auto colon = skip_blanks(text, pos);
        if (name == key && colon < text.size() && text[colon] == ':') {
            take_values(text, colon + 1, values);
        }
    }
    return values;
}

} // namespace di::judge
