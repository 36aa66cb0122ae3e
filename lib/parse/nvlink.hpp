// `nvidia-smi nvlink --status`: the links of every GPU the pod sees.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// One entry per GPU; one without links has no NVLink. An empty list means that the tool ran and
/// printed nothing, as it does on parts without NVLink.
model::Seen<std::vector<model::NvlinkGpu>> parse_nvlink_status(const ToolOutput& output);

} // namespace di::parse
