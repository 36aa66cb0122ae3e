// What the loopback tests share.
#pragma once

#include "base/clock.hpp"
#include "kube/client.hpp"
#include "net/loop.hpp"
#include "net/scripted_server.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

namespace di::test {

inline const SteadyClock k_clock;

inline std::unique_ptr<net::Loop> open_loop(int interrupt_fd = -1) {
    auto loop = net::Loop::open(k_clock, interrupt_fd);
    REQUIRE(loop);
    return std::move(*loop);
}

inline net::Endpoint endpoint_of(const ScriptedServer& server) {
    net::Endpoint endpoint;
    endpoint.url = *net::parse_url(server.url());
    endpoint.connect_timeout = std::chrono::seconds(30); // the machine may be busy
    auto tls = std::make_shared<net::Tls>();
    tls->ca_pem = server.certificate_pem();
    endpoint.tls = std::move(tls);
    return endpoint;
}

inline net::Request get(const ScriptedServer& server, const std::string& target = "/") {
    net::Request request;
    request.endpoint = endpoint_of(server);
    request.target = target;
    return request;
}

inline model::ClientConfig config_of(const ScriptedServer& server) {
    model::ClientConfig config;
    config.server = server.url();
    config.ca_pem = server.certificate_pem();
    config.credentials.token = model::Secret("t0");
    config.ns = "default";
    return config;
}

inline kube::Client open_client(model::ClientConfig config, net::Loop& loop) {
    auto client = kube::Client::open(std::move(config), loop);
    if (!client) {
        FAIL(to_text(client.error()));
    }
    return std::move(*client);
}

/// A server that answers each request of a connection with what `handle` makes of its head.
inline Script each_request(std::function<std::string(const std::string& head)> handle) {
    return [handle = std::move(handle)](Peer& peer) {
        for (auto head = peer.read_head(); !head.empty(); head = peer.read_head()) {
            peer.write(handle(head));
        }
    };
}

} // namespace di::test
