// Plan -> results: bounded, ramped, each task ended exactly once, whatever the pods do.
#pragma once

#include "base/clock.hpp"
#include "model/exec_transport.hpp"
#include "model/probe.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace di::probe {

struct Limits {
    std::size_t max_parallel = 32; ///< execs open at the same time
    Millis probe_timeout{20'000};  ///< for one exec, from its start
    Instant run_deadline{};        ///< for the whole run
};

/// What the caller wants to say or hear while execs run; both may be called often.
struct Watch {
    std::function<bool()> interrupted; ///< true ends the run
    std::function<void(std::size_t ended, std::size_t total)> progress;
};

struct FanOut {
    std::vector<model::RawResult> results; ///< one for each task, in the plan's order
    int execs = 0;                         ///< started, retries included
    std::string cut_short;                 ///< why not every exec had its time; empty if all had
};

/// Runs every task. Parallelism starts small and grows by one with each exec that ends, up to
/// `max_parallel`, so that a load balancer meets a slope and not a wall. An exec that was lost on
/// the way is asked once more, after its `retry_after`; one that ran out of time is not. One that
/// found no server is tried up to three times more.
/// `interrupted` is asked after each wait.
FanOut fan_out(const model::Plan& plan,
               model::ExecTransport& transport,
               const Clock& clock,
               const Limits& limits,
               const Watch& watch);

} // namespace di::probe
