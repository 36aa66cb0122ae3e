// What was not seen is never called healthy.
#include "cases.hpp"
#include "rows.hpp"
#include "verdict/roll_up.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

namespace di::test {
namespace {

using model::Role;
using model::State;
using model::Status;

using Codes = std::set<std::string>;

/// Rows that rest on a fact, so that they may not be ok without it. A fact that is absent here is
/// one of several sources, or only refines a row.
const std::map<std::string, Codes>& resting_on() {
    static const std::map<std::string, Codes> k_codes = {
        {"sysfs", {"IB-005"}},
        {"ibstat", {"IB-006"}},
        {"ibv_devinfo", {"IB-007"}},
        {"gdrdrv", {"GDR-002"}},
        {"engine.memlock", {"UCX-004"}},
        {"engine.libraries", {"NIXL-001", "NIXL-002"}},
        {"engine.open_devices", {"UCX-003"}},
        {"engine", {"UCX-002", "UCX-003", "UCX-004", "NIXL-001", "NIXL-002"}},
        {"environment",
         {"ENV-001", "ENV-002", "ENV-003", "ENV-004", "ENV-005", "ENV-006", "ENV-007", "ENV-011"}},
        {"topology", {"NVL-001"}},
        {"nvlink", {"NVL-002"}},
        {"fabric", {"NVL-003"}},
        {"ucx", {"UCX-001"}},
        {"exec", {"EXEC-001"}},
    };
    return k_codes;
}

/// Facts without which the capability of a healthy InfiniBand worker stays open.
const std::set<std::string> k_needed = {
    "engine.memlock", "engine.libraries", "engine", "environment", "exec"};

verdict::RollUp judged(const FakeCluster& cluster) {
    const auto judgement = judge::evaluate(cluster.inventory, cluster.observations, {});
    return verdict::roll_up(
        {cluster.inventory, cluster.inventory.not_probed, judgement.checks, judgement.pairs}, {});
}

} // namespace

TEST_CASE("a fact that could not be seen leaves no row ok that rests on it") {
    for (const auto& blindfold : blindfolds()) {
        CAPTURE(blindfold.name);
        auto pod = infiniband_pod(Role::prefill);
        blindfold.put_on(pod.seen);
        const auto found = resting_on().find(blindfold.name);
        const auto codes = found == resting_on().end() ? Codes{} : found->second;
        for (const auto& check : rows_of(pod)) {
            CAPTURE(check.code);
            CHECK_FALSE((codes.count(check.code) != 0 && check.status == Status::ok));
            CHECK(check.status != Status::fail);
        }
    }
}

TEST_CASE("with nothing seen at all no deciding row is ok, and one row says why") {
    auto pod = infiniband_pod(Role::prefill);
    for (const auto& blindfold : blindfolds()) {
        blindfold.put_on(pod.seen);
    }
    const auto rows = rows_of(pod);
    for (const auto& check : rows) {
        CAPTURE(check.code);
        CHECK_FALSE((check.status == Status::ok && check.capability != model::Capability::none));
    }
    CHECK(row(rows, "EXEC-001").reason == model::SkipReason::unreadable);
}

TEST_CASE("two facts unseen at once are no better than either") {
    for (const auto& first : blindfolds()) {
        for (const auto& second : blindfolds()) {
            CAPTURE(first.name, second.name);
            const auto cluster = disagg(infiniband_pod, [&](FakePod& pod) {
                first.put_on(pod.seen);
                second.put_on(pod.seen);
            });
            const bool needed = k_needed.count(first.name) + k_needed.count(second.name) > 0;
            const auto state = judged(cluster).verdict.readiness.state;
            CHECK(state != State::blocked);
            CHECK_FALSE((needed && state == State::ready));
        }
    }
}

TEST_CASE("the verdict is ready only while each deciding capability was seen") {
    for (const auto& blindfold : blindfolds()) {
        CAPTURE(blindfold.name);
        const auto cluster =
            disagg(infiniband_pod, [&](FakePod& pod) { blindfold.put_on(pod.seen); });
        const auto state = judged(cluster).verdict.readiness.state;
        CHECK(state == (k_needed.count(blindfold.name) != 0 ? State::inconclusive : State::ready));
    }
}

TEST_CASE("device nodes, ports and GPUDirect each need one source that was seen") {
    const auto nodes = [](FakePod& pod) {
        pod.seen.verbs_nodes = unseen();
        pod.seen.engine->open_devices = unseen();
    };
    const auto ports = [](FakePod& pod) {
        pod.seen.sysfs = unseen();
        pod.seen.ibstat = unseen();
        pod.seen.ibv_devinfo = unseen();
    };
    const auto gpudirect = [](FakePod& pod) {
        pod.seen.peer_memory = unseen();
        pod.seen.driver = unseen();
    };
    const std::vector<std::function<void(FakePod&)>> blinders = {nodes, ports, gpudirect};
    for (const auto& blind : blinders) {
        CHECK(judged(disagg(infiniband_pod, blind)).verdict.readiness.state == State::inconclusive);
    }
}

TEST_CASE("one side unseen is enough to leave the verdict open") {
    for (const auto& blindfold : blindfolds()) {
        if (k_needed.count(blindfold.name) == 0) {
            continue;
        }
        CAPTURE(blindfold.name);
        const auto cluster = disagg(infiniband_pod, [&](FakePod& pod) {
            if (pod.worker.pod == "decode-1") {
                blindfold.put_on(pod.seen);
            }
        });
        CHECK(judged(cluster).verdict.readiness.state == State::inconclusive);
    }
}

TEST_CASE("a GB200 worker is ready only while fabric and channel were seen") {
    CHECK(judged(disagg(gb200_pod)).verdict.readiness.state == State::ready);
    for (const auto& blindfold : blindfolds()) {
        if (blindfold.name != "fabric" && blindfold.name != "imex_channels") {
            continue;
        }
        CAPTURE(blindfold.name);
        CHECK(judged(disagg(gb200_pod, [&](FakePod& pod) {
                  blindfold.put_on(pod.seen);
              })).verdict.readiness.state == State::inconclusive);
    }
}

TEST_CASE("a worker without an observation lowers the verdict") {
    auto cluster = disagg(infiniband_pod);
    cluster.observations.pop_back();
    CHECK(judged(cluster).verdict.readiness.state == State::inconclusive);
    cluster.observations.clear();
    CHECK(judged(cluster).verdict.readiness.state == State::inconclusive);
}

} // namespace di::test
