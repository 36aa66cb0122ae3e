// Judging what one tool printed, without a cluster and without the rest of the probe. Pure.
#pragma once

#include "model/finding.hpp"
#include "model/tool.hpp"

#include <string>

namespace di::judge {

/// One row: the tool's own question, judged from its output alone. The subject is the pod that it
/// was captured in, or the file. Without a pod's name the next step is for a shell in the pod.
model::Check
judge_tool(model::Tool tool, const model::ToolReading& reading, const model::Subject& subject);

} // namespace di::judge
