// HTTP/1.1, as much as kubectl and the plugin speak (RFC 9112).
#pragma once

#include "base/result.hpp"
#include "kubesim/encoding.hpp"
#include "kubesim/tls_stream.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace di::kubesim {

struct Request {
    std::string method;
    std::string path;      ///< as sent, still percent-encoded
    std::string raw_query; ///< as sent, without `?`
    Query query;
    std::map<std::string, std::string, std::less<>> headers; ///< lower-case names, first values
    std::string body;

    [[nodiscard]] std::string header(std::string_view name) const;
};

struct Response {
    int status = 200;
    std::string body = {};
    std::string content_type = "application/json";
    std::vector<std::pair<std::string, std::string>> headers = {};
};

/// The head of a request, without its final empty line; nothing when it is malformed.
std::optional<Request> parse_request_head(std::string_view head);

/// A response's bytes, with Content-Length; the connection stays open.
std::string to_bytes(const Response& response);

/// Reads the requests of one connection, in turn.
class RequestReader {
public:
    explicit RequestReader(TlsStream& stream)
        : stream_(stream) {}

    /// The next request with its body; nothing when the client is done, gone or talks nonsense.
    std::optional<Request> next();

    /// Bytes that came after the last request: the first frames of an upgraded connection.
    std::string take_rest() { return std::exchange(buffer_, {}); }

private:
    bool read_more();

    TlsStream& stream_;
    std::string buffer_;
};

} // namespace di::kubesim
