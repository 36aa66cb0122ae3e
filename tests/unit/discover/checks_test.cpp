// Each rule in its states; the rows say what to type next, with real names.
#include "base/strings.hpp"
#include "discover/inventory.hpp"
#include "discover/rules.hpp"
#include "unit/discover/pods.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace di;
using namespace di::test;
using model::Check;
using model::Status;

namespace {

std::vector<Check> rows_of(const discover::ApiObjects& objects, const std::string& code) {
    std::vector<Check> rows;
    for (const Check& check : discover::inventory(objects, {}).checks) {
        if (check.code == code) {
            rows.push_back(check);
        }
    }
    return rows;
}

Check row_of(const discover::ApiObjects& objects, const std::string& code) {
    const auto rows = rows_of(objects, code);
    CAPTURE(code);
    REQUIRE(rows.size() == 1);
    return rows.front();
}

std::string next(const Check& check) {
    return check.next ? shell_command(check.next->argv) : "";
}

model::GraphDeployment graph(std::vector<model::GraphComponent> components,
                             std::string state = "successful") {
    model::GraphDeployment made;
    made.ns = "ns";
    made.name = "g";
    made.state = std::move(state);
    made.components = std::move(components);
    return made;
}

discover::ApiObjects with_graph(std::vector<model::Pod> pods, model::GraphDeployment graph) {
    auto all = objects(std::move(pods));
    all.graphs = {std::move(graph)};
    return all;
}

const std::vector<model::GraphComponent> k_one_each = {{"prefill", "prefill", "", 1, {}},
                                                       {"decode", "decode", "", 1, {}}};

} // namespace

TEST_CASE("codes and names are unique, and in order", "[discover][rules]") {
    std::set<std::string_view> codes;
    std::set<std::string_view> names;
    for (const discover::Rule& rule : discover::k_rules) {
        codes.insert(rule.code);
        names.insert(rule.name);
        CHECK(!rule.title.empty());
    }
    CHECK(codes.size() == discover::k_rules.size());
    CHECK(names.size() == discover::k_rules.size());
    CHECK(discover::rule(discover::RuleId::discovery).code == "POD-001");
    CHECK(discover::rule(discover::RuleId::rdma_resource).code == "POD-007");
}

TEST_CASE("a healthy graph has no row that lowers its verdict", "[discover][checks]") {
    const auto all =
        with_graph({worker("p", "prefill").limits({{"nvidia.com/gpu", "1"}, {"rdma/ib", "1"}}),
                    worker("d", "decode").limits({{"nvidia.com/gpu", "1"}, {"rdma/ib", "1"}})},
                   graph(k_one_each));
    const auto inventory = discover::inventory(all, {});
    CHECK(inventory.checks.size() == 6);
    for (const Check& check : inventory.checks) {
        CAPTURE(check.code, check.detail);
        CHECK(check.status == Status::ok);
        CHECK(!check.next);
    }
}

