// One scalar in JSON spelling, which is also YAML's double-quoted or plain spelling.
#pragma once

#include "model/value.hpp"

#include <string>

namespace di::render {

std::string json_scalar(const model::Value& value);

} // namespace di::render
