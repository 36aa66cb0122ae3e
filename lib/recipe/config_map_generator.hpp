// ConfigMaps that a kustomization generates, under the names that references use.
#pragma once

#include "recipe/files.hpp"
#include "recipe/objects.hpp"

#include <functional>
#include <vector>

namespace di::recipe {

/// Reads a file that the kustomization names; nullptr when it must not or cannot be read.
using NamedFileReader = std::function<const ParsedFile*(const Node& named)>;

/// Adds what `configMapGenerator` makes of literals, files and env files; `behavior: merge` and
/// `replace` change a ConfigMap that is there. Without the hash that kustomize appends to names.
void generate_config_maps(const Node& root,
                          const NamedFileReader& read,
                          std::vector<Object>& objects);

} // namespace di::recipe
