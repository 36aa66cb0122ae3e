// What nvidia-smi says when NVML, the library below it, gives it no GPU.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// The fault that any nvidia-smi command printed instead of its answer: a proven bad state of the
/// container, unlike a missing nvidia-smi. Texts and exit codes (2, 6, 9, 12, 15, 18, 255): man
/// page of nvidia-smi and its binaries 535 to 580. They come on stdout.
std::optional<model::GpuFault> gpu_fault(const ToolOutput& output);

} // namespace di::parse
