// Kubernetes objects in documents.
#pragma once

#include "recipe/node.hpp"

#include <string>
#include <vector>

namespace di::recipe {

struct Object {
    NodePtr node;
    std::string api_version;
    std::string kind;
    std::string ns;
    std::string name;
    std::string base_name; ///< before an overlay's prefix; references are resolved by it
    std::string file;      ///< that it was read from
    std::string variant;   ///< folder of the kustomization that made it; "" for plain files
};

/// The object of a document, and the members of lists at any depth. What has no apiVersion and kind
/// is no object.
std::vector<Object> objects_of(const NodePtr& document, const std::string& file);

/// "nvidia.com" of "nvidia.com/v1alpha1"; "" for the core group.
std::string group_of(const std::string& api_version);
std::string version_of(const std::string& api_version);

} // namespace di::recipe
