#include "base/strings.hpp"
#include "cases.hpp"
#include "judge/rules.hpp"
#include "rows.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace di::test {
namespace {

using model::Role;
using model::SkipReason;
using model::Status;

using Argv = std::vector<std::string>;

judge::Judgement judged(const FakeCluster& cluster, const judge::Context& context = {}) {
    return judge::evaluate(cluster.inventory, cluster.observations, context);
}

} // namespace

TEST_CASE("missing device nodes overrule what sysfs shows of the host") {
    const auto rows = rows_of(infiniband_pod(Role::prefill).no_devices());
    for (const auto* code : {"IB-002", "IB-003", "IB-004", "IB-005", "IB-006", "IB-007"}) {
        CAPTURE(code);
        CHECK(row(rows, code).overridden_by == "IB-001");
        CHECK(row(rows, code).overridden_by == "IB-001");
        CHECK(contains(row(rows, code).detail, "the host's view") ==
              (row(rows, code).status == Status::ok));
    }
    CHECK(row(rows, "IB-002").status == Status::ok); // a row keeps its own status
    CHECK_FALSE(row(rows, "GDR-001").overridden_by.has_value());
    for (const auto& check : rows_of(infiniband_pod(Role::prefill))) {
        CHECK_FALSE(check.overridden_by.has_value());
    }
}

TEST_CASE("a failed exec is one row, not thirty") {
    const auto rows = rows_of(infiniband_pod(Role::prefill).unseen_exec(SkipReason::tool_missing));
    REQUIRE(row(rows, "EXEC-001").next.has_value());
    CHECK(row(rows, "EXEC-001").next->argv == Argv{"kubectl",
                                                   "-n",
                                                   "dynamo",
                                                   "debug",
                                                   "-it",
                                                   "prefill-0",
                                                   "--image=busybox",
                                                   "--target=main",
                                                   "--",
                                                   "sh"});
    for (const auto& check : rows) {
        CHECK((check.code == "EXEC-001" || check.status != Status::skipped));
    }
}

TEST_CASE("after a failed exec the pod's spec can still prove the bad") {
    auto pod = infiniband_pod(Role::prefill).unseen_exec(SkipReason::no_permission);
    pod.seen.environment = model::Environment{};
    pod.env("UCX_TLS", "tcp").env_source(model::EnvSource::spec);
    CHECK(row_of(pod, "ENV-001").status == Status::fail);
    CHECK(row_of(pod, "ENV-002").code.empty()); // nothing good is claimed
}

TEST_CASE("an exec session stands in for an engine's environment only where a tool is missing") {
    auto pod = infiniband_pod(Role::prefill).env_source(model::EnvSource::exec);
    pod.seen.engine->environment = unseen(SkipReason::tool_missing);
    CHECK(row_of(pod, "ENV-001").status == Status::ok);
    CHECK_THAT(row_of(pod, "ENV-001").detail, Catch::Contains("exec session"));

    pod.seen.engine->environment = unseen(SkipReason::no_permission);
    CHECK(row_of(pod, "ENV-001").status == Status::skipped);
    CHECK(row_of(pod, "ENV-001").reason == SkipReason::no_permission);
}

TEST_CASE("an exec that was cut short keeps the rows it did not reach beside those it did") {
    auto pod = infiniband_pod(Role::prefill);
    pod.seen.exec = unseen(SkipReason::truncated);
    pod.seen.fabric = unseen(SkipReason::truncated);
    const auto rows = rows_of(pod);
    CHECK(row(rows, "IB-001").status == Status::ok);
    CHECK(row(rows, "NVL-003").reason == SkipReason::truncated);
    CHECK(row(rows, "EXEC-001").reason == SkipReason::truncated);
}

TEST_CASE("each kind of failed exec leads to its own next step") {
    struct Case {
        SkipReason reason;
        std::string word;
    };

    const auto test = GENERATE(values<Case>({{SkipReason::no_permission, "can-i"},
                                             {SkipReason::not_running, "describe"},
                                             {SkipReason::timed_out, "exec"},
                                             {SkipReason::tool_missing, "debug"}}));
    const auto check = row_of(infiniband_pod(Role::prefill).unseen_exec(test.reason), "EXEC-001");
    CHECK(check.reason == test.reason);
    const auto& argv = check.next->argv;
    CHECK(std::find(argv.begin(), argv.end(), test.word) != argv.end());
}

TEST_CASE("next steps carry the user's own way to the cluster and the real names") {
    FakeCluster cluster;
    cluster.add(infiniband_pod(Role::prefill).no_devices().env("UCX_TLS", "tcp,cuda_copy"));
    const auto rows = judged(cluster, {{"kubectl", "--context", "prod"}}).checks;
    CHECK(row(rows, "ENV-001").next->argv == Argv{"kubectl",
                                                  "--context",
                                                  "prod",
                                                  "-n",
                                                  "dynamo",
                                                  "edit",
                                                  "dynamographdeployment",
                                                  "llama"});
    CHECK(contains(row(rows, "ENV-001").next->why, "each component that sets it"));
    CHECK(row(rows, "IB-001").next->argv == Argv{"kubectl",
                                                 "--context",
                                                 "prod",
                                                 "-n",
                                                 "dynamo",
                                                 "exec",
                                                 "prefill-0",
                                                 "-c",
                                                 "main",
                                                 "--",
                                                 "sh",
                                                 "-c",
                                                 "ls -l /dev/infiniband"});
    CHECK(row(rows, "NVL-004").next->argv ==
          Argv{"kubectl", "dynamo-interconnect", "explain", "NVL-004"});
}

