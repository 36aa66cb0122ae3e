// Environment variables: from lines to the settings that UCX, NIXL and the engines make of them.
#pragma once

#include "model/environment.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// Lines of NAME=value, as `env` and `export -p` print them and as the probe script does (\x01 for
/// a newline inside a value). Only names that may leave a pod are kept, and userinfo in a URL is
/// blanked. Of a name that comes twice the first counts, as for getenv(3). No such line at all is
/// an empty map.
model::Seen<model::EnvMap> parse_env(const ToolOutput& output);

/// The same filter for values that come from elsewhere, such as a pod's spec.
model::EnvMap only_allowed(const model::EnvMap& values);

/// Attaches UCX's own reading of UCX_TLS and UCX_NET_DEVICES.
model::Environment environment(model::EnvSource source, model::EnvMap values);

} // namespace di::parse
