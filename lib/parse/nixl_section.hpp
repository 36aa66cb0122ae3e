// The section `nixl` of the probe script: plugin directories, and the installed Python package.
#pragma once

#include "model/observation.hpp"

#include <string_view>

namespace di::parse {

/// Directories that the script found and the plugins in them (libplugin_<NAME>.so), in its order.
/// Finding none proves nothing: NIXL can live elsewhere. Then, and when NIXL_PLUGIN_DIR names a
/// directory that may not be looked at, they are unseen.
model::Seen<std::vector<model::PluginDirectory>> parse_nixl_directories(std::string_view nixl);

/// From the first directory nixl*-<VERSION>.dist-info (Python packaging: recorded projects).
model::Seen<std::string> parse_nixl_version(std::string_view nixl);

} // namespace di::parse
