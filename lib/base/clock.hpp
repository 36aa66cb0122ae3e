// Time as a parameter: nothing under lib/ reads the clock by itself.
#pragma once

#include <chrono>

namespace di {

using Instant = std::chrono::steady_clock::time_point;
using Millis = std::chrono::milliseconds;

class Clock {
public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    Clock(Clock&&) = delete;
    Clock& operator=(Clock&&) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual Instant now() const = 0;
};

/// The machine's monotonic clock.
class SteadyClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return std::chrono::steady_clock::now(); }
};

} // namespace di
