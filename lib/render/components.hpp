// Components of manifests: as a document, and as a table of their transport variables.
#pragma once

#include "model/component.hpp"
#include "render/table.hpp"

#include <string>
#include <vector>

namespace di::render {

/// components[] of a report.
model::Value component_value(const model::Component& component);

/// One row a variable; `normal` leaves out components that move no KV and variables that are not
/// read. Empty when there is none.
std::string render_components(const std::vector<model::Component>& components,
                              const TableStyle& style);

} // namespace di::render
