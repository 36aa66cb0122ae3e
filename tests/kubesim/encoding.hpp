// Byte and text encodings that HTTP and the Kubernetes API use.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace di::kubesim {

std::string base64(std::string_view bytes);

/// Nothing when the text is not standard base64.
std::optional<std::string> from_base64(std::string_view text);

/// Percent-decoding; in a query, `+` is a space. A malformed escape stays as it is.
enum class UrlPart { path, query };
std::string url_decode(std::string_view text, UrlPart part);

/// The pairs of a query string in their order; keys may repeat.
using Query = std::vector<std::pair<std::string, std::string>>;
Query parse_query(std::string_view text);

/// The first value of a key, or "".
std::string first_value(const Query& query, std::string_view key);

/// A query flag as the API server reads it: missing, `0` and `false` are false, all else is true.
bool flag_value(const Query& query, std::string_view key);

/// `Sec-WebSocket-Accept` for a key (RFC 6455, section 4.2.2).
std::string websocket_accept(std::string_view key);

/// `bytes` random bytes in hexadecimal.
std::string random_hex(std::size_t bytes);

} // namespace di::kubesim
