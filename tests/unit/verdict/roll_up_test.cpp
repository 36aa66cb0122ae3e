// The weights alone, on rows made by hand.
#include "base/strings.hpp"
#include "support/observations.hpp"
#include "verdict/roll_up.hpp"

#include <catch2/catch.hpp>

namespace di::test {
namespace {

using model::Capability;
using model::Check;
using model::Role;
using model::SkipReason;
using model::State;
using model::Status;
using model::SubjectKind;
using model::Tier;
using verdict::FailOn;

struct Rows {
    FakeCluster cluster = disagg(infiniband_pod);
    std::vector<Check> checks;
    std::vector<model::Pair> pairs;

    Rows() {
        for (const auto& worker : cluster.inventory.workers) {
            for (const auto capability : {Capability::devices,
                                          Capability::link,
                                          Capability::transport,
                                          Capability::library}) {
                checks.push_back(row(worker.pod, Status::ok, capability));
            }
        }
        model::Pair pair;
        pair.ns = "dynamo";
        pair.graph = "llama";
        pair.prefill = "prefill-0";
        pair.decode = "decode-0";
        pair.path = model::Path::rdma_ib;
        pair.status = Status::ok;
        pairs.push_back(pair);
    }

    static Check row(const std::string& pod, Status status, Capability capability) {
        Check check;
        check.code = "X-" + std::to_string(static_cast<int>(capability));
        check.status = status;
        check.capability = capability;
        check.subject = {SubjectKind::pod, "dynamo", pod};
        check.detail = "it is " + std::string(to_string(status));
        if (status == Status::skipped) {
            check.reason = SkipReason::unreadable;
        }
        return check;
    }

    Check& add(Status status, Capability capability) {
        checks.push_back(row("prefill-0", status, capability));
        return checks.back();
    }

    [[nodiscard]] verdict::RollUp roll_up(const verdict::Options& options = {}) const {
        return verdict::roll_up({cluster.inventory, cluster.inventory.not_probed, checks, pairs},
                                options);
    }

