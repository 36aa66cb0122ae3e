#include "probe/fan_out.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace di;
using namespace std::chrono_literals;
using model::ExecOutcome;

namespace {

class ManualClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return now_; }

    void advance(Millis by) { now_ += by; }

    void set(Instant to) { now_ = std::max(now_, to); }

private:
    Instant now_{};
};

/// What a fake pod does each time it is asked.
struct Behaviour {
    Millis answers_after{10};
    int losses = 0; ///< how many times the connection is lost first
    bool hangs = false;
    Millis retry_after{0};
    bool unreached = false;
};

class FakeTransport final : public model::ExecTransport {
public:
    FakeTransport(ManualClock& clock, std::vector<Behaviour> pods)
        : clock_(clock),
          pods_(std::move(pods)) {}

    void start(std::size_t task, const model::ProbeTask& what) override {
        CHECK(what.worker == task);
        ++starts[task];
        open_[task] = pods_[task].hangs ? Instant::max() : clock_.now() + pods_[task].answers_after;
        most_open = std::max(most_open, open_.size());
    }

    std::vector<model::EndedExec> wait(Instant until) override {
        Instant next = until;
        for (const auto& [task, at] : open_) {
            next = std::min(next, at);
        }
        clock_.set(next);
        std::vector<model::EndedExec> ended;
        for (auto entry = open_.begin(); entry != open_.end();) {
            if (entry->second > clock_.now()) {
                ++entry;
                continue;
            }
            model::RawResult result;
            const bool lost = pods_[entry->first].losses-- > 0;
            result.outcome = lost ? ExecOutcome::truncated : ExecOutcome::completed;
            result.retryable = lost;
            result.unreached = pods_[entry->first].unreached;
            result.retry_after = pods_[entry->first].retry_after;
            result.out = "pod " + std::to_string(entry->first);
            ended.push_back({entry->first, result});
            entry = open_.erase(entry);
        }
        std::reverse(ended.begin(), ended.end()); // arrival order must not matter
        return ended;
    }

    model::RawResult cancel(std::size_t task) override {
        cancelled.insert(task);
        open_.erase(task);
        model::RawResult shown;
        shown.out = "half of pod " + std::to_string(task);
        return shown;
    }

    std::map<std::size_t, int> starts;
    std::set<std::size_t> cancelled;
    std::size_t most_open = 0;

private:
    ManualClock& clock_;
    std::vector<Behaviour> pods_;
    std::map<std::size_t, Instant> open_;
};

model::Plan plan_of(std::size_t tasks) {
    model::Plan plan;
    for (std::size_t i = 0; i < tasks; ++i) {
        plan.tasks.push_back({i, "ns", "pod-" + std::to_string(i), "main", {"sh"}});
    }
    return plan;
}

probe::FanOut run(
    ManualClock& clock,
    FakeTransport& transport,
    std::size_t tasks,
    probe::Limits limits = {},
    const std::function<bool()>& interrupted = [] { return false; }) {
    if (limits.run_deadline == Instant{}) {
        limits.run_deadline = Instant{} + 5min;
    }
    return probe::fan_out(
        plan_of(tasks), transport, clock, limits, {interrupted, [](std::size_t, std::size_t) {}});
}

} // namespace

TEST_CASE("every pod is asked once and results stand in the order of the plan", "[probe]") {
    ManualClock clock;
    FakeTransport transport(clock, std::vector<Behaviour>(100));
    const auto result = run(clock, transport, 100);
    REQUIRE(result.results.size() == 100);
    CHECK(result.execs == 100);
    CHECK(result.cut_short.empty());
    for (std::size_t i = 0; i < 100; ++i) {
        CHECK(result.results[i].out == "pod " + std::to_string(i));
        CHECK(transport.starts[i] == 1);
    }
}

TEST_CASE("parallelism is bounded and starts below its bound", "[probe]") {
    ManualClock clock;
    FakeTransport wide(clock, std::vector<Behaviour>(200));
    (void)run(clock, wide, 200, {.max_parallel = 32});
    CHECK(wide.most_open == 32);

    FakeTransport narrow(clock, std::vector<Behaviour>(10));
    (void)run(clock, narrow, 10, {.max_parallel = 3});
    CHECK(narrow.most_open == 3);

    FakeTransport ramp(clock, std::vector<Behaviour>(8, Behaviour{.hangs = true}));
    (void)run(clock, ramp, 8, {.max_parallel = 32});
    CHECK(ramp.most_open == 8);
}

