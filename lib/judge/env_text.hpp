// How rows name a variable: with its value, and where the value was read.
#pragma once

#include "judge/pod_rule.hpp"

#include <string>
#include <string_view>

namespace di::judge {

/// The value as the engine has it; nullptr when unset.
const std::string* value_of(const PodView& view, std::string_view name);

/// Why the value is not known, when the variable is set; else nullptr.
const model::Unseen* unknown_value(const PodView& view, std::string_view name);

/// Set, to a known value or another.
bool is_set(const PodView& view, std::string_view name);

/// "UCX_TLS=tcp (engine process)", or "UCX_TLS unset".
std::string name_value(const PodView& view, std::string_view name);

/// Adds variable, value and source; and, unless ok, the edit that `change` describes. A value that
/// nobody knows makes the finding skipped, unless it fails whatever the value is.
Finding about(const PodView& view, std::string_view name, Finding finding, std::string_view change);

} // namespace di::judge
