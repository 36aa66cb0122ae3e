#include "kube/decode.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>

using namespace di;
using namespace di::kube;

namespace {

std::string list_of(const std::string& items) {
    return R"({"kind":"PodList","apiVersion":"v1","metadata":{"continue":"next"},"items":[)" +
           items + "]}";
}

model::Pod decode_one(const std::string& item) {
    const auto page = decode_pods(list_of(item));
    REQUIRE(page.ok());
    REQUIRE(page->items.size() == 1);
    return page->items.front();
}

/// `text` with each @ replaced.
std::string fill(std::string_view text, std::string_view value) {
    std::string filled;
    for (const char c : text) {
        filled += c == '@' ? value : std::string_view(&c, 1);
    }
    return filled;
}

std::string corpus_file(const std::string& name) {
    std::ifstream file(std::string(DI_TEST_DATA) + "/corpus/discover-open/" + name,
                       std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("a page gives its items and the way to the next page", "[kube][decode]") {
    const auto page =
        decode_pods(list_of(R"({"metadata":{"name":"a"}},{"metadata":{"name":"b"}})"));
    REQUIRE(page.ok());
    CHECK(page->items.size() == 2);
    CHECK(page->items[1].name == "b");
    CHECK(page->continue_token == "next");
}

TEST_CASE("a list may be empty in three ways", "[kube][decode]") {
    for (const char* text : {R"({"kind":"PodList","items":[]})",
                             R"({"kind":"PodList","items":null})",
                             R"({"items":[],"metadata":{"continue":""}})"}) {
        CAPTURE(text);
        const auto page = decode_pods(text);
        REQUIRE(page.ok());
        CHECK(page->items.empty());
        CHECK(page->continue_token.empty());
    }
}

TEST_CASE("what is no list is an error that names the list and the place", "[kube][decode]") {
    struct Case {
        std::string_view text;
        std::string_view cause;
    };

    const auto row = GENERATE(values<Case>({
        {"", "invalid JSON at byte 0"},
        {R"({"items": [)", "invalid JSON at byte 11"},
        {R"({"items": [}]})", "invalid JSON at byte 11"},
        {R"({"items": []} trailing)", "invalid JSON at byte 14"},
        {"<html>502 Bad Gateway</html>", "invalid JSON at byte 0"},
        {R"({"kind":"Pod","metadata":{"name":"p"}})", "a Pod is no list"},
        {R"({"kind":"PodList","items":{"name":"p"}})", "a PodList is no list"},
        {R"({"kind":"PodList","items":"none"})", "a PodList is no list"},
        {R"({})", "the document is no list"},
        {R"([1,2])", "the document is no list"},
        {R"("text")", "the document is no list"},
        {R"({"kind":"Status","message":"pods is forbidden"})", "a Status: pods is forbidden"},
        {R"({"items":[{"metadata":{"name":"a"}},{"metadata":{"name":7}}]})", "item 1 has no name"},
        {R"({"items":[null]})", "item 0 has no name"},
        {R"({"items":[[]]})", "item 0 has no name"},
    }));
    CAPTURE(row.text);
    const auto page = decode_pods(row.text);
    REQUIRE(!page.ok());
    CHECK(page.error().kind == ErrorKind::parse);
    CHECK(page.error().object == "pods");
    CHECK_THAT(page.error().cause, Catch::Contains(std::string(row.cause)));
    CHECK(decode_graphs(row.text).error().object == "dynamographdeployments");
    CHECK(decode_node_names(row.text).error().object == "nodes");
}

TEST_CASE("an access review says yes, no, or nothing that can be relied on", "[kube][decode]") {
    const auto [text, access] = GENERATE(table<std::string, Access>({
        {R"({"status":{"allowed":true}})", Access::allowed},
        {R"({"status":{"allowed":true,"evaluationError":"one webhook is down"}})", Access::allowed},
        {R"({"status":{"allowed":false}})", Access::denied},
        {R"({"status":{"allowed":false,"reason":"no rule"}})", Access::denied},
        {R"({"status":{"allowed":false,"evaluationError":"webhook down"}})", Access::unknown},
        {R"({"status":{"allowed":false,"denied":true,"evaluationError":"x"}})", Access::denied},
        {R"({"status":{"allowed":"true"}})", Access::unknown},
        {R"({"status":null})", Access::unknown},
        {R"({"kind":"Status","status":"Failure"})", Access::unknown},
        {"<html>", Access::unknown},
        {"", Access::unknown},
    }));
    CAPTURE(text);
    CHECK(decode_review(text) == access);
}

TEST_CASE("a pod's spec is read field by field", "[kube][decode]") {
    const model::Pod pod = decode_one(R"({
        "metadata": {"name": "p-0", "namespace": "ns", "labels": {"a": "1", "empty": ""},
                     "annotations": {"note": "<\u00e9>"}, "deletionTimestamp": "2026-10-06T07:00:00Z"},
        "spec": {"nodeName": "n1", "hostNetwork": true, "hostPID": true,
                 "initContainers": [{"name": "init"}],
                 "ephemeralContainers": [{"name": "debugger"}],
                 "containers": [{
                     "name": "main", "image": "img:1", "command": ["sh", "-c"], "args": ["run"],
                     "env": [{"name": "A", "value": "1"}, {"name": "EMPTY"},
                             {"name": "REF", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}],
                     "resources": {"limits": {"nvidia.com/gpu": "2", "rdma/ib": 1},
                                   "requests": {"nvidia.com/gpu": "1", "cpu": "16"},
                                   "claims": [{"name": "imex"}]},
                     "securityContext": {"privileged": true}}]},
        "status": {"phase": "Running", "podIP": "10.0.0.7"}})");
    CHECK(pod.ns == "ns");
    CHECK(pod.name == "p-0");
    CHECK(pod.deleting);
    CHECK(pod.labels.at("empty").empty());
    CHECK(pod.annotations.at("note") == "<\xc3\xa9>");
    CHECK(pod.node == "n1");
    CHECK(pod.pod_ip == "10.0.0.7");
    CHECK(pod.host_network);
    CHECK(pod.host_pid);
    REQUIRE(pod.containers.size() == 1);
    const model::Container& container = pod.containers.front();
    CHECK(container.command == std::vector<std::string>{"sh", "-c"});
    CHECK(container.args == std::vector<std::string>{"run"});
    REQUIRE(container.env.size() == 3);
    CHECK(container.env[0].value == "1");
    CHECK(container.env[1].value == "");
    CHECK(!container.env[2].value);
    CHECK(container.limits.at("nvidia.com/gpu") == "2");
    CHECK(container.limits.at("rdma/ib") == "1");
    CHECK(container.limits.at("cpu") == "16");
    CHECK(container.claims == std::vector<std::string>{"imex"});
    CHECK(container.privileged);
}

TEST_CASE("container states keep their reasons, and how the last run ended", "[kube][decode]") {
    const model::Pod pod = decode_one(R"({"metadata": {"name": "p"}, "status": {
        "phase": "Running", "reason": "r", "message": "m",
        "initContainerStatuses": [{"name": "fetch", "ready": true,
            "state": {"terminated": {"reason": "Completed", "exitCode": 0}}}],
        "containerStatuses": [
            {"name": "a", "ready": true, "restartCount": 3, "state": {"running": {"startedAt": "t"}}},
            {"name": "b", "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off"}},
             "lastState": {"terminated": {"reason": "OOMKilled", "exitCode": 137}}},
            {"name": "c", "state": {"terminated": {"exitCode": 1}}},
            {"name": "d", "state": {}},
            {"name": "e"}],
        "conditions": [{"type": "Ready", "status": "False", "reason": "ContainersNotReady",
                        "message": "containers with unready status: [b]"}]}})");
    using model::ContainerPhase;
    REQUIRE(pod.statuses.size() == 5);
    CHECK(pod.statuses[0].phase == ContainerPhase::running);
    CHECK(pod.statuses[0].restarts == 3);
    CHECK(pod.statuses[0].ready);
    CHECK(pod.statuses[1].phase == ContainerPhase::waiting);
    CHECK(pod.statuses[1].reason == "CrashLoopBackOff");
    CHECK(pod.statuses[1].last_end == "OOMKilled, exit code 137");
    CHECK(pod.statuses[2].phase == ContainerPhase::terminated);
    CHECK(pod.statuses[2].exit_code == 1);
    CHECK(pod.statuses[3].phase == ContainerPhase::waiting);
    CHECK(pod.statuses[4].phase == ContainerPhase::unknown);
    REQUIRE(pod.init_statuses.size() == 1);
    CHECK(pod.init_statuses[0].exit_code == 0);
    REQUIRE(pod.conditions.size() == 1);
    CHECK(pod.conditions[0].reason == "ContainersNotReady");
}

