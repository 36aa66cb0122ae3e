// HTTP as values: what is asked, what is answered, and where.
#pragma once

#include "base/clock.hpp"
#include "model/client_config.hpp"
#include "net/url.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace di::net {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Tls {
    std::string ca_pem;         ///< the only trusted roots; "" means the system's
    std::string system_ca_file; ///< those, when they are not where libcurl looks
    model::TlsVerification verification = model::TlsVerification::verify;
    std::string server_name; ///< SNI and verified name; "" means the URL's host
    std::string certificate_pem;
    model::Secret key_pem;
};

/// Where to connect and how: the same for ordinary requests and for raw connections.
struct Endpoint {
    Url url;                        ///< the origin and path prefix
    std::string proxy;              ///< URL of the proxy; "" means none
    std::shared_ptr<const Tls> tls; ///< never null; ignored for http
    Millis connect_timeout{4'500};  ///< name lookup, TCP, proxy and TLS together
};

enum class Method : std::uint8_t { get, post };

struct Request {
    Endpoint endpoint;
    Method method = Method::get;
    std::string target; ///< below the endpoint's path prefix, with its query, percent-encoded
    Headers headers;
    std::string body;                               ///< for post
    Millis timeout{0};                              ///< from beginning to end; 0 means none
    std::size_t max_body = std::size_t{256} << 20U; ///< a longer answer is an error
    model::Compression compression = model::Compression::allowed;
};

struct Response {
    int status = 0;
    Headers headers; ///< of the final answer only
    std::string body;

    /// The first header of that name (any case), or nothing.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
};

} // namespace di::net
