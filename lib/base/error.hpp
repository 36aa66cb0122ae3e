// What stops the tool itself. A problem found in the cluster is a Check row, never an Error.
#pragma once

#include <cstdint>
#include <string>

namespace di {

enum class ErrorKind : std::uint8_t {
    usage,      ///< the command line is wrong                                    exit 2
    config,     ///< kubeconfig missing, broken or contradictory                  exit 4
    auth,       ///< credentials refused or unobtainable (401)                    exit 4
    permission, ///< the API server said no (403)                                 exit 4
    not_found,  ///< the named object does not exist (404), or nothing to check   exit 4
    network,    ///< the API server could not be reached, or is out of order      exit 4
    lost,       ///< a connection to it broke while in use                        exit 4
    protocol,   ///< the other side answered, but not what the protocol allows    exit 4
    parse,      ///< text that is not what its format says                        exit 3 or 4
    consent,    ///< an action needed a yes and did not get it                    exit 5
    internal,   ///< our own defect                                               exit 70
};

/// Printed as `error: <what> for <object>: <cause>` and, where there is one, `hint: <hint>`.
struct Error {
    ErrorKind kind = ErrorKind::internal;
    std::string what;   ///< what failed: "cannot list pods"
    std::string object; ///< for which object: "namespace prod"; may be empty
    std::string cause;  ///< why: "connection refused"; may be empty
    std::string hint;   ///< the next command to type; may be empty
};

/// The `error:` line, and the `hint:` line if there is one; each ends with a newline.
/// Control characters that came from elsewhere are escaped.
std::string to_text(const Error& error);

} // namespace di
