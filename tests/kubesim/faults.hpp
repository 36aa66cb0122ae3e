// Misbehaviour on demand: what `--fault KIND[:ARG]` switches on.
#pragma once

#include "base/clock.hpp"
#include "base/result.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::kubesim {

/// `[VERB:]RESOURCE[/SUBRESOURCE][=NAME]`: requests that are answered with 403.
struct Denial {
    std::string verb; ///< "" for every verb
    std::string resource;
    std::string subresource;
    std::string name = {}; ///< "" for every object
};

/// What can go wrong with the exec of one pod, or of all.
enum class ExecFault : std::uint8_t {
    truncate,  ///< the connection ends within the output
    reset,     ///< the same by a TCP reset
    stall,     ///< a part of the output, then silence: a tool that hangs in the kernel
    dies,      ///< a part of the output, then exit code 137: the container was killed
    hang,      ///< nothing at all
    no_status, ///< all of the output and a normal close, but no Status
    fails,     ///< the runtime cannot start the command, and repeats it in its message
    early,     ///< the same as an answer before the upgrade
    deleted,   ///< the pod is gone since it was listed
    restarted, ///< the container is
};

/// Counts down from N, over all connections.
class Countdown {
public:
    void set(unsigned count) { left_ = count; }

    /// True for the first N calls.
    bool take();

private:
    std::atomic<unsigned> left_ = 0;
};

/// The server goes away in the middle of a run and comes back.
struct Restart {
    unsigned after = 0; ///< execs
    Millis away{0};     ///< connections are reset meanwhile
};

struct Faults {
    bool unauthorized = false;
    bool no_crd = false;
    bool no_v5 = false;
    bool namespaced_only = false;
    std::vector<Denial> forbidden;
    std::map<ExecFault, std::string> exec; ///< a pod's name, or "" for all
    int exec_refuse_upgrade = 0;           ///< HTTP status; 0: off
    bool html = false;
    std::string warning; ///< the text of a Warning header; "" is none
    Millis slow_exec{0};
    Millis slow_list{0};
    Millis slow_review{0};
    Countdown expired_continue;
    Countdown server_error;
    Countdown bad_gateway;
    Countdown too_many_requests;
    Countdown busy_exec;
    Countdown connection_reset;
    std::optional<Restart> restart;

    [[nodiscard]] bool concerns(ExecFault fault, const std::string& pod) const;
};

/// Adds one fault; the error says what the argument must be.
Outcome add_fault(Faults& faults, std::string_view text);

/// A `forbidden` argument as text.
std::optional<Denial> parse_denial(std::string_view text);

/// One line a kind, for --help.
std::string describe_faults();

} // namespace di::kubesim
