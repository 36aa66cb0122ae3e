// `ls` of a directory or of a device node, GNU or busybox.
#pragma once

#include "model/observation.hpp"
#include "parse/tool_output.hpp"

namespace di::parse {

/// Names as printed, in the short or the long form (`ls -l`). A path that does not exist is a fact
/// too; one that may not be looked at is not.
model::Seen<model::Listing> parse_listing(const ToolOutput& output);

} // namespace di::parse
