// RDMA devices as sysfs shows them. The files are the host's: what a pod may open is another
// matter.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// `path:value` lines of the files under /sys/class/infiniband (Linux ABI sysfs-class-infiniband),
/// as `grep -r .` prints them, with absolute, resolved or relative paths, and uverbsN/ibdev:NAME of
/// /sys/class/infiniband_verbs. Devices and ports come in the order in which they appear. An empty
/// list is a fact: the kernel has no RDMA device. In text that was cut, a last line that may have
/// gone on counts only where a longer text could not mean something else, and marks its device.
model::Seen<std::vector<model::RdmaDevice>> parse_sysfs(const ToolOutput& output);

} // namespace di::parse
