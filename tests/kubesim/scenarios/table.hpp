// The scenarios themselves.
#pragma once

#include "kubesim/scenarios/vocabulary.hpp"

#include <vector>

namespace di::kubesim::scenarios {

/// Made anew at each call; the order is the one of `names`.
std::vector<Scenario> all();

} // namespace di::kubesim::scenarios