TEST_CASE("without a graph the edit becomes a look at the pod") {
    auto pod = infiniband_pod(Role::prefill).env("UCX_TLS", "tcp");
    pod.worker.graph.reset();
    CHECK(row_of(pod, "ENV-001").next->argv ==
          Argv{"kubectl", "-n", "dynamo", "get", "pod", "prefill-0", "-o", "yaml"});
}

TEST_CASE("without a cluster next steps run on this host") {
    FakeCluster cluster;
    cluster.add(infiniband_pod(Role::prefill).no_devices());
    const auto rows = judged(cluster, {{}}).checks;
    CHECK(row(rows, "IB-001").next->argv == Argv{"sh", "-c", "ls -l /dev/infiniband"});
}

TEST_CASE("loopback as side channel is a risk only while all peers are on this node") {
    auto cluster = disagg(infiniband_pod);
    auto here = infiniband_pod(Role::prefill, "p", "n1").env("VLLM_NIXL_SIDE_CHANNEL_HOST", "::1");
    FakeCluster together;
    together.add(here).add(infiniband_pod(Role::decode, "d", "n1"));
    CHECK(row(judged(together).checks, "ENV-007").status == Status::warn);
    FakeCluster apart;
    apart.add(here).add(infiniband_pod(Role::decode, "d", "n2"));
    CHECK(row(judged(apart).checks, "ENV-007").status == Status::fail);
}

TEST_CASE("in an aggregated graph nothing about the transport applies") {
    FakeCluster cluster;
    model::Graph graph;
    graph.ns = "dynamo";
    graph.name = "llama";
    cluster.inventory.graphs = {graph};
    cluster.add(infiniband_pod(Role::worker).env("UCX_TLS", "tcp").no_devices());
    for (const auto& check : judged(cluster).checks) {
        CAPTURE(check.code);
        CHECK((check.status != Status::fail && check.status != Status::warn));
        if (check.code == "ENV-001" || check.code == "IB-001") {
            CHECK(check.reason == SkipReason::not_applicable);
        }
    }
}

TEST_CASE("port facts name every port, the Active ones and the ignored ones") {
    auto pod = infiniband_pod(Role::prefill).env("UCX_NET_DEVICES", "mlx5_0:1,mlx5_1:1");
    const auto check = row_of(pod, "IB-002");
    const auto& ports = std::get<model::Value::Array>(check.facts.find("ports")->data());
    REQUIRE(ports.size() == 4);
    CHECK(*ports[0].find("device") == "mlx5_0");
    CHECK(*ports[0].find("state") == "Active");
    CHECK(*ports[0].find("rate_gbps") == model::Value(400));
    CHECK(*check.facts.find("ignored") == model::Value(Argv{"mlx5_2:1", "mlx5_3:1"}));
    CHECK(*check.facts.find("active") ==
          model::Value(Argv{"mlx5_0:1", "mlx5_1:1", "mlx5_2:1", "mlx5_3:1"}));
}

TEST_CASE("advisory rows speak for no capability; the fabric decides only on an NVLink path") {
    for (const auto& check : rows_of(infiniband_pod(Role::prefill))) {
        CHECK_FALSE((check.advisory && check.capability != model::Capability::none));
    }
    CHECK(row_of(infiniband_pod(Role::prefill), "NVL-003").advisory);
    CHECK_FALSE(row_of(gb200_pod(Role::prefill), "NVL-003").advisory);
    const auto broken = infiniband_pod(Role::prefill).each_gpu([](model::GpuFabric& gpu) {
        gpu.state = "In Progress";
    });
    CHECK_FALSE(row_of(broken, "NVL-003").advisory);
}

TEST_CASE("failed execs are listed with their reason, and nobody else is") {
    auto cluster = disagg(infiniband_pod, [](FakePod& pod) {
        if (pod.worker.pod == "prefill-1") {
            pod.unseen_exec(SkipReason::tool_missing);
        }
    });
    cluster.observations.erase(cluster.observations.begin()); // decode-0 gave no result
    const auto failed = judge::failed_execs(cluster.inventory, cluster.observations);
    REQUIRE(failed.size() == 2);
    CHECK(failed[0].pod == "decode-0");
    CHECK(failed[0].reason == model::NotProbedReason::unreadable);
    CHECK(failed[1].pod == "prefill-1");
    CHECK(failed[1].reason == model::NotProbedReason::tool_missing);
    CHECK(failed[1].role == Role::prefill);
    CHECK(failed[1].graph == "llama");
}

TEST_CASE("an observation of a worker that does not exist is left aside") {
    FakeCluster cluster;
    cluster.add(infiniband_pod(Role::prefill));
    cluster.observations.emplace_back();
    cluster.observations.back().worker = 17;
    CHECK(row(judged(cluster).checks, "IB-001").status == Status::ok);
    CHECK(judged({}).checks.empty());
    CHECK(judged({}).pairs.empty());
}

} // namespace di::test
