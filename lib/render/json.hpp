// A Value as text. Output is ASCII: whatever a pod printed arrives escaped and cannot move a
// terminal.
#pragma once

#include "model/value.hpp"

#include <string>
#include <string_view>

namespace di::render {

/// Indented by two spaces, ends with a newline. Bytes that are not UTF-8 become U+FFFD.
std::string render_json(const model::Value& value);

/// The same document as block-style YAML 1.2; strings that a reader could take for something else
/// are double-quoted.
std::string render_yaml(const model::Value& value);

} // namespace di::render