    [[nodiscard]] State state(const verdict::Options& options = {}) const {
        return roll_up(options).verdict.readiness.state;
    }
};

} // namespace

TEST_CASE("good rows are ready; one bad row decides") {
    CHECK(Rows().state() == State::ready);

    struct Case {
        Status status;
        State state;
    };

    const auto test = GENERATE(values<Case>({{Status::ok, State::ready},
                                             {Status::warn, State::degraded},
                                             {Status::skipped, State::inconclusive},
                                             {Status::fail, State::blocked}}));
    Rows rows;
    rows.add(test.status, Capability::memlock);
    CHECK(rows.state() == test.state);
}

TEST_CASE("the worst wins") {
    Rows rows;
    rows.add(Status::warn, Capability::memlock);
    rows.add(Status::skipped, Capability::address);
    CHECK(rows.state() == State::inconclusive);
    rows.add(Status::fail, Capability::gpudirect);
    CHECK(rows.state() == State::blocked);
}

TEST_CASE("a skipped row lowers only what nothing else decided, for the same subject") {
    Rows rows;
    rows.add(Status::skipped, Capability::link); // its link was decided by another row
    CHECK(rows.state() == State::ready);
    rows.add(Status::skipped, Capability::none); // a veto is no vote
    CHECK(rows.state() == State::ready);
    rows.checks.push_back(Rows::row("decode-0", Status::ok, Capability::memlock));
    rows.add(Status::skipped, Capability::memlock); // decided for decode-0 only
    CHECK(rows.state() == State::inconclusive);
}

TEST_CASE("not applicable and not requested never lower; all other reasons do") {
    for (const auto reason : {SkipReason::not_applicable,
                              SkipReason::tool_missing,
                              SkipReason::no_permission,
                              SkipReason::not_running,
                              SkipReason::timed_out,
                              SkipReason::truncated,
                              SkipReason::unreadable,
                              SkipReason::not_requested}) {
        Rows rows;
        rows.add(Status::skipped, Capability::memlock).reason = reason;
        const bool lowers =
            reason != SkipReason::not_applicable && reason != SkipReason::not_requested;
        CAPTURE(to_string(reason));
        CHECK(rows.state() == (lowers ? State::inconclusive : State::ready));
    }
}

TEST_CASE("advisory, overridden and waived rows are counted and move nothing") {
    const auto change = GENERATE(
        as<std::function<void(Check&)>>{},
        [](Check& check) { check.advisory = true; },
        [](Check& check) { check.overridden_by = "IB-001"; },
        [](Check& check) { check.waived = "known"; });
    for (const auto status : {Status::warn, Status::fail, Status::skipped}) {
        Rows rows;
        change(rows.add(status, Capability::memlock));
        CHECK(rows.state() == State::ready);
        const auto counts = rows.roll_up().counts;
        CHECK(counts.warn + counts.fail + counts.skipped == 1);
    }
    Rows rows;
    auto& check = rows.add(Status::fail, Capability::memlock);
    verdict::Options options;
    options.waived.insert(check.code);
    CHECK(rows.state(options) == State::ready);
}

TEST_CASE("exit codes follow the state, --fail-on and --require") {
    struct Case {
        Status row;
        FailOn fail_on;
        std::optional<Tier> require;
        int exit_code;
    };

    const auto test = GENERATE(values<Case>({
        {Status::ok, FailOn::inconclusive, {}, 0},
        {Status::ok, FailOn::inconclusive, Tier::capable, 0},
        {Status::ok, FailOn::inconclusive, Tier::traffic, 3},
        {Status::ok, FailOn::fail, Tier::payload, 3},
        {Status::warn, FailOn::inconclusive, {}, 0},
        {Status::warn, FailOn::fail, {}, 0},
        {Status::warn, FailOn::warn, {}, 1},
        {Status::warn, FailOn::inconclusive, Tier::traffic, 3},
        {Status::skipped, FailOn::inconclusive, {}, 3},
        {Status::skipped, FailOn::warn, {}, 3},
        {Status::skipped, FailOn::fail, {}, 0},
        {Status::skipped, FailOn::fail, Tier::traffic, 3},
        {Status::fail, FailOn::fail, {}, 1},
        {Status::fail, FailOn::inconclusive, Tier::traffic, 1},
        {Status::fail, FailOn::warn, {}, 1},
    }));
    Rows rows;
    rows.add(test.row, Capability::memlock);
    verdict::Options options;
    options.fail_on = test.fail_on;
    options.require = test.require;
    CHECK(rows.roll_up(options).verdict.readiness.exit_code == test.exit_code);
}

TEST_CASE("a graph without a split meets no required tier") {
    Rows rows;
    rows.cluster.inventory.graphs.front().disagg = false;
    verdict::Options options;
    CHECK(rows.roll_up(options).verdict.readiness.exit_code == 0);
    options.require = Tier::capable;
    CHECK(rows.roll_up(options).verdict.readiness.exit_code == 3);
}

TEST_CASE("capable needs devices, a link, transport and library on each side, and good pairs") {
    const auto tier = [](const Rows& rows) { return rows.roll_up().verdict.readiness.tier; };
    CHECK(tier(Rows()) == Tier::capable);
    for (const auto capability :
         {Capability::devices, Capability::link, Capability::transport, Capability::library}) {
        Rows rows;
        const auto row =
            std::find_if(rows.checks.begin(), rows.checks.end(), [&](const auto& check) {
                return check.subject.name == "decode-1" && check.capability == capability;
            });
        rows.checks.erase(row);
        CHECK(tier(rows) == Tier::configured);
    }
    Rows nvlink;
    for (auto& check : nvlink.checks) {
        check.capability =
            check.capability == Capability::link ? Capability::nvlink : check.capability;
    }
    CHECK(tier(nvlink) == Tier::capable);
    Rows bad_pair;
    bad_pair.pairs.front().status = Status::fail;
    CHECK(tier(bad_pair) == Tier::configured);
}

TEST_CASE("without pairs the transfer is not judged; plain rows need none") {
    Rows rows;
    rows.pairs.clear();
    CHECK(rows.state() == State::inconclusive);
    verdict::Options options;
    options.question = verdict::Question::rows;
    CHECK(rows.state(options) == State::ready);
    CHECK(rows.roll_up(options).verdict.readiness.tier == Tier::configured);
}

TEST_CASE("a disaggregated graph of which one side was not seen is not ready") {
    Rows rows;
    rows.pairs.clear();
    auto& workers = rows.cluster.inventory.workers;
    workers.erase(std::remove_if(workers.begin(),
                                 workers.end(),
                                 [](const auto& worker) { return worker.role == Role::decode; }),
                  workers.end());
    CHECK(rows.state() == State::inconclusive);
    CHECK(contains(rows.roll_up().verdict.line, "no decode worker"));
}

TEST_CASE("the worst graph wins, is named, and those without a split have no say") {
    Rows rows;
    auto& inventory = rows.cluster.inventory;
    model::Graph other = inventory.graphs.front();
    other.name = "aggregated";
    other.disagg = false;
    inventory.graphs.push_back(other);
    CHECK(rows.state() == State::ready);
    rows.add(Status::fail, Capability::memlock);
    const auto result = rows.roll_up();
    CHECK(result.verdict.line == "blocked: dynamo/llama: it is fail (1 of 4 workers)");
    REQUIRE(result.graphs.size() == 2);
    CHECK(result.graphs[0].state == State::blocked);
    CHECK(result.graphs[1].state == State::not_applicable);
}

TEST_CASE("rows about a graph, or about everything, count where they belong") {
    struct Case {
        SubjectKind kind;
        std::string ns;
        std::string name;
        State state;
    };

    const auto test = GENERATE(values<Case>({
        {SubjectKind::graph, "dynamo", "llama", State::blocked},
        {SubjectKind::graph, "dynamo", "other", State::ready},
        {SubjectKind::ns, "dynamo", "dynamo", State::blocked},
        {SubjectKind::ns, "elsewhere", "elsewhere", State::ready},
        {SubjectKind::node, "", "node-1", State::blocked},
        {SubjectKind::pair, "dynamo", "prefill-0 -> decode-0", State::blocked},
    }));
    Rows rows;
    rows.add(Status::fail, Capability::coverage).subject = {test.kind, test.ns, test.name};
    CAPTURE(to_string(test.kind), test.name);
    CHECK(rows.state() == test.state);
}

TEST_CASE("graphs without a name are told apart by their Dynamo namespace") {
    FakeCluster cluster;
    for (const auto* name : {"a", "b"}) {
        for (const auto role : {Role::prefill, Role::decode}) {
            auto pod = infiniband_pod(role, std::string(to_string(role)) + name);
            pod.worker.graph.reset();
            pod.worker.dynamo_namespace = name;
            cluster.add(pod);
        }
    }
    const auto result = verdict::roll_up({cluster.inventory, {}, {}, {}}, {});
    CHECK(result.graphs.size() == 2);
    CHECK(result.graphs.front().graph.disagg);
}

TEST_CASE("nothing at all is not applicable") {
    const model::Inventory nothing;
    const auto result = verdict::roll_up({nothing, {}, {}, {}}, {});
    CHECK(result.verdict.readiness.state == State::not_applicable);
    CHECK(result.counts.ok == 0);
}

} // namespace di::test
