// Which KV connector an engine is told to use, by its arguments and its configuration file.
#pragma once

#include "judge/pod_rule.hpp"

#include <set>
#include <string>
#include <vector>

namespace di::judge {

/// Connectors (vLLM) or the transceiver's backend (TensorRT-LLM) as the settings name them; empty
/// when they do not say, or leave it to the engine.
std::set<std::string> named_connectors(const model::Worker& worker);

/// Flags of before --disaggregation-mode: engines of that age connect by NIXL unless told
/// otherwise.
bool has_older_flags(const std::vector<std::string>& words);

} // namespace di::judge
