#include "discover/label_selector.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace di::discover {
namespace {

constexpr std::string_view k_symbols = "=!<>(),";

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '/';
}

/// Tokens are operators, parentheses, commas, and words between them.
std::vector<std::string_view> tokens(std::string_view text) {
    std::vector<std::string_view> found;
    std::size_t at = 0;
    while (at < text.size()) {
        if (is_space(text[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at++;
        if (k_symbols.find(text[begin]) == std::string_view::npos) {
            while (at < text.size() && !is_space(text[at]) &&
                   k_symbols.find(text[at]) == std::string_view::npos) {
                ++at;
            }
        } else if (at < text.size() && text[at] == '=' &&
                   (text[begin] == '=' || text[begin] == '!')) {
            ++at;
        }
        found.push_back(text.substr(begin, at - begin));
    }
    return found;
}

class Parser {
public:
    explicit Parser(std::string_view text)
        : text_(text),
          tokens_(tokens(text)) {}

    Result<LabelSelector> parse() {
        LabelSelector selector;
        while (at_ < tokens_.size() && cause_.empty()) {
            selector.requirements.push_back(requirement());
            if (cause_.empty() && at_ < tokens_.size()) {
                expect(",");
                if (cause_.empty() && at_ == tokens_.size()) {
                    fail("nothing after the last comma");
                }
            }
        }
        if (!cause_.empty()) {
            return Error{.kind = ErrorKind::usage,
                         .what = "invalid label selector",
                         .object = fmt::format("'{}'", text_),
                         .cause = cause_,
                         .hint = {}};
        }
        return selector;
    }

private:
    [[nodiscard]] std::string_view peek() const {
        return at_ < tokens_.size() ? tokens_[at_] : std::string_view();
    }

    std::string_view take() {
        const std::string_view token = peek();
        ++at_;
        return token;
    }

    void fail(std::string cause) {
        if (cause_.empty()) {
            cause_ = std::move(cause);
        }
    }

    void expect(std::string_view token) {
        if (peek() != token) {
            fail(peek().empty() ? fmt::format("'{}' is missing at the end", token)
                                : fmt::format("found '{}' instead of '{}'", peek(), token));
        }
        ++at_;
    }

    [[nodiscard]] bool at_word() const {
        return !peek().empty() && k_symbols.find(peek().front()) == std::string_view::npos;
    }

    std::string word(std::string_view what) {
        if (!at_word()) {
            fail(fmt::format("{} is missing", what));
            return {};
        }
        const std::string_view found = take();
        if (!std::all_of(found.begin(), found.end(), is_name_character)) {
            fail(fmt::format("'{}' is no {}", found, what));
        }
        return std::string(found);
    }

    /// A value may be empty, before a comma or at the end.
    std::string value() { return at_word() ? word("label value") : std::string(); }

    std::vector<std::string> value_set() {
        expect("(");
        std::vector<std::string> values;
        while (cause_.empty()) {
            values.push_back(value());
            if (peek() != ",") {
                break;
            }
            ++at_;
        }
        expect(")");
        return values;
    }

    Requirement requirement() {
        struct Spelling {
            std::string_view token;
            SelectorOperator op;
        };

        static constexpr std::array<Spelling, 7> k_operators = {{
            {"=", SelectorOperator::in},
            {"==", SelectorOperator::in},
            {"!=", SelectorOperator::not_in},
            {"in", SelectorOperator::in},
            {"notin", SelectorOperator::not_in},
            {">", SelectorOperator::greater},
            {"<", SelectorOperator::less},
        }};
        Requirement found;
        if (peek() == "!") {
            ++at_;
            found.op = SelectorOperator::absent;
            found.key = word("label key");
            return found;
        }
        found.key = word("label key");
        if (peek().empty() || peek() == ",") {
            return found;
        }
        const std::string_view token = take();
        const auto* spelling =
            std::find_if(k_operators.begin(), k_operators.end(), [&](const Spelling& known) {
                return known.token == token;
            });
        if (spelling == k_operators.end()) {
            fail(fmt::format("'{}' is no operator", token));
            return found;
        }
        found.op = spelling->op;
        const bool is_set = token == "in" || token == "notin";
        found.values = is_set ? value_set() : std::vector<std::string>{value()};
        return found;
    }

    std::string_view text_;
    std::vector<std::string_view> tokens_;
    std::size_t at_ = 0;
    std::string cause_;
};

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
}

bool compares(const Requirement& requirement, std::string_view label) {
    const auto left = whole_number(label);
    const auto right = whole_number(requirement.values.front());
    if (!left || !right) {
        return false;
    }
    return requirement.op == SelectorOperator::greater ? *left > *right : *left < *right;
}

bool holds(const Requirement& requirement, const model::StringMap& labels) {
    const auto label = labels.find(requirement.key);
    const bool present = label != labels.end();
    const auto listed = [&] {
        const auto& values = requirement.values;
        return std::find(values.begin(), values.end(), label->second) != values.end();
    };
    switch (requirement.op) {
    case SelectorOperator::exists:
        return present;
    case SelectorOperator::absent:
        return !present;
    case SelectorOperator::in:
        return present && listed();
    case SelectorOperator::not_in:
        return !present || !listed();
    case SelectorOperator::greater:
    case SelectorOperator::less:
        return present && compares(requirement, label->second);
    }
    return false;
}

} // namespace

Result<LabelSelector> parse_label_selector(std::string_view text) {
    return Parser(text).parse();
}

bool matches(const LabelSelector& selector, const model::StringMap& labels) {
    return std::all_of(selector.requirements.begin(),
                       selector.requirements.end(),
                       [&](const Requirement& requirement) { return holds(requirement, labels); });
}

} // namespace di::discover
