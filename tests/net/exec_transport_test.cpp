#include "net/exec_fixtures.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <map>

using namespace di;
using namespace di::test;
using model::ExecOutcome;

TEST_CASE("the upgrade request is what the API server expects") {
    std::string head;
    ScriptedServer server(Wire::tls, [&](Peer& peer) {
        head = peer.read_head();
        peer.write(accept(head) + k_data + k_done);
    });
    run_against(server);
    CHECK_THAT(
        head,
        Catch::StartsWith("GET /api/v1/namespaces/ns/pods/p-0/exec?command=sh&command=-c&"
                          "command=echo+hello&command=nonce&container=main&stdin=true&stdout=true&"
                          "stderr=true HTTP/1.1\r\n"));
    CHECK_THAT(
        head,
        Catch::Contains("\r\nSec-WebSocket-Protocol: v5.channel.k8s.io, v4.channel.k8s.io\r\n"));
    CHECK_THAT(head, Catch::Contains("\r\nAuthorization: Bearer t0\r\n"));
    CHECK_THAT(head, !Catch::Contains("Origin:") && !Catch::Contains("Sec-WebSocket-Extensions"));
}

TEST_CASE("a reset before the Status is truncation, whatever got through") {
    ScriptedServer server(Wire::tls, [](Peer& peer) {
        peer.write(accept(peer.read_head()) + k_data);
        peer.reset();
    });
    const auto result = run_against(server);
    CHECK(result.outcome == ExecOutcome::truncated);
    CHECK(result.retryable);
}

TEST_CASE("a server that goes silent after the Status does not hold the result") {
    ScriptedServer server(Wire::tls, [](Peer& peer) {
        peer.write(accept(peer.read_head()) + k_data + k_done);
        peer.wait_for_close();
    });
    const auto result = run_against(server);
    CHECK(result.outcome == ExecOutcome::completed);
    CHECK(result.out == "hello\n");
}

TEST_CASE("large output arrives byte for byte") {
    std::string data;
    for (int i = 0; data.size() < 900'000; ++i) {
        data += fmt::format("line {}\n", i);
    }
    ScriptedServer server(Wire::tls, [&](Peer& peer) {
        peer.write(accept(peer.read_head()));
        for (std::size_t at = 0; at < data.size(); at += 32768) {
            peer.write(on_channel(1, std::string_view(data).substr(at, 32768)), 5000);
        }
        peer.write(k_done + close_frame(1000));
    });
    const auto result = run_against(server);
    CHECK(result.outcome == ExecOutcome::completed);
    CHECK(result.out == data);
}

