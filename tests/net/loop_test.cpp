#include "net/fixtures.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <array>

using namespace di;
using namespace di::test;

TEST_CASE("a request is sent as asked, and its answer is a value whatever its status") {
    std::string seen;
    ScriptedServer server(Wire::tls, each_request([&](const std::string& head) {
                              seen = head;
                              return answer(418, "short", "X-Kind: teapot\r\n");
                          }));
    const auto loop = open_loop();
    auto request = get(server, "/api?a=%20b");
    request.endpoint.url.path = "/k8s/clusters/c-1";
    request.headers = {{"Authorization", "Bearer t"}, {"Accept", "application/json"}};
    const auto response = loop->fetch(request);
    REQUIRE(response);
    CHECK(response->status == 418);
    CHECK(response->body == "short");
    CHECK(response->find("x-kind") == "teapot");
    CHECK_THAT(seen, Catch::StartsWith("GET /k8s/clusters/c-1/api?a=%20b HTTP/1.1\r\n"));
    CHECK_THAT(seen, Catch::Contains(fmt::format("Host: 127.0.0.1:{}\r\n", server.port())));
    CHECK_THAT(seen, Catch::Contains("Authorization: Bearer t\r\n"));
}

TEST_CASE("requests one after the other share a connection") {
    ScriptedServer server(Wire::tls, each_request([](const auto&) { return answer(200, "x"); }));
    const auto loop = open_loop();
    for (int i = 0; i < 3; ++i) {
        CHECK(loop->fetch(get(server)));
    }
    CHECK(server.connections() == 1);
}

TEST_CASE("a body is sent with a post") {
    std::string body;
    ScriptedServer server(Wire::tls, [&](Peer& peer) {
        peer.read_head();
        body = peer.read_until("}");
        peer.write(answer(201, ""));
    });
    const auto loop = open_loop();
    auto request = get(server);
    request.method = net::Method::post;
    request.body = R"({"kind":"x"})";
    const auto response = loop->fetch(request);
    REQUIRE(response);
    CHECK(response->status == 201);
    CHECK(body == R"({"kind":"x"})");
}

TEST_CASE("a compressed body is undone, unless compression is off") {
    std::string seen;
    // gzip of "hello\n"
    const std::string_view zipped("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\xe7"
                                  "\x02\x00\x20\x30\x3a\x36\x06\x00\x00\x00",
                                  26);
    ScriptedServer server(Wire::tls, each_request([&](const std::string& head) {
                              seen = head;
                              return answer(200, zipped, "Content-Encoding: gzip\r\n");
                          }));
    const auto loop = open_loop();
    auto request = get(server);
    auto response = loop->fetch(request);
    REQUIRE(response);
    CHECK(response->body == "hello\n");
    CHECK_THAT(seen, Catch::Contains("gzip"));
    request.compression = model::Compression::off;
    response = loop->fetch(request);
    REQUIRE(response);
    CHECK(response->body == zipped);
    CHECK_THAT(seen, !Catch::Contains("Accept-Encoding"));
}

TEST_CASE("redirects are not followed") {
    ScriptedServer server(Wire::tls, each_request([](const auto&) {
                              return answer(307, "", "Location: /elsewhere\r\n");
                          }));
    const auto response = open_loop()->fetch(get(server));
    REQUIRE(response);
    CHECK(response->status == 307);
}

TEST_CASE("only the given roots are trusted, for the name that was asked") {
    ScriptedServer server(Wire::tls, each_request([](const auto&) { return answer(200, "x"); }));
    const ScriptedServer stranger(Wire::tls, [](Peer&) {});
    const auto loop = open_loop();
    auto request = get(server);
    const auto with = [&](auto change) {
        auto tls = std::make_shared<net::Tls>(*endpoint_of(server).tls);
        change(*tls);
        request.endpoint.tls = std::move(tls);
        return loop->fetch(request);
    };
    const auto untrusted = with([&](net::Tls& tls) { tls.ca_pem = stranger.certificate_pem(); });
    REQUIRE_FALSE(untrusted);
    CHECK(untrusted.error().kind == ErrorKind::network);
    CHECK_THAT(untrusted.error().cause, Catch::Contains("failed to verify certificate"));
    CHECK_FALSE(with([](net::Tls& tls) { tls.ca_pem.clear(); })); // the system's roots
    CHECK(with([](net::Tls& tls) { tls.server_name = "api.test"; }));
    CHECK_FALSE(with([](net::Tls& tls) { tls.server_name = "other.test"; }));
    CHECK(with([](net::Tls& tls) {
        tls.ca_pem.clear();
        tls.verification = model::TlsVerification::skip;
    }));
}

TEST_CASE("I12 another TLS name does not change the Host header") {
    std::string seen;
    ScriptedServer server(Wire::tls, each_request([&](const std::string& head) {
                              seen = head;
                              return answer(200, "x");
                          }));
    auto request = get(server);
    auto tls = std::make_shared<net::Tls>(*request.endpoint.tls);
    tls->server_name = "api.test";
    request.endpoint.tls = tls;
    CHECK(open_loop()->fetch(request));
    CHECK_THAT(seen, Catch::Contains(fmt::format("Host: 127.0.0.1:{}\r\n", server.port())));
}

