// Objects to components: which container runs the engine, what it gets, and who plays which role.
#pragma once

#include "model/component.hpp"
#include "model/finding.hpp"
#include "recipe/objects.hpp"

#include <vector>

namespace di::recipe {

struct ComponentList {
    std::vector<model::Component> components;
    std::vector<model::Check> checks; ///< rows about entries of their environments
};

/// `patches` are objects that lack what they patch: their components are partial.
ComponentList read_components(const std::vector<Object>& objects,
                              const std::vector<Object>& patches);

} // namespace di::recipe
