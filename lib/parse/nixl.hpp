// NIXL on disk: its tools and its plugin directories.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// Plugin directories and the names NIXL would give to what lies in them (libplugin_<NAME>.so).
model::Seen<std::vector<model::PluginDirectory>> parse_nixl_plugins(const ToolOutput& output);

/// `command -v nixlbench nixl_test; ls /usr/local/nixl`: absolute paths are programs, other lines
/// the directory. The exit code is the last command's, so it decides nothing.
model::Seen<model::NixlTools> parse_nixl_tools(const ToolOutput& output);

} // namespace di::parse
