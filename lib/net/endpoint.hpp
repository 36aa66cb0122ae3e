// One way to reach a server, for ordinary requests and raw connections alike: TLS, proxy, SNI and
// timeouts set on a curl handle in one place. Internal to this room.
#pragma once

#include "base/result.hpp"
#include "net/curl_handles.hpp"
#include "net/failure.hpp"
#include "net/http.hpp"

#include <string>

namespace di::net {

/// What a handle needs beside it, as long as it lives.
struct EndpointLists {
    List connect_to; ///< where the URL's host really is, when TLS uses another name
};

/// Sets everything about the way to `endpoint`; `target` is appended to its path prefix.
/// ErrorKind::internal or config when libcurl refuses an option.
Outcome
apply(CURL* easy, const Endpoint& endpoint, const std::string& target, EndpointLists& lists);

/// The Host header for requests to that endpoint.
std::string host_header(const Endpoint& endpoint);

/// Why a handle's transfer or connection failed. `error_buffer` is CURLOPT_ERRORBUFFER's text.
Error transfer_error(CURL* easy, CURLcode code, const Endpoint& endpoint, const char* error_buffer);

} // namespace di::net
