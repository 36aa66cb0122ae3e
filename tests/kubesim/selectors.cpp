#include "kubesim/selectors.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace di::kubesim {
namespace {

/// Commas inside parentheses do not separate requirements.
std::vector<std::string_view> split_requirements(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text[i] == ',' && depth == 0) {
            parts.push_back(text.substr(start, i - start));
            start = i + 1;
        }
    }
    parts.push_back(text.substr(start));
    return parts;
}

bool is_label_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_./").find(c) != std::string_view::npos;
    });
}

/// `key = value`, `key == value` and `key != value`.
std::optional<Requirement> parse_equality(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return std::nullopt;
    }
    const bool negated = text[equals - 1] == '!';
    const bool doubled = !negated && text.substr(equals, 2) == "==";
    return Requirement{negated ? Requirement::Op::not_in : Requirement::Op::in,
                       std::string(trim(text.substr(0, negated ? equals - 1 : equals))),
                       {std::string(trim(text.substr(equals + (doubled ? 2 : 1))))}};
}

/// `key in (a,b)` and `key notin (a,b)`.
std::optional<Requirement> parse_set(std::string_view text) {
    const auto open = text.find('(');
    if (open == std::string_view::npos || text.back() != ')') {
        return std::nullopt;
    }
    const auto before = words(text.substr(0, open));
    if (before.size() != 2 || (before[1] != "in" && before[1] != "notin")) {
        return std::nullopt;
    }
    Requirement requirement{before[1] == "in" ? Requirement::Op::in : Requirement::Op::not_in,
                            std::string(before[0]),
                            {}};
    for (const auto value : split(text.substr(open + 1, text.size() - open - 2), ',')) {
        requirement.values.emplace_back(trim(value));
    }
    return requirement;
}

std::optional<Requirement> parse_requirement(std::string_view text) {
    if (text.find('(') != std::string_view::npos) {
        return parse_set(text);
    }
    if (text.find('=') != std::string_view::npos) {
        return parse_equality(text);
    }
    if (!text.empty() && text[0] == '!') {
        return Requirement{Requirement::Op::missing, std::string(trim(text.substr(1))), {}};
    }
    return Requirement{Requirement::Op::exists, std::string(text), {}};
}

bool holds(const Requirement& requirement, const StringMap& values) {
    const auto found = values.find(requirement.key);
    const bool present = found != values.end();
    const bool listed =
        present && std::find(requirement.values.begin(), requirement.values.end(), found->second) !=
                       requirement.values.end();
    switch (requirement.op) {
    case Requirement::Op::in:
        return listed;
    case Requirement::Op::not_in:
        return !listed;
    case Requirement::Op::exists:
        return present;
    case Requirement::Op::missing:
        return !present;
    }
    return false;
}

} // namespace

Result<Selector> parse_label_selector(std::string_view text) {
    Selector selector;
    if (trim(text).empty()) {
        return selector;
    }
    for (const auto part : split_requirements(text)) {
        const auto requirement = parse_requirement(trim(part));
        if (!requirement || !is_label_key(requirement->key)) {
            return Error{ErrorKind::usage,
                         "unable to parse requirement",
                         "",
                         fmt::format("<nil>: Invalid value: \"{}\"", part),
                         ""};
        }
        selector.push_back(*requirement);
    }
    return selector;
}

Result<Selector> parse_field_selector(std::string_view text,
                                      const std::vector<std::string>& known) {
    Selector selector;
    if (text.empty()) {
        return selector;
    }
    for (const auto part : split(text, ',')) {
        const auto requirement = parse_equality(trim(part));
        if (!requirement) {
            return Error{ErrorKind::usage,
                         fmt::format("invalid selector: '{}'; can't understand '{}'", text, part),
                         "",
                         "",
                         ""};
        }
        if (std::find(known.begin(), known.end(), requirement->key) == known.end()) {
            return Error{
                ErrorKind::usage, "field label not supported: " + requirement->key, "", "", ""};
        }
        selector.push_back(*requirement);
    }
    return selector;
}

bool matches(const Selector& selector, const StringMap& values) {
    return std::all_of(selector.begin(), selector.end(), [&](const Requirement& requirement) {
        return holds(requirement, values);
    });
}

} // namespace di::kubesim
