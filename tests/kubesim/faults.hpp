// Misbehaviour on demand: what `--fault KIND[:ARG]` switches on.
#pragma once

#include "base/clock.hpp"
#include "base/result.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::kubesim {

/// `[VERB:]RESOURCE[/SUBRESOURCE]`: requests that are answered with 403.
struct Denial {
    std::string verb; ///< "" for every verb
    std::string resource;
    std::string subresource;
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

struct Faults {
    bool unauthorized = false;
    bool no_crd = false;
    bool no_v5 = false;
    bool namespaced_only = false;
    std::vector<Denial> forbidden;
    std::optional<std::string> exec_truncate; ///< a pod's name, or "" for all
    std::optional<std::string> exec_hang;     ///< the same
    int exec_refuse_upgrade = 0;              ///< HTTP status; 0: off
    Millis slow_exec{0};
    Countdown expired_continue;
    Countdown server_error;
    Countdown too_many_requests;
};

/// Adds one fault; the error says what the argument must be.
Outcome add_fault(Faults& faults, std::string_view text);

/// A `forbidden` argument as text.
std::optional<Denial> parse_denial(std::string_view text);

/// One line a kind, for --help.
std::string describe_faults();

} // namespace di::kubesim
