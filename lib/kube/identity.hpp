// Request headers that say who asks. Pure.
#pragma once

#include "base/result.hpp"
#include "model/client_config.hpp"
#include "net/http.hpp"

namespace di::kube {

/// User-Agent, Authorization and Impersonate-*. Over plain http nothing secret is sent, as in
/// client-go. ErrorKind::auth when a value cannot be a header value; it is not quoted.
Result<net::Headers> identity_headers(const model::ClientConfig& config,
                                      const model::Credentials& credentials,
                                      const net::Url& server);

} // namespace di::kube
