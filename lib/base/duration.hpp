// Durations as kubectl's flags write them.
#pragma once

#include "base/clock.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace di {

/// Go's notation: "300ms", "20s", "1m30s", "1.5h"; a bare whole number is seconds, as in kubectl.
/// Nothing for anything else, negative values and values of more than a year included.
std::optional<Millis> parse_duration(std::string_view text);

/// The short form: "0s", "250ms", "20s", "1m30s".
std::string to_text(Millis duration);

} // namespace di
