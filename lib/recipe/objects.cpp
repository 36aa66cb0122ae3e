#include "recipe/objects.hpp"

namespace di::recipe {
namespace {

constexpr int k_deepest_list = 8;

void collect(const NodePtr& node,
             const std::string& file,
             int depth,
             std::vector<Object>& objects) {
    Object object;
    object.api_version = text(*node, "apiVersion");
    object.kind = text(*node, "kind");
    if (object.kind.empty() || object.api_version.empty()) {
        return;
    }
    const auto& items = member(*node, "items");
    if (object.kind.ends_with("List") && items.kind == NodeKind::list) {
        for (const auto& item : items.items) {
            if (depth < k_deepest_list) {
                collect(item, file, depth + 1, objects);
            }
        }
        return;
    }
    const auto& metadata = member(*node, "metadata");
    object.node = node;
    object.ns = text(metadata, "namespace");
    object.name = text(metadata, "name");
    object.base_name = object.name;
    object.file = file;
    objects.push_back(std::move(object));
}

} // namespace

std::vector<Object> objects_of(const NodePtr& document, const std::string& file) {
    std::vector<Object> objects;
    collect(document, file, 0, objects);
    return objects;
}

std::string group_of(const std::string& api_version) {
    const auto slash = api_version.find('/');
    return slash == std::string::npos ? "" : api_version.substr(0, slash);
}

std::string version_of(const std::string& api_version) {
    return api_version.substr(api_version.find('/') + 1);
}

} // namespace di::recipe
