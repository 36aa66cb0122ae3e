// Kernel modules as `lsmod` or /proc/modules list them, whole or grepped. They are the host's.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// Modules in the order listed; empty when the list or the grep of it showed none.
model::Seen<std::vector<model::KernelModule>> parse_modules(const ToolOutput& output);

} // namespace di::parse
