// `ibstat` of infiniband-diags: what the kernel says of every RDMA port it shows this container.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// Devices and ports in the order printed (rdma-core infiniband-diags/ibstat.c: `CA 'name'`, then
/// `Port N:` blocks, rates in Gb/s). An empty list means that ibstat ran and found no device.
model::Seen<std::vector<model::RdmaDevice>> parse_ibstat(const ToolOutput& output);

} // namespace di::parse
