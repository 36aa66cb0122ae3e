// Whole deployments, from observations to the exit code.
#include "base/strings.hpp"
#include "judge/evaluate.hpp"
#include "support/observations.hpp"
#include "verdict/roll_up.hpp"

#include <catch2/catch.hpp>

namespace di::test {
namespace {

using model::Role;
using model::SkipReason;
using model::State;
using model::Status;
using model::Tier;

struct Outcome {
    judge::Judgement judgement;
    verdict::RollUp roll_up;
};

Outcome judged(const FakeCluster& cluster, const verdict::Options& options = {}) {
    Outcome outcome;
    outcome.judgement = judge::evaluate(cluster.inventory, cluster.observations, {});
    auto not_probed = cluster.inventory.not_probed;
    for (auto& pod : judge::failed_execs(cluster.inventory, cluster.observations)) {
        not_probed.push_back(pod);
    }
    outcome.roll_up = verdict::roll_up(
        {cluster.inventory, not_probed, outcome.judgement.checks, outcome.judgement.pairs},
        options);
    return outcome;
}

void check_verdict(const FakeCluster& cluster, State state, Tier tier, int exit_code) {
    const auto outcome = judged(cluster);
    for (const auto& check : outcome.judgement.checks) {
        if (check.status == Status::warn && !check.advisory) {
            UNSCOPED_INFO(check.code << " " << check.detail);
        }
    }
    const auto& verdict = outcome.roll_up.verdict;
    CAPTURE(verdict.line);
    CHECK(to_string(verdict.readiness.state) == to_string(state));
    CHECK(to_string(verdict.readiness.tier) == to_string(tier));
    CHECK(verdict.readiness.exit_code == exit_code);
}

std::string line(const FakeCluster& cluster) {
    return judged(cluster).roll_up.verdict.line;
}

void no_subnet_manager(FakePod& pod) {
    pod.each_port([](model::Port& port) {
        port.state = model::PortState::initializing;
        port.sm_lid = 0;
        port.lid = 0;
    });
}

void no_tools(FakePod& pod) {
    const model::Unseen missing{SkipReason::tool_missing, "not in the image"};
    pod.seen.ibstat = missing;
    pod.seen.ibv_devinfo = missing;
    pod.seen.topology = missing;
    pod.seen.nvlink = missing;
    pod.seen.fabric = missing;
    pod.seen.ucx = missing;
}

FakePod mixed(Role role, const std::string& name, const std::string& node) {
    return role == Role::prefill ? infiniband_pod(role, name, node) : roce_pod(role, name, node);
}

} // namespace

TEST_CASE("a healthy InfiniBand deployment is ready and capable") {
    check_verdict(disagg(infiniband_pod), State::ready, Tier::capable, 0);
    CHECK(line(disagg(infiniband_pod)) ==
          "ready: capable, not yet proven by traffic: KV can go over InfiniBand RDMA between 2 "
          "prefill and 2 decode workers");
}

TEST_CASE("so are healthy RoCE, EFA and GB200 deployments") {
    check_verdict(disagg(roce_pod), State::ready, Tier::capable, 0);
    check_verdict(disagg(efa_pod, [](FakePod& pod) { pod.worker.node += pod.worker.pod; }),
                  State::ready,
                  Tier::capable,
                  0);
    check_verdict(disagg(gb200_pod), State::ready, Tier::capable, 0);
    CHECK(contains(line(disagg(gb200_pod)), "multi-node NVLink"));
}

TEST_CASE("UCX_TLS=tcp blocks, and the line says so") {
    const auto cluster =
        disagg(infiniband_pod, [](FakePod& pod) { pod.env("UCX_TLS", "tcp,cuda_copy"); });
    check_verdict(cluster, State::blocked, Tier::configured, 1);
    CHECK(line(cluster) ==
          "blocked: UCX_TLS=tcp,cuda_copy (engine process) keeps KV on TCP (4 of 4 "
          "workers)");
    for (const auto& pair : judged(cluster).judgement.pairs) {
        CHECK(pair.path == model::Path::tcp);
    }
}

TEST_CASE("a fabric without subnet manager blocks, and cables are not blamed") {
    const auto cluster = disagg(infiniband_pod, no_subnet_manager);
    check_verdict(cluster, State::blocked, Tier::configured, 1);
    CHECK(contains(line(cluster), "cables are fine, no subnet manager (SM)"));
}

TEST_CASE("a mixed fabric blocks by its pairs alone") {
    const auto cluster = disagg(mixed);
    check_verdict(cluster, State::blocked, Tier::configured, 1);
    CHECK(line(cluster) ==
          "blocked: no common link layer: prefill InfiniBand, decode Ethernet (4 of "
          "4 pairs)");
    for (const auto& check : judged(cluster).judgement.checks) {
        CAPTURE(check.code, check.detail);
        CHECK((check.name == "pair" || check.advisory || check.status == Status::ok ||
               check.reason == SkipReason::not_applicable));
    }
}

TEST_CASE("missing tools lower nothing") {
    check_verdict(disagg(infiniband_pod, no_tools), State::ready, Tier::capable, 0);
    CHECK(line(disagg(infiniband_pod, no_tools)) == line(disagg(infiniband_pod)));
}

TEST_CASE("no shell is inconclusive, not ready") {
    const auto cluster =
        disagg(infiniband_pod, [](FakePod& pod) { pod.unseen_exec(SkipReason::tool_missing); });
    check_verdict(cluster, State::inconclusive, Tier::configured, 3);
    CHECK(contains(line(cluster), "4 of 4 workers were not probed"));
}

TEST_CASE("aggregated only is not applicable") {
    FakeCluster cluster;
    model::Graph graph;
    graph.ns = "dynamo";
    graph.name = "llama";
    cluster.inventory.graphs = {graph};
    cluster.add(infiniband_pod(Role::worker).no_devices());
    check_verdict(cluster, State::not_applicable, Tier::configured, 0);
    CHECK(contains(line(cluster), "not applicable"));
}

TEST_CASE("a crash loop is inconclusive, with the pod and its reason in the line") {
    auto cluster = disagg(infiniband_pod);
    cluster.left_out(Role::decode, model::NotProbedReason::not_running, "CrashLoopBackOff");
    check_verdict(cluster, State::inconclusive, Tier::capable, 3);
    CHECK(
        contains(line(cluster),
                 "1 of 5 workers was not probed: decode-left-out not-running (CrashLoopBackOff)"));
}

TEST_CASE("pods that ended or were filtered away lower nothing") {
    for (const auto reason : {model::NotProbedReason::completed,
                              model::NotProbedReason::terminating,
                              model::NotProbedReason::filtered}) {
        auto cluster = disagg(infiniband_pod);
        cluster.left_out(Role::decode, reason, "");
        check_verdict(cluster, State::ready, Tier::capable, 0);
    }
}

TEST_CASE("a filter that leaves one side out is named") {
    auto cluster = disagg(infiniband_pod);
    cluster.inventory.one_sided_filter = "--role prefill";
    check_verdict(cluster, State::inconclusive, Tier::capable, 3);
    CHECK(line(cluster) == "inconclusive: --role prefill leaves one side of the split out");
}

TEST_CASE("one rail down degrades and still exits 0") {
    const auto cluster = disagg(infiniband_pod, [](FakePod& pod) {
        pod.each_device([](model::RdmaDevice& device) {
            if (device.name == "mlx5_2") {
                device.ports.front().state = model::PortState::down;
                device.ports.front().phys_state = model::PhysState::polling;
            }
        });
    });
    check_verdict(cluster, State::degraded, Tier::capable, 0);
    CHECK(contains(line(cluster), "degraded: capable, not yet proven by traffic: 1 of 4 ports"));
}

TEST_CASE("missing optional parts do not degrade") {
    const auto cluster = disagg(infiniband_pod, [](FakePod& pod) {
        pod.seen.gdrdrv = std::optional<model::DeviceNode>();
        pod.seen.nvlink->front().inactive = {3};
        pod.seen.ucx->cuda = false;
        pod.env("NIXL_BACKEND", "UCX");
    });
    check_verdict(cluster, State::ready, Tier::capable, 0);
}

TEST_CASE("an engine that is still loading is inconclusive") {
    const auto cluster = disagg(infiniband_pod, [](FakePod& pod) { pod.libraries({}); });
    check_verdict(cluster, State::inconclusive, Tier::configured, 3);
    CHECK(contains(line(cluster), "still loading?"));
}

TEST_CASE("Mooncake whose library cannot be shown is ready by configuration only") {
    const auto cluster = disagg(infiniband_pod, [](FakePod& pod) {
        pod.worker.backend = model::Backend::sglang;
        pod.arguments({"--disaggregation-transfer-backend", "mooncake"});
        pod.libraries({"/usr/lib/libibverbs.so.1"});
    });
    check_verdict(cluster, State::ready, Tier::configured, 0);
    CHECK(contains(line(cluster), "ready: configured"));
}

TEST_CASE("mockers alone prove nothing") {
    const auto cluster =
        disagg(infiniband_pod, [](FakePod& pod) { pod.worker.backend = model::Backend::mocker; });
    check_verdict(cluster, State::inconclusive, Tier::configured, 3);
}

TEST_CASE("a rolling update without a pair of one generation is inconclusive") {
    const auto cluster = disagg(infiniband_pod, [](FakePod& pod) {
        pod.worker.generation = std::string(to_string(pod.worker.role));
    });
    check_verdict(cluster, State::inconclusive, Tier::configured, 3);
    CHECK(contains(line(cluster), "generation"));
}

TEST_CASE("the next tier's proof is a command with real names") {
    verdict::Options options;
    options.kubectl = {"kubectl", "--context", "prod"};
    const auto prove = judged(disagg(infiniband_pod), options).roll_up.verdict.prove;
    REQUIRE(prove.has_value());
    const std::vector<std::string> head(prove->argv.begin(), prove->argv.begin() + 7);
    CHECK(head == std::vector<std::string>{
                      "kubectl", "--context", "prod", "-n", "dynamo", "exec", "decode-0"});
    CHECK(contains(prove->argv.back(), "port_rcv_data"));
    const auto blocked = disagg(infiniband_pod, no_subnet_manager);
    CHECK_FALSE(judged(blocked).roll_up.verdict.prove.has_value());
}

TEST_CASE("five thousand workers are a handful of pairs") {
    FakeCluster cluster;
    for (int i = 0; i < 2500; ++i) {
        const auto number = std::to_string(i);
        cluster.add(infiniband_pod(Role::prefill, "p-" + number, "n-" + number));
        cluster.add(infiniband_pod(Role::decode, "d-" + number, "n-" + number));
    }
    const auto outcome = judged(cluster);
    REQUIRE(outcome.judgement.pairs.size() == 1);
    CHECK(outcome.judgement.pairs.front().count == std::size_t{2500} * 2500);
    CHECK(outcome.roll_up.verdict.readiness.state == State::ready);
}

} // namespace di::test
