// Kustomize's two kinds of patches, on shared nodes: what a patch does not touch is not copied.
#pragma once

#include "base/result.hpp"
#include "recipe/node.hpp"

#include <string>

namespace di::recipe {

/// Which lists are merged by a key instead of being replaced: part of an OpenAPI document (the
/// `x-kubernetes-patch-merge-key` of a property), or the built-in kinds' own.
struct MergeSchema {
    const Node* schema = nullptr;      ///< of the object at hand; nullptr: unknown
    const Node* definitions = nullptr; ///< where its $ref lead to
    bool built_in = false;             ///< the pod template's lists are known without a schema
};

/// A strategic merge patch (k8s.io/apimachinery strategicpatch): mappings are merged, null removes,
/// `$patch: delete` and `replace` are obeyed, lists are merged by key where the schema has one and
/// replaced elsewhere.
NodePtr strategic_merge(const NodePtr& base, const NodePtr& patch, const MergeSchema& schema);

/// A JSON patch (RFC 6902). ErrorKind::parse, naming the operation, when one cannot be done.
Result<NodePtr> json_patch(const NodePtr& base, const Node& operations);

/// The node with one member set.
NodePtr with_member(const NodePtr& base, std::string_view key, NodePtr value);

} // namespace di::recipe
