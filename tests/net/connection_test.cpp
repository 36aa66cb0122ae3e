#include "net/fixtures.hpp"

#include <fmt/format.h>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

using namespace di;
using namespace di::test;
using net::Connection;

namespace {

constexpr std::size_t k_piece = std::size_t{64} << 10U;

/// Waits until the connection is open or has failed.
void settle(net::Loop& loop, const Connection& connection) {
    while (connection.state() == Connection::State::connecting) {
        loop.wait(loop.now() + std::chrono::seconds(10));
    }
}

/// Reads until the other side closes.
std::string read_all(net::Loop& loop, Connection& connection) {
    std::string bytes;
    for (;;) {
        const auto received = connection.receive(bytes, k_piece);
        if (received == Connection::Received::end) {
            return bytes;
        }
        if (received == Connection::Received::all_there_is) {
            loop.wait(loop.now() + std::chrono::seconds(10));
        }
    }
}

/// Carries bytes between two sockets until one of them closes.
void carry(int one, int other) {
    std::array<pollfd, 2> ends{{{one, POLLIN, 0}, {other, POLLIN, 0}}};
    std::array<char, 4096> piece{};
    while (::poll(ends.data(), ends.size(), 10'000) > 0) {
        for (std::size_t i = 0; i < 2; ++i) {
            if (ends.at(i).revents == 0) {
                continue;
            }
            const auto count = ::recv(ends.at(i).fd, piece.data(), piece.size(), 0);
            if (count <= 0) {
                return;
            }
            ::send(ends.at(1 - i).fd, piece.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL);
        }
    }
}

int connect_to(int port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address);
    return socket;
}

/// An HTTP proxy that carries CONNECTs to `port` and remembers what it was told.
Script proxy_to(int port, std::string& seen) {
    return [port, &seen](Peer& peer) {
        seen = peer.read_head();
        const int server = connect_to(port);
        peer.write("HTTP/1.1 200 Connection established\r\n\r\n");
        carry(peer.socket(), server);
        ::close(server);
    };
}

} // namespace