TEST_CASE("both versions of a graph give the same components", "[kube][decode]") {
    const std::string alpha = R"({"items":[{"metadata":{"name":"g","namespace":"ns"},"spec":{
        "backendFramework":"vllm","services":{
            "Decode":{"componentType":"worker","subComponentType":"decode","replicas":2,
                      "multinode":{"nodeCount":4}}}},
        "status":{"state":"pending","conditions":[{"type":"Ready","status":"False"}]}}]})";
    const std::string beta = R"({"items":[{"metadata":{"name":"g","namespace":"ns"},"spec":{
        "backendFramework":"vllm","components":[
            {"name":"Decode","type":"worker","subComponentType":"decode","replicas":2,
             "multinode":{"nodeCount":4}}]},
        "status":{"state":"pending","conditions":[{"type":"Ready","status":"False"}]}}]})";
    for (const std::string& text : {alpha, beta}) {
        const auto page = decode_graphs(text);
        REQUIRE(page.ok());
        REQUIRE(page->items.size() == 1);
        const model::GraphDeployment& graph = page->items.front();
        CHECK(graph.ns == "ns");
        CHECK(graph.state == "pending");
        CHECK(graph.framework == "vllm");
        REQUIRE(graph.components.size() == 1);
        CHECK(graph.components[0].name == "Decode");
        CHECK(graph.components[0].type == "worker");
        CHECK(graph.components[0].sub_type == "decode");
        CHECK(graph.components[0].replicas == 2);
        CHECK(graph.components[0].nodes_per_replica == 4);
        REQUIRE(graph.conditions.size() == 1);
    }
}

