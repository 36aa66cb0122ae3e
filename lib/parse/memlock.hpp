// The limit of locked memory, in its two spellings.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// `ulimit -l`: "unlimited" or KiB (POSIX shells; bash, dash and busybox agree).
model::Seen<model::Memlock> parse_ulimit_memlock(const ToolOutput& output);

/// "Max locked memory  <soft>  <hard>  bytes" of /proc/<pid>/limits: the soft limit, in bytes.
model::Seen<model::Memlock> parse_limits_memlock(const ToolOutput& output);

} // namespace di::parse
