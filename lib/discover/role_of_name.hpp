// A role guessed from a name, when nothing else tells.
#pragma once

#include "model/inventory.hpp"

#include <optional>
#include <string_view>

namespace di::discover {

/// Exactly one of prefill and decode in a name, in any case of letters.
std::optional<model::Role> role_of_name(std::string_view name);

} // namespace di::discover
