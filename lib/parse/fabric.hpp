// The Fabric sections of `nvidia-smi -q`: registration with the NVLink fabric manager.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// One entry per GPU, from the full text or from the lines around Fabric that a filter kept. A GPU
/// whose section is absent or cut has an empty `state`.
model::Seen<std::vector<model::GpuFabric>> parse_gpu_fabric(const ToolOutput& output);

} // namespace di::parse
