#include "recipe/patch_target.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <regex>

namespace di::recipe {
namespace {

/// Longer ones are no names, and std::regex is recursive.
constexpr std::size_t k_longest_pattern = 256;

bool fits(const std::string& pattern, const std::string& value) {
    if (pattern.empty() || pattern == value) {
        return true;
    }
    const bool literal = pattern.find_first_of(".*+?[](){}|^$\\") == std::string::npos;
    if (literal || pattern.size() > k_longest_pattern || value.size() > k_longest_pattern) {
        return false;
    }
    try {
        return std::regex_match(value, std::regex(pattern, std::regex::extended));
    } catch (const std::regex_error&) {
        return false;
    }
}

bool has_labels(const std::string& selector, const Object& object) {
    const auto& labels = member(*object.node, {"metadata", "labels"});
    const auto terms = split(selector, ',');
    return std::all_of(terms.begin(), terms.end(), [&](std::string_view term) {
        const auto sign = term.find('=');
        if (sign == std::string_view::npos) {
            return trim(term).empty() || labels.find(trim(term)) != nullptr;
        }
        const bool unequal = sign > 0 && term[sign - 1] == '!';
        const auto key = trim(term.substr(0, unequal ? sign - 1 : sign));
        const auto value =
            trim(term.substr(term.substr(sign).starts_with("==") ? sign + 2 : sign + 1));
        return (text(labels, key) == value) != unequal;
    });
}

bool is_built_in(const std::string& api_version) {
    const auto group = group_of(api_version);
    return group.empty() || group == "apps" || group == "batch";
}

bool describes(const Node& definition, const Object& object) {
    const auto& kinds = member(definition, "x-kubernetes-group-version-kind").items;
    return std::any_of(kinds.begin(), kinds.end(), [&](const NodePtr& kind) {
        return text(*kind, "kind") == object.kind &&
               text(*kind, "group") == group_of(object.api_version) &&
               text(*kind, "version") == version_of(object.api_version);
    });
}

} // namespace

std::optional<PatchTarget> target_of(const Node& target) {
    if (target.members.empty()) {
        return std::nullopt;
    }
    return PatchTarget{text(target, "group"),
                       text(target, "version"),
                       text(target, "kind"),
                       text(target, "name"),
                       text(target, "namespace"),
                       text(target, "labelSelector")};
}

PatchTarget target_of_patch(const Object& patch) {
    return {group_of(patch.api_version),
            version_of(patch.api_version),
            patch.kind,
            patch.name,
            patch.ns,
            ""};
}

bool matches(const PatchTarget& target, const Object& object) {
    const bool named = fits(target.name, object.name) || fits(target.name, object.base_name);
    return named && fits(target.group, group_of(object.api_version)) &&
           fits(target.version, version_of(object.api_version)) && fits(target.kind, object.kind) &&
           fits(target.ns, object.ns) &&
           (target.label_selector.empty() || has_labels(target.label_selector, object));
}

PatchSchemas::PatchSchemas(NodePtr openapi)
    : openapi_(std::move(openapi)) {}

MergeSchema PatchSchemas::of(const Object& object) const {
    MergeSchema schema;
    schema.built_in = is_built_in(object.api_version);
    if (openapi_ == nullptr) {
        return schema;
    }
    const auto& definitions = member(*openapi_, "definitions");
    for (const auto& [name, definition] : definitions.members) {
        if (describes(*definition, object)) {
            schema.schema = definition.get();
            schema.definitions = &definitions;
            schema.built_in = false;
        }
    }
    return schema;
}

} // namespace di::recipe
