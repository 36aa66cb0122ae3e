// URLs of API servers and proxies, and the escaping of their parts.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace di::net {

struct Url {
    std::string scheme;    ///< lower case
    std::string host;      ///< IPv6 without brackets
    int port = 0;          ///< never 0 after parsing: the scheme's own when none was given
    std::string path;      ///< "" or "/prefix", no slash at the end
    std::string user_info; ///< of a proxy; "" when there is none

    [[nodiscard]] bool is_tls() const { return scheme == "https"; }

    /// "host:port" with brackets for IPv6; the port is left out when it is the scheme's own.
    [[nodiscard]] std::string authority() const;

    /// Without the path and without user info: fit for messages.
    [[nodiscard]] std::string origin() const;
};

/// ErrorKind::config when the text is no URL with a scheme and a host, or has an unbracketed
/// IPv6 address. Query and fragment are dropped.
Result<Url> parse_url(std::string_view text);

/// Percent-encodes all but unreserved characters (RFC 3986, 2.3).
std::string escape(std::string_view part);

/// The same for a value in a query, where a space is "+" and / and : may stand (RFC 3986, 3.4): a
/// request line is short.
std::string escape_query(std::string_view value);

} // namespace di::net
