#include "parse/nixl_section.hpp"

#include "base/strings.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::PluginDirectory;
using model::Seen;
using model::SkipReason;
using model::Unseen;

constexpr std::string_view k_info = ".dist-info";
constexpr std::string_view k_plugin = "/libplugin_";
constexpr std::string_view k_library = ".so";

PluginDirectory& directory(std::vector<PluginDirectory>& known, std::string_view path) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const PluginDirectory& entry) {
        return entry.path == path;
    });
    return found != known.end() ? *found
                                : known.emplace_back(PluginDirectory{std::string(path), {}});
}

void add_plugin(std::vector<PluginDirectory>& known, std::string_view path) {
    const auto name_at = path.rfind(k_plugin);
    if (name_at == std::string_view::npos || !path.ends_with(k_library)) {
        return;
    }
    auto name = path.substr(name_at + k_plugin.size());
    name.remove_suffix(std::min(name.size(), k_library.size()));
    auto& plugins = directory(known, path.substr(0, name_at)).plugins;
    if (!name.empty() && std::find(plugins.begin(), plugins.end(), name) == plugins.end()) {
        plugins.emplace_back(name);
    }
}

} // namespace

Seen<std::vector<PluginDirectory>> parse_nixl_directories(std::string_view nixl) {
    std::vector<PluginDirectory> found;
    std::string hidden;
    for (const auto line : lines(nixl)) {
        if (line.starts_with("+/") && !line.ends_with(k_info)) {
            directory(found, line.substr(1));
        } else if (line.starts_with("?/") || line.starts_with("!/")) {
            hidden = line.substr(1);
        } else if (line.starts_with('/')) {
            add_plugin(found, line);
        }
    }
    if (!hidden.empty()) {
        return Unseen{SkipReason::unreadable,
                      "the plugin directory " + excerpt(hidden, 100) + " cannot be looked at"};
    }
    if (found.empty()) {
        return Unseen{SkipReason::unreadable, "no NIXL plugin directory in the usual places"};
    }
    return found;
}

Seen<std::string> parse_nixl_version(std::string_view nixl) {
    for (auto line : lines(nixl)) {
        if (!line.starts_with("+/") || !line.ends_with(k_info)) {
            continue;
        }
        line.remove_suffix(k_info.size());
        const auto name = line.substr(line.rfind('/') + 1);
        const auto dash = name.find('-');
        if (dash != std::string_view::npos && dash + 1 < name.size()) {
            return std::string(name.substr(dash + 1));
        }
    }
    return Unseen{SkipReason::unreadable, "no installed nixl package in the usual places"};
}

} // namespace di::parse
