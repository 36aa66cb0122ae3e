// One table: which parser reads the output of which tool.
#pragma once

#include "model/tool.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// What the tool showed, or why it showed nothing. The environment counts as that of an exec
/// session. Where NVML gives nvidia-smi no GPU to work with, a GpuFault stands in for the answer.
model::ToolReading read_tool(model::Tool tool, const ToolOutput& output);

} // namespace di::parse
