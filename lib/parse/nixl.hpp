// NIXL on disk: its tools and its plugin directories.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// Plugin directories and the names NIXL would give to what lies in them (libplugin_<NAME>.so).
model::Seen<std::vector<model::PluginDirectory>> parse_nixl_plugins(const ToolOutput& output);

/// Paths of NIXL's tools that `command -v` or `ls` showed; empty when there are none.
model::Seen<std::vector<std::string>> parse_nixl_tools(const ToolOutput& output);

} // namespace di::parse
