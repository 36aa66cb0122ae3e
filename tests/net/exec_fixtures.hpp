// What the tests of execs over real sockets share.
#pragma once

#include "kube/exec_transport.hpp"
#include "net/fixtures.hpp"
#include "unit/ws/server_frames.hpp"
#include "ws/handshake.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <string>

namespace di::test {

/// The 101 answer to the upgrade request in `head`.
inline std::string accept(const std::string& head,
                          std::string_view protocol = "v5.channel.k8s.io") {
    const std::string name = "Sec-WebSocket-Key: ";
    const auto at = head.find(name);
    const auto key = head.substr(at + name.size(), 24);
    ws::Nonce nonce{};
    std::array<unsigned char, 18> bytes{};
    EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(key.data()), 24);
    std::copy_n(bytes.begin(), nonce.size(), nonce.begin());
    return switching(ws::expected_accept(nonce), protocol);
}

inline model::ProbeTask task(const std::string& pod = "p-0") {
    return {0, "ns", pod, "main", {"sh", "-c", "echo hello", "nonce"}};
}

/// Runs one exec to its end.
inline model::RawResult run(model::ExecTransport& transport, const model::ProbeTask& what) {
    transport.start(7, what);
    const auto ended = transport.wait(k_clock.now() + std::chrono::seconds(20));
    REQUIRE(ended.size() == 1);
    CHECK(ended.front().task == 7);
    return ended.front().result;
}

inline model::RawResult run_against(ScriptedServer& server, kube::ExecCaps caps = {}) {
    const auto loop = open_loop();
    const auto client = open_client(config_of(server), *loop);
    return run(*kube::make_exec_transport(client, caps), task());
}

inline const std::string k_data =
    on_channel(1, "") + on_channel(1, "hello\n") + on_channel(2, "oops\n");
inline const std::string k_done = on_channel(3, k_success);

} // namespace di::test
