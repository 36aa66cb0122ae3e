#include "discover/shell_expansion.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <optional>

namespace di::discover {
namespace {

constexpr int k_deepest = 16; ///< nested ${A:-${B:-...}}; deeper ones stay unread

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

std::size_t name_length(std::string_view text) {
    if (!text.empty() && is_digit(text.front())) {
        return 1;
    }
    const auto* end = std::find_if_not(text.begin(), text.end(), is_name_character);
    return static_cast<std::size_t>(end - text.begin());
}

enum class Knowledge : std::uint8_t { set, unset, unknown };

struct Variable {
    Knowledge knowledge = Knowledge::unset;
    std::string value;
};

Variable look_up(std::string_view name, const ShellContext& context) {
    if (const auto position = parse_unsigned(name)) {
        const bool given = *position >= 1 && *position <= context.positional.size();
        return given ? Variable{Knowledge::set, context.positional[*position - 1]}
                     : Variable{*position == 0 ? Knowledge::unknown : Knowledge::unset, {}};
    }
    const auto found = context.variables.find(name);
    if (found != context.variables.end()) {
        return {Knowledge::set, found->second};
    }
    const auto& unknown = context.unknown;
    const bool hidden = std::find(unknown.begin(), unknown.end(), name) != unknown.end();
    return {hidden ? Knowledge::unknown : Knowledge::unset, {}};
}

class Expander {
public:
    explicit Expander(const ShellContext& context)
        : context_(context) {}

    /// Not recursive without bound: each level of braces counts.
    Piece dollar(std::string_view text, std::size_t& at, int depth) const {
        const std::size_t begin = at++;
        const char next = at < text.size() ? text[at] : '\0';
        if (next == '(') {
            return {std::string("$") + std::string(skip_balanced(text, at, '(', ')')), false};
        }
        if (next == '{') {
            const std::string_view braces = skip_balanced(text, at, '{', '}');
            const std::string_view whole = text.substr(begin, at - begin);
            const bool closed = braces.size() >= 2 && braces.back() == '}';
            const auto value = closed && depth < k_deepest
                                   ? in_braces(braces.substr(1, braces.size() - 2), depth)
                                   : std::nullopt;
            return value ? Piece{*value, true} : Piece{std::string(whole), false};
        }
        const std::size_t length = name_length(text.substr(at));
        if (length == 0) {
            return {"$", true}; // `$$`, `$?` and a lone `$` name nothing that matters here
        }
        Variable variable = look_up(text.substr(at, length), context_);
        at += length;
        return variable.knowledge == Knowledge::set
                   ? Piece{std::move(variable.value), true}
                   : Piece{std::string(text.substr(begin, at - begin)), false};
    }

private:
    [[nodiscard]] std::optional<std::string> in_braces(std::string_view inner, int depth) const {
        const std::size_t length = name_length(inner);
        std::string_view rest = inner.substr(length);
        Variable variable = look_up(inner.substr(0, length), context_);
        if (length == 0 || variable.knowledge == Knowledge::unknown) {
            return std::nullopt;
        }
        const bool is_set = variable.knowledge == Knowledge::set;
        if (rest.empty()) {
            return is_set ? std::optional(variable.value) : std::nullopt;
        }
        const bool empty_counts_as_unset = rest.front() == ':';
        rest.remove_prefix(empty_counts_as_unset ? 1 : 0);
        const bool usable = is_set && !(empty_counts_as_unset && variable.value.empty());
        const char op = rest.empty() ? '\0' : rest.front();
        if (op == '-' || op == '=') {
            return usable ? variable.value : plain(rest.substr(1), depth);
        }
        if (op == '+') {
            return usable ? plain(rest.substr(1), depth) : std::string();
        }
        return std::nullopt; // lengths, substrings and patterns
    }

    /// A default value: quotes removed, nested expansions made.
    [[nodiscard]] std::string plain(std::string_view text, int depth) const {
        std::string result;
        std::size_t at = 0;
        while (at < text.size()) {
            if (text[at] == '$') {
                result += dollar(text, at, depth + 1).text;
            } else if (text[at] == '"' || text[at] == '\'') {
                ++at;
            } else {
                result += text[at++];
            }
        }
        return result;
    }

    const ShellContext& context_;
};

} // namespace

Piece expand_dollar(std::string_view text, std::size_t& at, const ShellContext& context) {
    return Expander(context).dollar(text, at, 0);
}

std::string_view skip_balanced(std::string_view text, std::size_t& at, char open, char close) {
    const std::size_t begin = at;
    int depth = 0;
    while (at < text.size()) {
        const char c = text[at++];
        if (c == '\\') {
            at = std::min(at + 1, text.size());
        } else if (c == '\'') {
            at = std::min(text.find('\'', at), text.size() - 1) + 1;
        } else if (c == open) {
            ++depth;
        } else if (c == close && --depth == 0) {
            break;
        }
    }
    return text.substr(begin, at - begin);
}

bool is_variable_name(std::string_view text) {
    return !text.empty() && !is_digit(text.front()) && name_length(text) == text.size();
}

} // namespace di::discover
