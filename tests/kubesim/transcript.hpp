// A finished command, kept to answer the same command again (`--exec replay`).
#pragma once

#include "base/result.hpp"
#include "kubesim/process.hpp"
#include "kubesim/stop_signal.hpp"

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace di::kubesim {

struct Transcript {
    std::string output;
    std::string errors;
    int exit_code = 0;
};

/// Runs a command without stdin to its end. Errors: it could not start, or the run ended.
Result<Transcript> run_to_end(const Command& command, const StopSignal& stop);

/// The run's nonce: `$0` of `sh -c SCRIPT NONCE`; "" when the command has none.
std::string nonce_of(const std::vector<std::string>& argv);

/// Answers equal commands from one run. Two commands are equal when tree, argv without its nonce
/// and the pod's env as written in its template are equal.
class ReplayCache {
public:
    explicit ReplayCache(const StopSignal& stop)
        : stop_(stop) {}

    /// The command's own nonce stands wherever the first run's nonce stood.
    Result<Transcript> get(const Command& command, const std::string& env_template);

private:
    struct Recorded {
        std::string nonce;
        std::shared_future<std::shared_ptr<const Result<Transcript>>> result;
    };

    const StopSignal& stop_;
    std::mutex mutex_;
    std::map<std::string, Recorded> recorded_;
};

} // namespace di::kubesim
