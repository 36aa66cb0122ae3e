// `ibv_devinfo` of rdma-core: what libibverbs can open from inside the container.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// Devices and ports of the plain and of the `-v` form (rdma-core libibverbs/examples/devinfo.c).
/// An empty list is a fact: there is no device to open, or the kernel has no verbs at all.
model::Seen<std::vector<model::RdmaDevice>> parse_ibv_devinfo(const ToolOutput& output);

/// Device names of `ibv_devinfo -l`: "N HCAs found:", then one name a line. As above, "0 HCAs" and
/// a kernel without verbs give an empty list.
model::Seen<std::vector<std::string>> parse_ibv_devinfo_list(const ToolOutput& output);

} // namespace di::parse
