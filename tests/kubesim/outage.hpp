// The fault `restart`: the server goes away in the middle of a run and comes back.
#pragma once

#include "kubesim/faults.hpp"

#include <atomic>
#include <chrono>
#include <optional>

namespace di::kubesim {

class Outage {
public:
    explicit Outage(std::optional<Restart> restart)
        : restart_(restart) {
        execs_.set(restart ? restart->after : 0);
    }

    /// Counts an exec; true for the one with which the outage begins.
    bool begins() {
        if (!restart_ || execs_.take() || begun_.exchange(true)) {
            return false;
        }
        over_ = (now() + restart_->away).count();
        return true;
    }

    [[nodiscard]] bool lasts() const { return now().count() < over_; }

private:
    static Millis now() {
        return std::chrono::duration_cast<Millis>(
            std::chrono::steady_clock::now().time_since_epoch());
    }

    std::optional<Restart> restart_;
    Countdown execs_; ///< that are still answered
    std::atomic<bool> begun_ = false;
    std::atomic<Millis::rep> over_ = 0;
};

} // namespace di::kubesim