TEST_CASE("a field of the wrong type reads as absent", "[kube][decode]") {
    static constexpr std::string_view k_pod = R"({
        "metadata": {"name": "p", "namespace": [7], "labels": @, "annotations": @,
                     "deletionTimestamp": 7},
        "spec": {"nodeName": 7, "hostNetwork": "yes", "containers": [@, {
            "name": 7, "image": [], "command": @, "args": @, "env": @, "resources": @,
            "securityContext": @}]},
        "status": {"phase": 7, "conditions": @, "initContainerStatuses": @, "containerStatuses": [
            @, {"name": "a", "state": @, "lastState": @, "restartCount": "3"}]}})";
    static constexpr std::string_view k_graph = R"({"items": [{"metadata": {"name": "g"},
        "spec": {"backendFramework": 7, "components": @, "services": @}, "status": @}]})";
    for (const char* wrong : {"7", "-1.5", "true", "null", "[]", "[[7]]", R"("x")", R"({"x":7})"}) {
        CAPTURE(wrong);
        const model::Pod pod = decode_one(fill(k_pod, wrong));
        CHECK(pod.ns.empty());
        CHECK(!pod.deleting);
        CHECK(pod.node.empty());
        CHECK(!pod.host_network);
        CHECK(pod.phase.empty());
        REQUIRE(pod.containers.size() == 2);
        CHECK(pod.containers[1].name.empty());
        CHECK(pod.containers[1].limits.empty());
        REQUIRE(pod.statuses.size() == 2);
        CHECK(pod.statuses[1].restarts == 0);
        const auto page = decode_graphs(fill(k_graph, wrong));
        REQUIRE(page.ok());
        CHECK(page->items.front().framework.empty());
        CHECK(page->items.front().state.empty());
    }
}

TEST_CASE("sections of the wrong type and odd numbers read as absent", "[kube][decode]") {
    CHECK(decode_pods(R"({"items":[{"metadata":{"name":"p"},"spec":7,"status":[]}]})").ok());
    const auto page = decode_graphs(R"({"items":[{"metadata":{"name":"g"},"spec":{"components":[
        {"name":"a","replicas":2.5,"multinode":{"nodeCount":99999999999}}]}}]})");
    REQUIRE(page.ok());
    CHECK(!page->items.front().components.front().replicas);
    CHECK(!page->items.front().components.front().nodes_per_replica);
}

TEST_CASE("depth costs no stack", "[kube][decode]") {
    const std::string deep(1'000'000, '[');
    CHECK(!decode_pods(deep).ok());
    const std::string closed = deep + std::string(deep.size(), ']');
    CHECK(decode_pods(list_of(R"({"metadata":{"name":"p","labels":)" + closed + "}}")).ok());
}

TEST_CASE("a real list cut at any byte is an error, never a shorter list", "[kube][decode]") {
    const std::string text = corpus_file("all-namespaces-same-graph-name/objects/nodes.json");
    REQUIRE(decode_node_names(text)->items.size() >= 3);
    const std::size_t end = text.rfind('}');
    for (std::size_t cut = 0; cut <= end; ++cut) {
        const auto page = decode_node_names(std::string_view(text).substr(0, cut));
        if (page.ok()) {
            FAIL("cut at byte " << cut);
        }
    }
}

TEST_CASE("long lists keep their order", "[kube][decode]") {
    std::string items;
    for (int i = 0; i < 5000; ++i) {
        items += (i == 0 ? "" : ",") + std::string(R"({"metadata":{"name":"p-)") +
                 std::to_string(i) + R"("}})";
    }
    const auto page = decode_pods(list_of(items));
    REQUIRE(page.ok());
    REQUIRE(page->items.size() == 5000);
    CHECK(page->items.back().name == "p-4999");
}
