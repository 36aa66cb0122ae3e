// The verdict over manifests: what is configured, and nothing more. Pure.
#pragma once

#include "model/component.hpp"
#include "verdict/roll_up.hpp"

#include <vector>

namespace di::verdict {

/// A fail in a graph that is split blocks; a file or value that could not be read leaves it
/// inconclusive; a warning degrades. A graph without a split has no say. Rows about components and
/// pairs carry their component's group as the subject's namespace; rows about files count always.
RollUp weigh_settings(const std::vector<model::Component>& components,
                      const std::vector<model::Check>& checks,
                      const Options& options);

} // namespace di::verdict