TEST_CASE("a client certificate is shown from memory") {
    ScriptedServer server(Wire::tls_client_certificate,
                          each_request([](const auto&) { return answer(200, "x"); }));
    const auto loop = open_loop();
    CHECK_FALSE(loop->fetch(get(server)));
    auto request = get(server);
    auto tls = std::make_shared<net::Tls>(*request.endpoint.tls);
    tls->certificate_pem = server.certificate_pem();
    tls->key_pem = model::Secret(server.key_pem());
    request.endpoint.tls = tls;
    CHECK(loop->fetch(request));
    tls = std::make_shared<net::Tls>(*tls);
    tls->key_pem = model::Secret("-----BEGIN nothing");
    request.endpoint.tls = tls;
    const auto broken = open_loop()->fetch(request); // no connection to use again
    REQUIRE_FALSE(broken);
    CHECK_THAT(broken.error().cause, Catch::Contains("tls:"));
}

TEST_CASE("failures are told apart") {
    struct Case {
        std::string name;
        Script script;
        std::string cause; ///< part of it
        ErrorKind kind = ErrorKind::lost;
    };

    const std::vector<Case> table{
        {"cut body",
         [](Peer& peer) {
             peer.read_head();
             peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"items\":");
         },
         "bytes remaining to read"},
        {"cut chunk",
         [](Peer& peer) {
             peer.read_head();
             peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{\"items\":");
         },
         ""},
        {"reset",
         [](Peer& peer) {
             peer.read_head();
             peer.reset();
         },
         ""},
        {"no answer", [](Peer& peer) { peer.read_head(); }, "Empty reply"},
        {"no HTTP",
         [](Peer& peer) {
             peer.read_head();
             peer.write("SSH-2.0-x\r\n");
         },
         ""},
        {"too long",
         [](Peer& peer) {
             peer.read_head();
             peer.write(answer(200, std::string(2000, 'x')));
         },
         "longer than 1000 bytes",
         ErrorKind::network},
        {"too slow",
         [](Peer& peer) {
             peer.read_head();
             peer.write("HTTP/1.1 200 OK\r\n");
             peer.wait_for_close();
         },
         "timed out",
         ErrorKind::network},
    };
    for (const auto& wanted : table) {
        CAPTURE(wanted.name);
        ScriptedServer server(Wire::tls, wanted.script);
        auto request = get(server);
        request.max_body = 1000;
        request.timeout = Millis(500);
        const auto response = open_loop()->fetch(request);
        REQUIRE_FALSE(response);
        CHECK(response.error().kind == wanted.kind);
        CHECK_THAT(response.error().cause, Catch::Contains(wanted.cause));
    }
}

TEST_CASE("nobody listening is refused in kubectl's words") {
    net::Request request;
    const int port = unused_port();
    request.endpoint.url = *net::parse_url(fmt::format("https://127.0.0.1:{}", port));
    request.endpoint.tls = std::make_shared<net::Tls>();
    const auto response = open_loop()->fetch(request);
    REQUIRE_FALSE(response);
    CHECK(response.error().cause ==
          fmt::format("The connection to the server 127.0.0.1:{} was refused - did you specify the "
                      "right host or port?",
                      port));
}

TEST_CASE("a server that accepts and says nothing ends with the connect timeout") {
    ScriptedServer silent(Wire::plain, [](Peer& peer) { peer.wait_for_close(); });
    auto request = get(silent);
    request.endpoint.url.scheme = "https";
    request.endpoint.connect_timeout = Millis(200);
    const auto response = open_loop()->fetch(request);
    REQUIRE_FALSE(response);
    CHECK_THAT(response.error().cause, Catch::StartsWith("timed out"));
}

TEST_CASE("plain HTTP where TLS is expected is a TLS error") {
    ScriptedServer plain(Wire::plain, [](Peer& peer) { peer.write(answer(400, "x")); });
    auto request = get(plain);
    request.endpoint.url.scheme = "https";
    const auto response = open_loop()->fetch(request);
    REQUIRE_FALSE(response);
    CHECK_THAT(response.error().cause, Catch::StartsWith("tls:"));
}

TEST_CASE("an interrupt ends a request and every wait") {
    ScriptedServer silent(Wire::tls, [](Peer& peer) { peer.wait_for_close(); });
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const auto loop = open_loop(pipe[0]);
    CHECK(loop->wait(loop->now()) == net::Woke::deadline);
    REQUIRE(::write(pipe[1], "x", 1) == 1);
    const auto response = loop->fetch(get(silent));
    REQUIRE_FALSE(response);
    CHECK(response.error().what == "interrupted");
    CHECK(loop->wait(loop->now() + std::chrono::hours(1)) == net::Woke::interrupted);
    CHECK(loop->sleep(std::chrono::hours(1)) == net::Woke::interrupted);
    ::close(pipe[0]);
    ::close(pipe[1]);
}