TEST_CASE("POD-001: both sides must run in one generation", "[discover][checks]") {
    const auto ok = row_of(objects({worker("p", "prefill"), worker("d", "decode")}), "POD-001");
    CHECK(ok.status == Status::ok);
    CHECK(ok.detail == "running: 1 prefill, 1 decode");
    CHECK(ok.subject == model::Subject{model::SubjectKind::graph, "ns", "g"});
    CHECK(ok.capability == model::Capability::coverage);

    const auto pending = row_of(objects({worker("p", "prefill"),
                                         worker("d-0", "decode").unscheduled("SchedulingGated"),
                                         worker("d-1", "decode").unscheduled("Unschedulable")}),
                                "POD-001");
    CHECK(pending.status == Status::fail);
    CHECK(!pending.advisory);
    CHECK(pending.detail ==
          "decode side has no running pod (2 not running: SchedulingGated, Unschedulable)");
    CHECK(next(pending) == "kubectl -n ns describe pod d-0");

    const auto none = row_of(objects({worker("d", "decode")}), "POD-001");
    CHECK(none.detail == "prefill side has no running pod (none found)");
    CHECK(next(none) ==
          "kubectl -n ns get pods -l nvidia.com/dynamo-graph-deployment-name=g -o wide");

    const auto leaving =
        row_of(objects({worker("p", "prefill").deleting(), worker("d", "decode")}), "POD-001");
    CHECK(leaving.detail == "prefill side has no running pod (completed or terminating ones only)");

    const auto neither = row_of(objects({worker("p", "prefill").waiting("CrashLoopBackOff"),
                                         worker("d", "decode").waiting("CrashLoopBackOff")}),
                                "POD-001");
    CHECK(contains(neither.detail, "prefill side has no running pod"));
    CHECK(contains(neither.detail, "decode side has no running pod"));

    const auto apart = row_of(
        objects({worker("p", "prefill").generation("aa"), worker("d", "decode").generation("bb")}),
        "POD-001");
    CHECK(apart.status == Status::fail);
    CHECK(contains(apart.detail, "no generation runs both sides"));

    const auto whole = row_of(objects({worker("p-0", "prefill").generation("aa"),
                                       worker("d-0", "decode").generation("aa"),
                                       worker("d-1", "decode").generation("bb")}),
                              "POD-001");
    CHECK(whole.status == Status::ok);

    const auto aggregated = row_of(objects({worker("w", "worker")}), "POD-001");
    CHECK(aggregated.status == Status::skipped);
    CHECK(aggregated.reason == model::SkipReason::not_applicable);

    const auto unnamed = row_of(
        objects({PodBuilder("p").type("prefill").label("nvidia.com/dynamo-namespace", "dyn")}),
        "POD-001");
    CHECK(unnamed.subject.name == "dyn");
    CHECK(next(unnamed) == "kubectl -n ns get pods --show-labels");
}

TEST_CASE("POD-001: a graph that asks for both sides and has no pod is not passed over",
          "[discover][checks]") {
    auto all =
        objects({worker("p", "prefill").graph("healthy"), worker("d", "decode").graph("healthy")});
    all.graphs = {graph(k_one_each)};
    const auto inventory = discover::inventory(all, {});
    REQUIRE(inventory.graphs.size() == 2);
    const auto rows = rows_of(all, "POD-001");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].status == Status::ok);
    CHECK(rows[1].status == Status::fail);
    CHECK(rows[1].subject.name == "g");
    all.graphs = {graph({{"prefill", "prefill", "", 0, {}}, {"decode", "decode", "", 0, {}}})};
    CHECK(rows_of(all, "POD-001").size() == 1);
    auto unnamed = all;
    unnamed.graphs = {graph(k_one_each)};
    unnamed.pods.push_back(PodBuilder("old").component("Decode"));
    CHECK(rows_of(unnamed, "POD-001").size() == 2); // "g" may be the graph of that pod
    all.graphs = {graph({{"w", "worker", "", 1, {}}})};
    CHECK(rows_of(all, "POD-001").size() == 1);
    discover::Selection selection;
    selection.graph = "healthy";
    all.graphs = {graph(k_one_each)};
    CHECK(discover::inventory(all, selection).graphs.size() == 1);
}

TEST_CASE("POD-002: a worker that cannot be entered is a row with the right next command",
          "[discover][checks]") {
    struct Case {
        model::Pod pod;
        std::string_view next;
    };

    auto init = worker("d", "decode").phase("Pending").waiting("PodInitializing");
    init.edit().init_statuses = {
        status("fetch", model::ContainerPhase::waiting, "CrashLoopBackOff")};
    auto ended = worker("d", "decode");
    ended.edit().statuses[0] = status("main", model::ContainerPhase::terminated, "Error");
    const std::vector<Case> rows = {
        {worker("d", "decode").waiting("CrashLoopBackOff"),
         "kubectl -n ns logs d -c main --previous"},
        {worker("d", "decode").waiting("ImagePullBackOff"), "kubectl -n ns describe pod d"},
        {worker("d", "decode").unscheduled("Unschedulable"), "kubectl -n ns describe pod d"},
        {worker("d", "decode").containers({}), "kubectl -n ns describe pod d"},
        {worker("d", "decode").phase("Unknown", "NodeLost"), "kubectl -n ns describe pod d"},
        {ended, "kubectl -n ns logs d -c main"},
        {init, "kubectl -n ns logs d -c fetch --previous"},
    };
    for (const Case& row : rows) {
        const auto check = row_of(objects({worker("p", "prefill"), row.pod}), "POD-002");
        CHECK(check.status == Status::skipped);
        CHECK(check.reason == model::SkipReason::not_running);
        CHECK(check.capability == model::Capability::coverage);
        CHECK(!check.advisory);
        CHECK(check.subject.name == "d");
        CHECK(next(check) == row.next);
    }
}

