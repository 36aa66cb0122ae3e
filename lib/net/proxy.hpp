// Which proxy a URL takes, by the rules of Go's net/http and golang.org/x/net/http/httpproxy:
// they differ from curl's, so curl is always told explicitly.
#pragma once

#include "base/result.hpp"
#include "model/client_config.hpp"
#include "net/url.hpp"

#include <string>

namespace di::net {

/// The proxy's URL, or "" for a direct connection. ErrorKind::config when the one that applies is
/// not an http, https or socks5 URL.
Result<std::string> choose_proxy(const Url& server, const model::ProxySettings& settings);

} // namespace di::net
