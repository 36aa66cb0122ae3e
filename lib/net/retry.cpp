#include "net/retry.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>

namespace di::net {

std::optional<Millis> retry_delay(const Response& response, int attempt) {
    constexpr int k_attempts = 3;
    constexpr std::uint64_t k_longest_wait = 10; // seconds
    constexpr std::array k_passing{429, 502, 503, 504};
    const auto header = response.find("Retry-After");
    const auto seconds = header ? parse_unsigned(trim(*header)) : std::nullopt;
    const bool passing =
        std::find(k_passing.begin(), k_passing.end(), response.status) != k_passing.end() ||
        (response.status == 500 && seconds);
    if (!passing || attempt >= k_attempts || (seconds && *seconds > k_longest_wait)) {
        return std::nullopt;
    }
    return seconds ? Millis(*seconds * 1000) : Millis(100 << static_cast<unsigned>(attempt));
}

} // namespace di::net
