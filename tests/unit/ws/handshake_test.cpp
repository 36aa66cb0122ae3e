#include "ws/handshake.hpp"

#include <catch2/catch.hpp>

using namespace di;

namespace {

ws::UpgradeRequest sample() {
    ws::UpgradeRequest request;
    request.target = "/exec?command=sh";
    request.host = "[fd00::1]:6443";
    // The nonce of RFC 6455's own example, section 1.3.
    request.nonce = {
        't', 'h', 'e', ' ', 's', 'a', 'm', 'p', 'l', 'e', ' ', 'n', 'o', 'n', 'c', 'e'};
    request.protocols = {"v5.channel.k8s.io", "v4.channel.k8s.io"};
    request.headers = {{"Authorization", "Bearer x"}};
    return request;
}

ws::ResponseHead answer() {
    ws::ResponseHead head;
    head.status = 101;
    head.headers = {{"upgrade", "WebSocket"},
                    {"CONNECTION", "keep-alive, Upgrade"},
                    {"Sec-Websocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="},
                    {"Sec-WebSocket-Protocol", "v5.channel.k8s.io"}};
    return head;
}

} // namespace

TEST_CASE("the upgrade request offers all protocols in one line") {
    CHECK(ws::make_upgrade(sample()) ==
          "GET /exec?command=sh HTTP/1.1\r\n"
          "Host: [fd00::1]:6443\r\n"
          "Connection: Upgrade\r\n"
          "Upgrade: websocket\r\n"
          "Sec-WebSocket-Version: 13\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
          "Sec-WebSocket-Protocol: v5.channel.k8s.io, v4.channel.k8s.io\r\n"
          "Authorization: Bearer x\r\n\r\n");
}

TEST_CASE("the accept value is that of RFC 6455's example") {
    CHECK(ws::expected_accept(sample().nonce) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST_CASE("an answer by the rules gives its subprotocol") {
    const auto chosen = ws::check_upgrade(answer(), sample());
    REQUIRE(chosen);
    CHECK(*chosen == "v5.channel.k8s.io");
}

TEST_CASE("an answer against the rules is a protocol error") {
    struct Case {
        std::size_t header;
        std::string value;
        std::string cause;
    };

    const auto wrong = GENERATE(values<Case>({
        {0, "h2c", "other than WebSocket"},
        {1, "close", "other than WebSocket"},
        {2, "s3pPLMBiTxaQ9kYGzzhZRbK+xOO=", "does not answer our key"},
        {2, "", "does not answer our key"},
        {3, "v3.channel.k8s.io", "not offered: v3.channel.k8s.io"},
        {3, "", "chose no subprotocol"},
    }));
    auto head = answer();
    head.headers.at(wrong.header).second = wrong.value;
    const auto chosen = ws::check_upgrade(head, sample());
    REQUIRE_FALSE(chosen);
    CHECK(chosen.error().kind == ErrorKind::protocol);
    CHECK_THAT(chosen.error().cause, Catch::Contains(wrong.cause));
}

TEST_CASE("an extension that was not offered is a protocol error") {
    auto head = answer();
    head.headers.emplace_back("Sec-WebSocket-Extensions", "permessage-deflate");
    CHECK_FALSE(ws::check_upgrade(head, sample()));
}
