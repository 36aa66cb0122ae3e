// The end of the run, as a descriptor that every poll can include.
#pragma once

#include "base/clock.hpp"
#include "kubesim/handles.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <cstdint>

namespace di::kubesim {

class StopSignal {
public:
    StopSignal()
        : event_(::eventfd(0, EFD_CLOEXEC)) {}

    /// From now on `fd()` stays readable.
    void stop() {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
    }

    [[nodiscard]] int fd() const { return event_.get(); }

    /// Sleeps; true when the run ended meanwhile.
    [[nodiscard]] bool wait_for(Millis duration) const {
        pollfd stopped{event_.get(), POLLIN, 0};
        return ::poll(&stopped, 1, static_cast<int>(duration.count())) > 0;
    }

private:
    UniqueFd event_;
};

} // namespace di::kubesim
