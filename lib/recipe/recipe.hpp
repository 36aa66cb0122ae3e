// Manifests and recipes on disk, read as Kubernetes would: per component the environment that its
// engine really gets.
#pragma once

#include "model/component.hpp"
#include "model/finding.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace di::recipe {

struct Recipe {
    std::vector<model::Component> components; ///< in the order of files and objects
    std::vector<model::Check> checks;         ///< files that could not be read, odd entries
    std::vector<std::string> absent;          ///< paths that do not exist; each has its row, too
    std::size_t files = 0;                    ///< that were read
};

/// Files and folders (with all that lies below) as `kubectl apply -R -f` finds them; kustomizations
/// are rendered. A problem of one file is a row and stops no other.
Recipe read_recipe(const std::vector<std::string>& paths);

} // namespace di::recipe