TEST_CASE("an endless command costs its cap and no more") {
    ScriptedServer server(Wire::tls, [](Peer& peer) {
        peer.write(accept(peer.read_head()));
        for (int i = 0; i < 10'000; ++i) {
            peer.write(on_channel(1, std::string(32768, 'x')));
        }
    });
    const auto result = run_against(server, {100'000, 1000});
    CHECK(result.outcome == ExecOutcome::truncated);
    CHECK_FALSE(result.retryable);
    CHECK(result.out.size() == 100'000);
    CHECK_THAT(result.detail, Catch::Contains("longer than 100000 bytes"));
}

TEST_CASE("a refused credential is renewed once, within the same exec") {
    std::vector<std::string> heads;
    std::mutex mutex;
    ScriptedServer server(Wire::tls, [&](Peer& peer) {
        const auto head = peer.read_head();
        const std::lock_guard lock(mutex);
        heads.push_back(head);
        switch (heads.size()) {
        case 1:
            return peer.write(answer(401, ""));
        default:
            return peer.write(accept(head) + k_data + k_done);
        }
    });
    auto config = config_of(server);
    config.renew = [] {
        model::Credentials fresh;
        fresh.token = model::Secret("t1");
        return Result<model::Credentials>(fresh);
    };
    const auto loop = open_loop();
    const auto client = open_client(std::move(config), *loop);
    const auto result = run(*kube::make_exec_transport(client), task());
    CHECK(result.outcome == ExecOutcome::completed);
    REQUIRE(heads.size() == 2);
    CHECK_THAT(heads.at(0), Catch::Contains("Bearer t0"));
    CHECK_THAT(heads.at(1), Catch::Contains("Bearer t1"));
}

TEST_CASE("credentials that all execs see refused are renewed once for all of them") {
    ScriptedServer server(Wire::tls, [](Peer& peer) {
        const auto head = peer.read_head();
        const bool fresh = head.find("Bearer t1") != std::string::npos;
        peer.write(fresh ? accept(head) + k_data + k_done : answer(401, ""));
    });
    for (const bool works : {true, false}) {
        CAPTURE(works);
        int renewals = 0;
        auto config = config_of(server);
        config.renew = [&]() -> Result<model::Credentials> {
            ++renewals;
            model::Credentials fresh;
            fresh.token = model::Secret("t1");
            return works ? Result<model::Credentials>(fresh)
                         : Error{ErrorKind::auth, "getting credentials", "", "broken", ""};
        };
        const auto loop = open_loop();
        const auto client = open_client(std::move(config), *loop);
        const auto transport = kube::make_exec_transport(client);
        for (std::size_t i = 0; i < 8; ++i) {
            transport->start(i, task());
        }
        std::size_t seen = 0;
        while (seen < 8) {
            for (const auto& ended : transport->wait(loop->now() + std::chrono::seconds(20))) {
                ++seen;
                CHECK((ended.result.outcome == ExecOutcome::completed) == works);
            }
        }
        CHECK(renewals == 1);
    }
}

TEST_CASE("a busy server says when to ask again; one that asks for too long is not asked") {
    for (const auto& [header, retryable, after] :
         {std::tuple{"Retry-After: 2\r\n", true, 2'000}, {"Retry-After: 60\r\n", false, 0}}) {
        CAPTURE(header);
        ScriptedServer server(Wire::tls, [&](Peer& peer) {
            peer.read_head();
            peer.write(answer(429, "busy", header));
        });
        const auto result = run_against(server);
        CHECK(result.outcome == ExecOutcome::refused);
        CHECK(result.retryable == retryable);
        CHECK(result.retry_after == Millis(after));
        CHECK(server.connections() == 1);
    }
}

TEST_CASE("an unreachable server is a result, not a failure of the run") {
    ScriptedServer server(Wire::tls, [](Peer&) {});
    auto config = config_of(server);
    config.server = fmt::format("https://127.0.0.1:{}", unused_port());
    const auto loop = open_loop();
    const auto client = open_client(std::move(config), *loop);
    const auto result = run(*kube::make_exec_transport(client), task());
    CHECK(result.outcome == ExecOutcome::truncated);
    CHECK(result.retryable);
    CHECK(result.retry_after > Millis(0)); // it may be restarting
    CHECK_THAT(result.detail, Catch::Contains("was refused"));
}

TEST_CASE("execs run side by side, end in any order, and those dropped are not reported") {
    ScriptedServer server(Wire::tls, [&](Peer& peer) {
        const auto head = peer.read_head();
        if (head.find("/pods/hangs/") != std::string::npos) {
            peer.write(accept(head));
            peer.wait_for_close();
            return;
        }
        const auto at = head.find("/pods/p-") + 8;
        const auto number = head.substr(at, head.find('/', at) - at);
        peer.write(accept(head) + on_channel(1, number) + k_done + close_frame(1000), 7);
    });
    const auto loop = open_loop();
    const auto client = open_client(config_of(server), *loop);
    const auto transport = kube::make_exec_transport(client);
    constexpr std::size_t k_execs = 64;
    transport->start(1000, task("hangs"));
    for (std::size_t i = 0; i < k_execs; ++i) {
        transport->start(i, task(fmt::format("p-{}", i)));
    }
    std::map<std::size_t, std::string> outputs;
    while (outputs.size() < k_execs) {
        const auto ended = transport->wait(loop->now() + std::chrono::seconds(20));
        REQUIRE_FALSE(ended.empty());
        for (const auto& [index, result] : ended) {
            CHECK(result.outcome == ExecOutcome::completed);
            CHECK(outputs.emplace(index, result.out).second);
        }
    }
    for (std::size_t i = 0; i < k_execs; ++i) {
        CHECK(outputs.at(i) == fmt::format("{}", i));
    }
    CHECK(transport->wait(loop->now() + Millis(50)).empty());
    transport->cancel(1000);
    transport->cancel(1000); // once more is harmless
    CHECK(transport->wait(loop->now()).empty());
}

TEST_CASE("an interrupt ends the wait at once, with what has ended by then") {
    ScriptedServer server(Wire::tls, [](Peer& peer) {
        peer.write(accept(peer.read_head()));
        peer.wait_for_close();
    });
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const auto loop = open_loop(pipe[0]);
    const auto client = open_client(config_of(server), *loop);
    const auto transport = kube::make_exec_transport(client);
    transport->start(0, task());
    REQUIRE(::write(pipe[1], "x", 1) == 1);
    CHECK(transport->wait(loop->now() + std::chrono::hours(1)).empty());
    ::close(pipe[0]);
    ::close(pipe[1]);
}
