// When an answer is worth asking for again. Pure.
#pragma once

#include "base/clock.hpp"
#include "net/http.hpp"

#include <optional>

namespace di::net {

/// How long to wait before the next attempt, or nothing when the answer stands. `attempt` counts
/// from 0. Overload (429) and gateway troubles (502, 503, 504; 500 only when the server names a
/// time) are retried at most three times, in the server's Retry-After seconds or 100 ms, 200 ms,
/// 400 ms. A server that asks for more than 10 s is taken at its word: no.
std::optional<Millis> retry_delay(const Response& response, int attempt);

} // namespace di::net