TEST_CASE("a parallelism of zero still asks every pod", "[probe]") {
    ManualClock clock;
    FakeTransport transport(clock, std::vector<Behaviour>(2));
    CHECK(run(clock, transport, 2, {.max_parallel = 0}).execs == 2);
}

TEST_CASE("an exec lost on the way is read once more, not forever", "[probe]") {
    ManualClock clock;
    FakeTransport transport(clock, {{.losses = 1}, {.losses = 5}, {}});
    const auto result = run(clock, transport, 3);
    CHECK(result.results[0].outcome == ExecOutcome::completed);
    CHECK(transport.starts[0] == 2);
    CHECK(result.results[1].outcome == ExecOutcome::truncated);
    CHECK(transport.starts[1] == 2);
    CHECK(result.execs == 5);
}

TEST_CASE("a lost exec waits before it is asked again, and holds up nobody meanwhile") {
    ManualClock clock;
    FakeTransport transport(clock, {{.losses = 1, .retry_after = 2s}, {}, {}});
    const auto result = run(clock, transport, 3, {.max_parallel = 1});
    CHECK(result.results[0].outcome == ExecOutcome::completed);
    CHECK(clock.now() == Instant{} + 2s + 20ms);
    CHECK(result.execs == 4);
}

TEST_CASE("a lost exec whose second try the run has no time for stays lost") {
    ManualClock clock;
    FakeTransport transport(clock, {{.losses = 1, .retry_after = 1min}});
    const auto result = run(clock, transport, 1, {.run_deadline = Instant{} + 30s});
    CHECK(result.results[0].outcome == ExecOutcome::truncated);
    CHECK(result.cut_short == "the run's time was up (--timeout)");
    CHECK(result.execs == 1);
}

TEST_CASE("a server that cannot be reached is tried for some seconds: it may be restarting") {
    ManualClock clock;
    FakeTransport transport(clock,
                            {{.losses = 3, .retry_after = 1s, .unreached = true},
                             {.losses = 9, .retry_after = 1s, .unreached = true}});
    const auto result = run(clock, transport, 2);
    CHECK(result.results[0].outcome == ExecOutcome::completed);
    CHECK(result.results[1].outcome == ExecOutcome::truncated);
    CHECK(transport.starts[0] == 4);
    CHECK(transport.starts[1] == 4);
    CHECK(clock.now() >= Instant{} + 7s); // 1 + 2 + 4
    CHECK(clock.now() < Instant{} + 8s);
}

TEST_CASE("a pod that hangs costs its own row and nothing else", "[probe]") {
    ManualClock clock;
    FakeTransport transport(clock, {{}, {.hangs = true}, {}});
    const auto result = run(clock, transport, 3, {.probe_timeout = 20s});
    CHECK(result.results[0].outcome == ExecOutcome::completed);
    CHECK(result.results[1].outcome == ExecOutcome::timed_out);
    CHECK(result.results[1].out == "half of pod 1"); // what it had printed stays evidence
    CHECK(result.results[2].outcome == ExecOutcome::completed);
    CHECK(transport.cancelled == std::set<std::size_t>{1});
    CHECK(transport.starts[1] == 1);
    CHECK(result.cut_short.empty());
}

TEST_CASE("when the run's time is up what is known is kept", "[probe]") {
    ManualClock clock;
    FakeTransport transport(clock, {{}, {.hangs = true}});
    const auto result =
        run(clock, transport, 2, {.probe_timeout = 1h, .run_deadline = Instant{} + 30s});
    CHECK(result.cut_short == "the run's time was up (--timeout)");
    CHECK(result.results[0].outcome == ExecOutcome::completed);
    CHECK(result.results[1].outcome == ExecOutcome::cancelled);
    CHECK(result.results[1].detail == result.cut_short);
}

TEST_CASE("an interrupt keeps what is known and starts nothing more", "[probe]") {
    ManualClock clock;
    FakeTransport transport(clock, std::vector<Behaviour>(50, Behaviour{.answers_after = 1s}));
    int asked = 0;
    const auto result = run(clock, transport, 50, {.max_parallel = 4}, [&] { return ++asked > 3; });
    CHECK(result.cut_short == "interrupted");
    CHECK(result.results.front().outcome == ExecOutcome::completed);
    CHECK(result.results.back().outcome == ExecOutcome::cancelled);
    CHECK(result.results.back().detail == "interrupted");
    CHECK(transport.starts.size() < 50);
}
