// What is asked of a container, and what came back: the hand-over between plan, exec and parsers.
#pragma once

#include "model/observation.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace di::model {

/// One exec. `worker` is the index in Inventory::workers.
struct ProbeTask {
    std::size_t worker = 0;
    std::string ns;
    std::string pod;
    std::string container;
    std::vector<std::string> argv;
};

struct Plan {
    std::vector<ProbeTask> tasks;
    std::string nonce; ///< marks this run's sections; unguessable by pod output
};

/// How one exec ended. Results are ordered like the tasks, whatever order they arrived in.
struct RawResult {
    ExecOutcome outcome = ExecOutcome::cancelled;
    int exit_code = 0; ///< of the remote command; only when completed
    std::string out;   ///< stdout, capped
    std::string err;   ///< stderr, capped
    /// When refused: which kind of refusal, as a skip reason (no_permission, tool_missing,
    /// not_running, unreadable), and the server's words in `detail`.
    SkipReason refusal = SkipReason::unreadable;
    std::string detail;
    ExecRoute route = ExecRoute::websocket;
    std::chrono::milliseconds duration{0};
    bool retryable = false; ///< lost on the way before the exit status; reading again is harmless
    std::chrono::milliseconds retry_after{0}; ///< when retryable: how long to wait first
    bool unreached = false; ///< when retryable: there was no connection, so nothing was asked
};

} // namespace di::model
