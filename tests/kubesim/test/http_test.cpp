#include "kubesim/http.hpp"

#include <catch2/catch.hpp>

using namespace di::kubesim;

namespace {

constexpr std::string_view k_head = "GET /api/v1/pods?limit=5&x=a+b HTTP/1.1\r\n"
                                    "Host: 127.0.0.1:1\r\n"
                                    "Sec-WebSocket-Protocol:  v5.channel.k8s.io \r\n"
                                    "X-Twice: first\r\n"
                                    "X-Twice: second";

} // namespace

TEST_CASE("a request's head is taken apart", "[kubesim][http]") {
    const auto request = parse_request_head(k_head);
    REQUIRE(request.has_value());
    CHECK(request->method == "GET");
    CHECK(request->path == "/api/v1/pods");
    CHECK(request->raw_query == "limit=5&x=a+b");
    CHECK(first_value(request->query, "x") == "a b");
    CHECK(request->header("host") == "127.0.0.1:1");
    CHECK(request->header("sec-websocket-protocol") == "v5.channel.k8s.io");
    CHECK(request->header("x-twice") == "first");
    CHECK(request->header("nothing").empty());
}

TEST_CASE("a head that is none is refused", "[kubesim][http]") {
    const auto* const head = GENERATE("",
                                      "GET",
                                      "GET /",
                                      "GET / HTTP/2.0",
                                      "GET http://x/ HTTP/1.1",
                                      "GET  / HTTP/1.1",
                                      "GET / HTTP/1.1 x",
                                      "GET / HTTP/1.1\r\nno colon",
                                      "\r\n\r\n",
                                      "\x16\x03\x01");
    CAPTURE(head);
    CHECK_FALSE(parse_request_head(head).has_value());
}

TEST_CASE("no cut of a head does harm", "[kubesim][http]") {
    for (std::size_t length = 0; length < k_head.size(); ++length) {
        CAPTURE(length);
        const auto request = parse_request_head(k_head.substr(0, length));
        CHECK((!request || request->method == "GET"));
    }
}

TEST_CASE("a response says how long it is", "[kubesim][http]") {
    CHECK(to_bytes({.status = 200, .body = "{}"}) == "HTTP/1.1 200 OK\r\n"
                                                     "Content-Type: application/json\r\n"
                                                     "Content-Length: 2\r\n\r\n{}");
    CHECK(to_bytes({.status = 403}) == "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    CHECK(to_bytes({.status = 101, .headers = {{"Upgrade", "websocket"}}}) ==
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");
    CHECK(to_bytes({.status = 599}).substr(0, 20) == "HTTP/1.1 599 Unknown");
}
