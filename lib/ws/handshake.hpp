// The WebSocket opening handshake, client side (RFC 6455, section 4).
#pragma once

#include "base/result.hpp"
#include "ws/http_head.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace di::ws {

using Nonce = std::array<std::uint8_t, 16>;

struct UpgradeRequest {
    std::string target;                 ///< path and query, percent-encoded
    std::string host;                   ///< the Host header: host[:port], IPv6 in brackets
    Nonce nonce{};                      ///< fresh and random for each request
    std::vector<std::string> protocols; ///< offered in this order, in ONE header line
    std::vector<std::pair<std::string, std::string>> headers; ///< added as they are
};

/// Standard base64 with padding (RFC 4648, section 4).
std::string to_base64(std::string_view bytes);

/// The bytes to send: `GET target HTTP/1.1` and its headers.
std::string make_upgrade(const UpgradeRequest& request);

/// The Sec-WebSocket-Accept value that answers `nonce`.
std::string expected_accept(const Nonce& nonce);

/// The subprotocol that a 101 answer chose. ErrorKind::protocol when anything in it breaks the
/// handshake's rules: headers missing or wrong, a protocol or extension that was not offered.
Result<std::string> check_upgrade(const ResponseHead& head, const UpgradeRequest& request);

} // namespace di::ws
