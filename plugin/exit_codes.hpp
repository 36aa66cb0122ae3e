// The exit codes that scripts rely on.
#pragma once

#include "base/error.hpp"

namespace di::app {

inline constexpr int k_exit_ok = 0;
inline constexpr int k_exit_usage = 2;
inline constexpr int k_exit_could_not_run = 4;
inline constexpr int k_exit_refused = 5;
inline constexpr int k_exit_internal = 70;
inline constexpr int k_exit_interrupted = 130;

/// 2 for a wrong command line, 5 for a missing consent, 70 for our own defect, else 4.
constexpr int exit_code(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::usage:
        return k_exit_usage;
    case ErrorKind::consent:
        return k_exit_refused;
    case ErrorKind::internal:
        return k_exit_internal;
    default:
        return k_exit_could_not_run;
    }
}

} // namespace di::app
