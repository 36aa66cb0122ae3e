// A plan as a person reads it before allowing it.
#pragma once

#include "render/document.hpp"
#include "render/table.hpp"

#include <string>

namespace di::render {

/// Which containers would be entered, what is asked of the API server, and the script itself.
std::string render_plan_table(const PlanView& view, const TableStyle& style);

} // namespace di::render