TEST_CASE("POD-002: leftovers are no rows, and off the path a row moves nothing",
          "[discover][checks]") {
    CHECK(rows_of(objects({worker("p", "prefill"),
                           worker("d", "decode"),
                           worker("x", "decode").phase("Failed", "Evicted"),
                           worker("y", "decode").phase("Succeeded"),
                           worker("z", "decode").deleting()}),
                  "POD-002")
              .empty());
    const auto aggregated = row_of(objects({worker("w", "worker").waiting("Error")}), "POD-002");
    CHECK(aggregated.advisory);
    CHECK(aggregated.capability == model::Capability::none);
    const auto encode = row_of(objects({worker("p", "prefill"),
                                        worker("d", "decode"),
                                        worker("e", "worker").sub_type("encode").waiting("Error")}),
                               "POD-002");
    CHECK(encode.advisory);
}

TEST_CASE("POD-003: two living generations are a rolling update", "[discover][checks]") {
    const auto warn =
        row_of(objects({worker("p", "prefill").generation("aa"),
                        worker("d", "decode").generation("aa"),
                        worker("d-new", "decode").generation("bb").unscheduled("Unschedulable")}),
               "POD-003");
    CHECK(warn.status == Status::warn);
    CHECK(!warn.advisory);
    CHECK(contains(warn.detail, "aa, bb"));
    CHECK(contains(warn.detail, "rolling update"));
    const auto upgraded = row_of(objects({worker("p", "prefill"),
                                          worker("d", "decode"),
                                          worker("d-new", "decode").generation("bb")}),
                                 "POD-003");
    CHECK(contains(upgraded.detail, "without worker hash, bb"));
    CHECK(rows_of(objects({worker("p", "prefill").generation("aa"),
                           worker("d", "decode").generation("aa"),
                           worker("d-old", "decode").generation("00").deleting()}),
                  "POD-003")
              .empty());
    CHECK(rows_of(objects({worker("a", "worker").generation("aa"),
                           worker("b", "worker").generation("bb")}),
                  "POD-003")
              .empty());
}

TEST_CASE("POD-004: fewer pods than the graph asks for", "[discover][checks]") {
    const auto parts = [](int prefill, int decode, std::optional<int> nodes) {
        return graph({{"Frontend", "frontend", "", 9, {}},
                      {"prefill", "prefill", "", prefill, {}},
                      {"decode", "decode", "", decode, nodes}});
    };
    const std::vector<model::Pod> pods = {worker("p-0", "prefill"),
                                          worker("p-1", "prefill").waiting("Error"),
                                          worker("d-0", "decode"),
                                          worker("d-1", "decode")};
    const auto short_of = row_of(with_graph(pods, parts(4, 2, {})), "POD-004");
    CHECK(short_of.status == Status::warn);
    CHECK(!short_of.advisory);
    CHECK(short_of.detail == "prefill 1 of 4 replicas running");
    CHECK(next(short_of) == "kubectl -n ns describe dynamographdeployments.nvidia.com g");
    const auto multinode = row_of(with_graph(pods, parts(1, 2, 4)), "POD-004");
    CHECK(multinode.detail == "decode 2 of 8 pods running (2 replicas of 4 nodes)");
    CHECK(row_of(with_graph(pods, parts(1, 1, 2)), "POD-004").status == Status::ok);
    CHECK(row_of(with_graph(pods, parts(1, 1, {})), "POD-004").status == Status::ok);
    auto unsaid = graph({{"prefill", "prefill", "", std::nullopt, {}}});
    CHECK(row_of(with_graph(pods, unsaid), "POD-004").status == Status::ok);
    const auto aggregated = row_of(
        with_graph({worker("w", "worker")}, graph({{"worker", "worker", "", 2, {}}})), "POD-004");
    CHECK(aggregated.status == Status::warn);
    CHECK(aggregated.advisory);
}

