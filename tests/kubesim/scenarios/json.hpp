// API objects as values, and their JSON text.
#pragma once

#include "kubesim/scenarios/vocabulary.hpp"
#include "model/value.hpp"

#include <string>

namespace di::kubesim::scenarios {

using model::Value;
using Object = Value::Object;
using Array = Value::Array;

/// A map of strings, such as labels.
Value map(const Pairs& pairs);

/// A list of the API: apiVersion, kind, metadata and the items.
Value list(const std::string& version, const std::string& kind, Array items);

/// Compact, in the order in which members were set.
std::string to_json(const Value& value);

} // namespace di::kubesim::scenarios
