// Bugs that users of other clients have reported, as whole conversations over real sockets.
#include "net/exec_fixtures.hpp"
#include "probe/fan_out.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <future>
#include <random>
#include <thread>

using namespace di;
using namespace di::test;
using model::ExecOutcome;

namespace {

model::Plan plan_of(std::size_t pods) {
    model::Plan plan;
    for (std::size_t i = 0; i < pods; ++i) {
        plan.tasks.push_back(task(fmt::format("p-{}", i)));
    }
    return plan;
}

probe::FanOut fan_out(ScriptedServer& server, std::size_t pods, std::size_t parallel, Millis each) {
    const auto loop = open_loop();
    const auto client = open_client(config_of(server), *loop);
    const auto transport = kube::make_exec_transport(client);
    return probe::fan_out(plan_of(pods),
                          *transport,
                          k_clock,
                          {parallel, each, k_clock.now() + std::chrono::seconds(60)},
                          {[] { return false; }, [](std::size_t, std::size_t) {}});
}

/// The pod's number in the path of an exec.
std::string number_of(const std::string& head) {
    const auto at = head.find("/pods/p-") + 8;
    return head.substr(at, head.find('/', at) - at);
}

} // namespace

TEST_CASE("I1 a slow reader gets every byte, however the writes were cut") {
    std::string data;
    for (std::uint64_t i = 0; data.size() < 3'000'000; ++i) {
        data += fmt::format("{} ", i * 7919U);
    }
    ScriptedServer server(Wire::tls, [&](Peer& peer) {
        std::mt19937 random(4711); // the same cuts in every run
        std::uniform_int_distribution<std::size_t> sizes(1, 9000);
        std::string stream = accept(peer.read_head());
        for (std::size_t at = 0; at < data.size(); at += 32768) {
            stream += on_channel(1, std::string_view(data).substr(at, 32768));
        }
        stream += k_done + close_frame(1000);
        for (std::size_t at = 0; at < stream.size();) {
            const auto piece = std::string_view(stream).substr(at, sizes(random));
            peer.write(piece);
            at += piece.size();
        }
    });
    const auto loop = open_loop();
    const auto client = open_client(config_of(server), *loop);
    const auto transport = kube::make_exec_transport(client, {8'000'000, 1000});
    transport->start(0, task());
    std::vector<model::EndedExec> ended;
    for (int turn = 0; ended.empty() && turn < 10'000; ++turn) {
        ended = transport->wait(loop->now() + Millis(50));
        std::this_thread::sleep_for(Millis(1)); // a consumer that has other things to do
    }
    REQUIRE(ended.size() == 1);
    CHECK(ended.front().result.outcome == ExecOutcome::completed);
    CHECK((ended.front().result.out == data)); // not expanded: three megabytes
}

TEST_CASE("I2 a conversation cut at any byte is no success") {
    const std::string frames = k_data + k_done;
    for (std::size_t size = 0; size <= frames.size(); ++size) {
        CAPTURE(size);
        ScriptedServer server(Wire::tls, [&](Peer& peer) {
            peer.write(accept(peer.read_head()) + frames.substr(0, size));
        });
        const auto result = run_against(server);
        CHECK((result.outcome == ExecOutcome::completed) == (size == frames.size()));
    }
}

TEST_CASE("I7 a server that hangs up while we write, or never answers, costs a row each") {
    ScriptedServer server(Wire::tls, [](Peer& peer) {
        const auto head = peer.read_head();
        const auto number = number_of(head);
        if (number == "0") {
            return peer.reset(); // while the client is still at it
        }
        if (number == "1") {
            return peer.wait_for_close();
        }
        peer.write(accept(head) + k_data + k_done);
    });
    const auto run = fan_out(server, 3, 3, Millis(1500));
    REQUIRE(run.results.size() == 3);
    CHECK(run.results[0].outcome == ExecOutcome::truncated);
    CHECK(run.results[1].outcome == ExecOutcome::timed_out);
    CHECK(run.results[2].outcome == ExecOutcome::completed);
}

TEST_CASE("I26 of 300 pods each is asked once, never more at a time than allowed") {
    std::atomic<int> open{0};
    std::atomic<int> most{0};
    ScriptedServer server(Wire::tls, [&](Peer& peer) {
        const auto head = peer.read_head();
        const int now = ++open;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        peer.write(accept(head) + on_channel(1, number_of(head)));
        --open; // before the client can know that this one has ended
        peer.write(k_done + close_frame(1000));
    });
    const auto run = fan_out(server, 300, 8, std::chrono::seconds(30));
    REQUIRE(run.results.size() == 300);
    CHECK(run.execs == 300);
    CHECK(server.connections() == 300);
    CHECK(most > 1);
    CHECK(most <= 8);
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        CHECK(run.results[i].outcome == ExecOutcome::completed);
        CHECK(run.results[i].out == fmt::format("{}", i));
    }
}

TEST_CASE("I29 an exec that is given up is hung up on, so that its command can end") {
    std::promise<void> hung_up;
    ScriptedServer server(Wire::tls, [&](Peer& peer) {
        peer.write(accept(peer.read_head()) + k_data);
        peer.wait_for_close();
        hung_up.set_value();
    });
    const auto loop = open_loop();
    const auto client = open_client(config_of(server), *loop);
    const auto transport = kube::make_exec_transport(client);
    transport->start(0, task());
    CHECK(transport->wait(loop->now() + Millis(500)).empty());
    CHECK(transport->cancel(0).out == "hello\n");
    CHECK(hung_up.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready);
}
