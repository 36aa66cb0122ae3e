#include "local_exec.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>

using namespace di;
using namespace std::chrono_literals;
using model::ExecOutcome;

namespace {

struct Run {
    SteadyClock clock;
    std::unique_ptr<model::ExecTransport> transport = app::make_local_transport(clock, -1);

    void start(std::vector<std::string> argv, std::size_t task = 0) {
        transport->start(task, {task, "", "host", "", std::move(argv)});
    }

    /// The next one that ends; a minute is more than any of them takes.
    model::EndedExec next() {
        const auto ended = transport->wait(clock.now() + 1min);
        REQUIRE(ended.size() == 1);
        return ended.front();
    }
};

bool is_alive(const std::string& pid) {
    return kill(std::stoi(pid), 0) == 0;
}

} // namespace

TEST_CASE("a local exec has an exit code and both streams apart", "[local]") {
    Run run;
    run.start({"sh", "-c", "echo out; echo err >&2; exit 3"});
    const auto ended = run.next();
    CHECK(ended.result.outcome == ExecOutcome::completed);
    CHECK(ended.result.exit_code == 3);
    CHECK(ended.result.out == "out\n");
    CHECK(ended.result.err == "err\n");
}

TEST_CASE("a local exec has nothing on its stdin", "[local]") {
    Run run;
    run.start({"sh", "-c", "cat; echo end"});
    CHECK(run.next().result.out == "end\n");
}

TEST_CASE("a missing program is told apart from one that fails", "[local]") {
    Run run;
    run.start({"no-such-program-here"});
    const auto ended = run.next();
    CHECK(ended.result.outcome == ExecOutcome::refused);
    CHECK(ended.result.refusal == model::SkipReason::tool_missing);
}

TEST_CASE("a local exec that is killed is not complete", "[local]") {
    Run run;
    run.start({"sh", "-c", "echo half; kill -9 $$"});
    const auto ended = run.next();
    CHECK(ended.result.outcome == ExecOutcome::truncated);
    CHECK(ended.result.out == "half\n");
}

TEST_CASE("a child that closes its output and lives on is waited for", "[local]") {
    Run run;
    run.start({"sh", "-c", "exec >&- 2>&-; sleep 0.2; exit 5"});
    CHECK(run.next().result.exit_code == 5);
}

TEST_CASE("a cancelled exec keeps what it printed and leaves no process behind", "[local]") {
    Run run;
    run.start({"sh", "-c", "sleep 300 & echo $!; wait"});
    CHECK(run.transport->wait(run.clock.now() + 300ms).empty());
    const auto shown = run.transport->cancel(0);
    REQUIRE(!shown.out.empty());
    for (int tries = 0; tries < 100 && is_alive(shown.out); ++tries) {
        run.transport->wait(run.clock.now() + 20ms); // init reaps the orphan in its own time
    }
    CHECK_FALSE(is_alive(shown.out));
}

TEST_CASE("endless output is capped", "[local]") {
    Run run;
    run.start({"sh", "-c", "head -c 9000000 /dev/zero"});
    const auto ended = run.next();
    CHECK(ended.result.outcome == ExecOutcome::completed);
    CHECK(ended.result.out.size() == std::size_t{4} << 20U);
}
