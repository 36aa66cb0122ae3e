// The door between fan-out and the network: execs that run side by side on one thread.
#pragma once

#include "base/clock.hpp"
#include "model/probe.hpp"

#include <cstddef>
#include <vector>

namespace di::model {

/// One exec that came to its end; `task` is the index given to start().
struct EndedExec {
    std::size_t task = 0;
    RawResult result;
};

/// Runs execs concurrently. Single-threaded: nothing happens outside start(), wait() and cancel().
class ExecTransport {
public:
    ExecTransport() = default;
    ExecTransport(const ExecTransport&) = delete;
    ExecTransport& operator=(const ExecTransport&) = delete;
    ExecTransport(ExecTransport&&) = delete;
    ExecTransport& operator=(ExecTransport&&) = delete;
    virtual ~ExecTransport() = default;

    /// Begins an exec and returns at once. Failures come back through wait().
    virtual void start(std::size_t task, const ProbeTask& what) = 0;

    /// Works on all open execs until at least one ended, `until` is reached, or the run is
    /// interrupted; returns those that ended, in order of arrival (possibly none).
    virtual std::vector<EndedExec> wait(Instant until) = 0;

    /// Drops an exec that is under way and returns what it had printed; wait() will not report it.
    virtual RawResult cancel(std::size_t task) = 0;
};

} // namespace di::model