TEST_CASE("bytes go both ways over TLS, in any pieces") {
    const std::string greeting(300'000, 'g');
    std::string heard;
    ScriptedServer server(Wire::tls, [&](Peer& peer) {
        heard = peer.read_until("!");
        peer.write(greeting, 997);
    });
    const auto loop = open_loop();
    const auto connection = loop->connect(endpoint_of(server));
    CHECK(connection->state() == Connection::State::connecting);
    const std::string message = std::string(200'000, 'm') + '!';
    connection->send(message.substr(0, 5)); // before there is a connection
    settle(*loop, *connection);
    REQUIRE(connection->state() == Connection::State::open);
    connection->send(message.substr(5));
    CHECK(read_all(*loop, *connection) == greeting);
    CHECK(heard == message);
}

TEST_CASE("many connections live side by side and share one TLS session") {
    std::atomic<int> resumed{0};
    ScriptedServer server(Wire::tls, [&](Peer& peer) {
        resumed += peer.resumed() ? 1 : 0;
        peer.write(fmt::format("{}", peer.read_until("\n")));
    });
    const auto loop = open_loop();
    {
        const auto first = loop->connect(endpoint_of(server));
        first->send("first\n");
        CHECK(read_all(*loop, *first) == "first\n"); // the session's ticket comes with the bytes
    }
    std::vector<std::unique_ptr<Connection>> connections;
    for (int i = 0; i < 20; ++i) {
        connections.push_back(loop->connect(endpoint_of(server)));
        connections.back()->send(fmt::format("number {}\n", i));
    }
    for (int i = 0; i < 20; ++i) {
        CHECK(read_all(*loop, *connections.at(static_cast<std::size_t>(i))) ==
              fmt::format("number {}\n", i));
    }
    CHECK(resumed > 0);
}

TEST_CASE("a connection that cannot be made fails with a reason") {
    const auto loop = open_loop();
    net::Endpoint nowhere;
    nowhere.url = *net::parse_url(fmt::format("https://127.0.0.1:{}", unused_port()));
    nowhere.tls = std::make_shared<net::Tls>();
    const auto connection = loop->connect(nowhere);
    settle(*loop, *connection);
    REQUIRE(connection->state() == Connection::State::failed);
    CHECK_THAT(connection->failure().cause, Catch::Contains("was refused"));
    std::string bytes;
    CHECK(connection->receive(bytes, k_piece) == Connection::Received::end);
}

TEST_CASE("a reset is an end with a reason") {
    ScriptedServer server(Wire::tls, [](Peer& peer) {
        peer.read_until("\n");
        peer.reset();
    });
    const auto loop = open_loop();
    const auto connection = loop->connect(endpoint_of(server));
    connection->send("x\n");
    CHECK(read_all(*loop, *connection).empty());
    CHECK(connection->state() == Connection::State::failed);
    CHECK(connection->failure().kind == ErrorKind::lost);
}

TEST_CASE("a connection may be dropped at any moment") {
    ScriptedServer server(Wire::tls, [](Peer& peer) { peer.wait_for_close(); });
    const auto loop = open_loop();
    loop->connect(endpoint_of(server)).reset(); // not even begun
    auto half = loop->connect(endpoint_of(server));
    loop->wait(loop->now());
    half.reset();
    auto open = loop->connect(endpoint_of(server));
    settle(*loop, *open);
    open.reset();
    CHECK(loop->wait(loop->now()) == net::Woke::deadline);
}

TEST_CASE("I10 requests and raw connections take the same proxy, which learns no secrets") {
    std::string seen;
    ScriptedServer server(Wire::tls, [](Peer& peer) {
        const auto head = peer.read_head();
        peer.write(answer(200, head.substr(0, 3)));
    });
    ScriptedServer proxy(Wire::plain, proxy_to(server.port(), seen));
    const auto loop = open_loop();
    auto request = get(server);
    request.endpoint.proxy = fmt::format("http://user:pass@127.0.0.1:{}", proxy.port());
    request.headers = {{"Authorization", "Bearer hidden"}};
    const auto response = loop->fetch(request);
    REQUIRE(response);
    CHECK(response->body == "GET");
    CHECK_THAT(seen, Catch::StartsWith(fmt::format("CONNECT 127.0.0.1:{} ", server.port())));
    CHECK_THAT(seen, Catch::Contains("Proxy-Authorization: Basic dXNlcjpwYXNz"));
    CHECK_THAT(seen, !Catch::Contains("hidden"));
    const auto connection = loop->connect(request.endpoint);
    connection->send("RAW\r\n\r\n");
    CHECK_THAT(read_all(*loop, *connection), Catch::EndsWith("RAW"));
    CHECK(proxy.connections() == 2);
}

TEST_CASE("I10 a proxy that says no is named, without its password") {
    ScriptedServer proxy(Wire::plain,
                         each_request([](const auto&) { return answer(407, "who are you"); }));
    const auto loop = open_loop();
    net::Endpoint endpoint;
    endpoint.url = *net::parse_url("https://127.0.0.1:1");
    endpoint.tls = std::make_shared<net::Tls>();
    endpoint.proxy = fmt::format("http://u:hidden@127.0.0.1:{}", proxy.port());
    const auto connection = loop->connect(endpoint);
    settle(*loop, *connection);
    REQUIRE(connection->state() == Connection::State::failed);
    CHECK(
        connection->failure().cause ==
        fmt::format("proxy http://127.0.0.1:{} answered 407 to CONNECT 127.0.0.1:1", proxy.port()));
    endpoint.proxy = fmt::format("http://u:hidden@127.0.0.1:{}", unused_port());
    const auto nobody = loop->connect(endpoint);
    settle(*loop, *nobody);
    CHECK_THAT(nobody->failure().cause, Catch::StartsWith("proxy http://127.0.0.1:"));
    CHECK_THAT(to_text(nobody->failure()), !Catch::Contains("hidden"));
}
