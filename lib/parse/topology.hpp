// `nvidia-smi topo -m`: how the GPUs of one pod reach each other.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// The GPU to GPU part of the matrix and the names of the NIC legend. When NVML could not reach the
/// driver the fact is a GpuTopology without GPUs whose `fault` holds NVML's words.
model::Seen<model::GpuTopology> parse_topology(const ToolOutput& output);

} // namespace di::parse
