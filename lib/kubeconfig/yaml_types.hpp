// The types that Go gives to YAML nodes (YAML 1.1 scalars), and nodes as JSON text. Internal to
// this room.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <string_view>

namespace di::kubeconfig {

/// "object", "array", "bool", "number" or "string". Quoted scalars are always strings.
std::string_view type_of(const YAML::Node& node);

/// A plain scalar that YAML 1.1 reads as true.
bool is_true(const YAML::Node& node);

/// Nothing for a node that aliases make larger than any credential plugin's configuration.
std::optional<std::string> to_json(const YAML::Node& node);

} // namespace di::kubeconfig
