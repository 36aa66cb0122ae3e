// Lists and execs reach the same server in the same way: prefixes, TLS names, proxies,
// certificates.
#include "net/exec_fixtures.hpp"

#include <fmt/format.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

using namespace di;
using namespace di::test;
using model::ExecOutcome;

namespace {

/// Answers lists and execs; remembers every head.
struct ApiServer {
    std::mutex mutex;
    std::vector<std::string> heads;
    std::string protocol = "v5.channel.k8s.io";
    ScriptedServer server;

    explicit ApiServer(Wire wire = Wire::tls)
        : server(wire, [this](Peer& peer) { serve(peer); }) {}

    void serve(Peer& peer) {
        for (auto head = peer.read_head(); !head.empty(); head = peer.read_head()) {
            {
                const std::lock_guard lock(mutex);
                heads.push_back(head);
            }
            if (head.find("/exec?") == std::string::npos) {
                peer.write(answer(200, R"({"kind":"List","metadata":{},"items":[]})"));
                continue;
            }
            peer.write(accept(head, protocol) + k_data + k_done + close_frame(1000));
            return;
        }
    }
};

/// One list and one exec, with that configuration.
void reach_both(const model::ClientConfig& config) {
    const auto loop = open_loop();
    auto client = open_client(config, *loop);
    const auto pods = client.list_pods({"n", "", ""});
    if (!pods) {
        FAIL(to_text(pods.error()));
    }
    const auto result = run(*kube::make_exec_transport(client), task());
    CHECK(result.detail.empty());
    CHECK(result.outcome == ExecOutcome::completed);
}

void copy(int from, int to) {
    std::array<char, 4096> piece{};
    for (auto size = ::recv(from, piece.data(), piece.size(), 0); size > 0;
         size = ::recv(from, piece.data(), piece.size(), 0)) {
        if (::send(to, piece.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) < 0) {
            break;
        }
    }
    ::shutdown(to, SHUT_WR);
}

/// Carries bytes between `client` and a port of this machine.
void carry(int client, int port) {
    const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address);
    std::thread back([&] { copy(server, client); });
    copy(client, server);
    back.join();
    ::close(server);
}

std::string receive(int socket, std::size_t size) {
    std::string bytes(size, '\0');
    const auto got = ::recv(socket, bytes.data(), size, MSG_WAITALL);
    bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return bytes;
}

/// A SOCKS5 proxy (RFC 1928) without authentication; `asked` is the name that it was asked for.
Script socks_to(int port, std::string& asked) {
    return [port, &asked](Peer& peer) {
        const int client = peer.socket();
        const auto greeting = receive(client, 2);
        receive(client, static_cast<unsigned char>(greeting.at(1)));
        peer.write(std::string("\x05\x00", 2));
        const auto head = receive(client, 4);
        if (head.size() == 4 && head.at(3) == 3) { // a name, to be looked up here
            asked = receive(client, static_cast<unsigned char>(receive(client, 1).at(0)));
        } else {
            receive(client, 4);
            asked = "an address";
        }
        receive(client, 2);
        peer.write(std::string("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00", 10));
        carry(client, port);
    };
}

Script connect_to(int port, std::string& asked) {
    return [port, &asked](Peer& peer) {
        asked = peer.read_head();
        peer.write("HTTP/1.1 200 Connection established\r\n\r\n");
        carry(peer.socket(), port);
    };
}

} // namespace

TEST_CASE("I8 a server that speaks v4 only is used at the first request") {
    ApiServer api;
    api.protocol = "v4.channel.k8s.io";
    reach_both(config_of(api.server));
    CHECK(api.heads.size() == 2);
}

TEST_CASE("I15 a path in front of the API is kept once, for lists and execs") {
    for (const auto* end : {"", "/"}) {
        ApiServer api;
        auto config = config_of(api.server);
        config.server += std::string("/k8s/clusters/c-xxx") + end;
        reach_both(config);
        REQUIRE(api.heads.size() == 2);
        CHECK_THAT(api.heads.at(0),
                   Catch::StartsWith("GET /k8s/clusters/c-xxx/api/v1/namespaces/n/"));
        CHECK_THAT(api.heads.at(1),
                   Catch::StartsWith("GET /k8s/clusters/c-xxx/api/v1/namespaces/ns/"));
    }
}

TEST_CASE("I12 a TLS name is verified for lists and execs, also through a proxy") {
    ApiServer api;
    std::string asked;
    ScriptedServer proxy(Wire::plain, connect_to(api.server.port(), asked));
    for (const bool proxied : {false, true}) {
        CAPTURE(proxied);
        auto config = config_of(api.server);
        config.tls_server_name = "api.test";
        config.proxy.proxy_url = proxied ? fmt::format("http://127.0.0.1:{}", proxy.port()) : "";
        reach_both(config);
        CHECK_THAT(api.heads.back(),
                   Catch::Contains(fmt::format("Host: 127.0.0.1:{}\r\n", api.server.port())));
        config.tls_server_name = "other.test";
        const auto loop = open_loop();
        auto client = open_client(config, *loop);
        CHECK_FALSE(client.list_pods({"n", "", ""}));
        CHECK(run(*kube::make_exec_transport(client), task()).outcome == ExecOutcome::truncated);
    }
    CHECK_THAT(asked, !Catch::Contains("Bearer"));
}

TEST_CASE("I13 an insecure connection is one for lists and execs, and nothing else is") {
    ApiServer api;
    auto config = config_of(api.server);
    config.ca_pem.clear();
    config.verification = model::TlsVerification::skip;
    reach_both(config);
    config.verification = model::TlsVerification::verify; // by the system's roots
    const auto loop = open_loop();
    auto client = open_client(config, *loop);
    CHECK_FALSE(client.list_pods({"n", "", ""}));
    CHECK(run(*kube::make_exec_transport(client), task()).outcome == ExecOutcome::truncated);
    CHECK(api.heads.size() == 2);
}

TEST_CASE("I10 a SOCKS5 proxy carries lists and execs, and looks the name up itself") {
    ApiServer api;
    std::string asked;
    ScriptedServer proxy(Wire::plain, socks_to(api.server.port(), asked));
    auto config = config_of(api.server);
    config.server = fmt::format("https://api.test:{}", api.server.port());
    config.proxy.proxy_url = fmt::format("socks5://127.0.0.1:{}", proxy.port());
    reach_both(config);
    CHECK(asked == "api.test");
    CHECK(proxy.connections() == 2);
}

TEST_CASE("X9 (deviation) a renewed client certificate is shown on a new connection") {
    ApiServer api(Wire::tls_client_certificate);
    auto config = config_of(api.server);
    config.credentials.certificate_pem = api.server.certificate_pem();
    config.credentials.key_pem = model::Secret(api.server.key_pem());
    config.credentials.lifetime = std::chrono::seconds(0);
    std::size_t renewals = 0;
    config.renew = [&, base = config.credentials]() -> Result<model::Credentials> {
        model::Credentials fresh = base;
        fresh.certificate_pem += std::string(++renewals, '\n'); // the same one in other bytes
        return fresh;
    };
    const auto loop = open_loop();
    auto client = open_client(config, *loop);
    for (int i = 0; i < 3; ++i) {
        CHECK(client.list_pods({"n", "", ""}));
    }
    CHECK(renewals == 3);
    CHECK(api.server.connections() == 3);
    CHECK(api.heads.size() == 3);
}
