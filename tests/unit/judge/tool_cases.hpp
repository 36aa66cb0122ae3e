// What an expert says of a tool's output: one table, split by area.
#pragma once

#include "model/finding.hpp"

#include <string>
#include <vector>

namespace di::test {

struct ToolCase {
    std::string probe;
    std::string what; ///< a sentence about the machine
    model::Status status;
    std::string out;
    std::string says = {}; ///< must be part of the detail
    std::string err = {};
    int rc = 0;
};

std::vector<ToolCase> device_cases(); ///< device nodes, HCAs and ports
std::vector<ToolCase> gpu_tool_cases();
std::vector<ToolCase> library_cases(); ///< UCX, NIXL, limits, environment

} // namespace di::test
