// A transfer that got no answer, in the words kubectl's users know. Pure.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>

namespace di::net {

enum class FailureKind : std::uint8_t {
    refused,     ///< nothing listens there
    unreachable, ///< no route, network down
    name_lookup, ///< of the server
    proxy,       ///< its name, its answer, its credentials
    certificate, ///< the server's was not trusted
    tls,         ///< any other trouble with TLS
    timeout,
    too_long, ///< the answer exceeds its bound
    broken,   ///< reset, cut short, or not HTTP
};

struct Failure {
    FailureKind kind = FailureKind::broken;
    std::string server; ///< authority: host[:port]
    std::string host;
    std::string proxy;    ///< its URL without user info; "" when there is none
    int proxy_answer = 0; ///< HTTP status of a CONNECT; 0 when there was none
    std::string detail;   ///< the library's words
};

/// ErrorKind::network, or lost for what broke while in use, with a cause and a next command that
/// fit the kind.
Error to_error(const Failure& failure);

} // namespace di::net