TEST_CASE("POD-004: graphs that could not be read lower nothing", "[discover][checks]") {
    auto all = objects({worker("p", "prefill"), worker("d", "decode")});
    all.graphs_unseen = {model::SkipReason::no_permission, "forbidden"};
    const auto forbidden = row_of(all, "POD-004");
    CHECK(forbidden.status == Status::skipped);
    CHECK(forbidden.reason == model::SkipReason::no_permission);
    CHECK(forbidden.advisory);
    CHECK(next(forbidden) ==
          "kubectl auth can-i list dynamographdeployments.nvidia.com --all-namespaces");
    all.graphs_unseen = {model::SkipReason::not_applicable, ""};
    const auto absent = row_of(all, "POD-004");
    CHECK(absent.reason == model::SkipReason::not_applicable);
    CHECK(next(absent) == "kubectl get crd dynamographdeployments.nvidia.com");
}

TEST_CASE("POD-005: guesses and contradictions are said", "[discover][checks]") {
    const auto named = [](const std::string& name) {
        return worker(name, "worker").component(name);
    };
    const auto guessed = row_of(objects({named("decode"), named("prefill")}), "POD-005");
    CHECK(guessed.status == Status::warn);
    CHECK(guessed.advisory);
    CHECK(guessed.detail == "roles are guessed from names: decode is decode, prefill is prefill");
    const auto contradicted =
        row_of(objects({worker("p", "prefill").script("python3 -m dynamo.vllm --is-decode-worker"),
                        worker("d", "decode")}),
               "POD-005");
    CHECK(contradicted.status == Status::warn);
    CHECK(contradicted.detail == "pod p is labelled prefill, its engine is told decode");
    CHECK(next(contradicted) == "kubectl -n ns describe pod p");
    const auto declared =
        row_of(objects({worker("p", "worker").script("python3 -m dynamo.vllm --is-prefill-worker"),
                        worker("d", "decode")}),
               "POD-005");
    CHECK(declared.status == Status::ok);
    CHECK(rows_of(objects({named("decode")}), "POD-005").empty());
}

TEST_CASE("POD-006: the operator's word, unless the pods contradict", "[discover][checks]") {
    const std::vector<model::Pod> both = {worker("p", "prefill"), worker("d", "decode")};
    const auto row = [&](std::vector<model::Pod> pods, const std::string& state) {
        auto spec = graph(k_one_each, state);
        if (state != "successful") {
            spec.conditions = {{"Ready", "False", "pods_not_ready", "p: ready=0"}};
        }
        return row_of(with_graph(std::move(pods), spec), "POD-006");
    };
    CHECK(row(both, "successful").status == Status::ok);
    const auto pending = row(both, "pending");
    CHECK(pending.status == Status::warn);
    CHECK(pending.advisory);
    CHECK(pending.detail == "state pending, pods_not_ready: p: ready=0");
    const auto contradicted = row(both, "failed");
    CHECK(contradicted.status == Status::warn);
    CHECK(contradicted.advisory);
    const auto failed = row({worker("p", "prefill")}, "failed");
    CHECK(failed.status == Status::fail);
    CHECK(!failed.advisory);
    CHECK(failed.capability == model::Capability::coverage);
    CHECK(row(both, "").detail == "state not reported, pods_not_ready: p: ready=0");
}

TEST_CASE("POD-007: no RDMA device asked for is a hint", "[discover][checks]") {
    const auto row = [](const model::Pod& prefill) {
        const auto rows = rows_of(
            objects({prefill, worker("d", "decode").limits({{"rdma/ib", "1"}})}), "POD-007");
        REQUIRE(rows.size() == 2);
        return rows[1];
    };
    const auto none = row(worker("p", "prefill"));
    CHECK(none.status == Status::warn);
    CHECK(none.advisory);
    CHECK(next(none) == "kubectl -n ns get pod p -o "
                        "'jsonpath={.spec.containers[?(@.name==\"main\")].resources}'");
    CHECK(row(worker("p", "prefill").limits({{"vpc.amazonaws.com/efa", "8"}})).detail ==
          "main asks for vpc.amazonaws.com/efa");
    auto privileged = worker("p", "prefill");
    privileged.edit().containers[0].privileged = true;
    CHECK(row(privileged).status == Status::ok);
    auto claim = worker("p", "prefill");
    claim.edit().containers[0].claims = {"compute-domain"};
    CHECK(row(claim).detail == "main holds the claim compute-domain");
    CHECK(rows_of(objects({worker("w", "worker")}), "POD-007").empty());
}
