// Which objects a kustomization's patch is for, and how its lists are merged.
#pragma once

#include "recipe/merge.hpp"
#include "recipe/objects.hpp"

#include <optional>
#include <string>

namespace di::recipe {

/// Fields that are "" match anything; the others are regular expressions for the whole text
/// (sigs.k8s.io/kustomize api/types/selector.go).
struct PatchTarget {
    std::string group;
    std::string version;
    std::string kind;
    std::string name;
    std::string ns;
    std::string label_selector; ///< equality terms: a=b,c!=d
};

/// Nothing when the patch names no target.
std::optional<PatchTarget> target_of(const Node& target);

/// The object that a strategic merge patch names itself.
PatchTarget target_of_patch(const Object& patch);

bool matches(const PatchTarget& target, const Object& object);

/// The list keys of an OpenAPI document, by kind.
class PatchSchemas {
public:
    explicit PatchSchemas(NodePtr openapi);

    [[nodiscard]] MergeSchema of(const Object& object) const;

private:
    NodePtr openapi_;
};

} // namespace di::recipe
