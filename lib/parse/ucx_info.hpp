// `ucx_info` of UCX: how the library was built, and what it finds in this container.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// `ucx_info -v` (UCX src/tools/info/version_info.c): "# Library version:", or "# Version" before
/// 1.14, and the configure line.
model::Seen<model::UcxBuild> parse_ucx_version(const ToolOutput& output);

/// `ucx_info -d` (UCX src/tools/info/tl_info.c): memory domains and their transports. It asks UCT,
/// so UCX_TLS and UCX_NET_DEVICES are not applied.
model::Seen<model::UcxDevices> parse_ucx_devices(const ToolOutput& output);

} // namespace di::parse
