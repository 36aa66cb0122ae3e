#include "recipe/config_maps.hpp"

#include "base/strings.hpp"
#include "recipe/files.hpp"

#include <algorithm>
#include <limits>

namespace di::recipe {
namespace {

/// Steps from one folder to another, up and down.
std::size_t distance(const std::string& a, const std::string& b) {
    const auto from = split(a, '/');
    const auto to = split(b, '/');
    const auto shorter = std::min(from.size(), to.size());
    std::size_t same = 0;
    while (same < shorter && from[same] == to[same]) {
        ++same;
    }
    return from.size() + to.size() - 2 * same;
}

std::size_t farness(const Object& map, const Asker& asker) {
    if (map.file == asker.file) {
        return 0;
    }
    return 1 + distance(folder_of(map.file), folder_of(asker.file));
}

bool may_be_meant(const Object& map, const Asker& asker) {
    const bool same_namespace = map.ns.empty() || asker.ns.empty() || map.ns == asker.ns;
    return same_namespace && (map.variant == asker.variant || map.variant.empty());
}

} // namespace

ConfigMaps::ConfigMaps(const std::vector<Object>& objects) {
    for (const auto& object : objects) {
        if (object.kind == "ConfigMap") {
            by_name_.emplace(object.base_name, &object);
        }
    }
}

FoundMap ConfigMaps::find(const std::string& name, const Asker& asker) const {
    FoundMap nearest;
    auto least = std::numeric_limits<std::size_t>::max();
    const auto [begin, end] = by_name_.equal_range(name);
    for (auto entry = begin; entry != end; ++entry) {
        const Object& map = *entry->second;
        if (!may_be_meant(map, asker)) {
            continue;
        }
        const auto far = farness(map, asker);
        const Node& data = member(*map.node, "data");
        if (far < least) {
            least = far;
            nearest = {Lookup::found, &data};
        } else if (far == least && text_members(data) != text_members(*nearest.data)) {
            nearest.lookup = Lookup::ambiguous;
        }
    }
    return nearest;
}

} // namespace di::recipe
