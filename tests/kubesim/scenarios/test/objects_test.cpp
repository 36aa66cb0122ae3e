#include "base/strings.hpp"
#include "kubesim/scenarios/objects.hpp"
#include "written.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>

using namespace di::kubesim::scenarios;
using namespace di::kubesim::scenarios::test;

namespace {

using Json = rapidjson::Value;

std::string text(const Json& object, const char* key) {
    return object.HasMember(key) ? object[key].GetString() : "(absent)";
}

std::string label(const Json& pod, const char* key) {
    return text(pod["metadata"]["labels"], key);
}

rapidjson::Document pods_of(const Scenario& scenario) {
    return parsed(to_json(pod_list(scenario, place(scenario))));
}

rapidjson::Document graph_of(const Scenario& scenario) {
    return parsed(to_json(graph_deployment_list(scenario, place(scenario))));
}

const Json& main_container(const Json& pod) {
    for (const auto& container : pod["spec"]["containers"].GetArray()) {
        if (text(container, "name") == "main") {
            return container;
        }
    }
    FAIL("no container main");
    return pod;
}

std::string env(const Json& pod, std::string_view name) {
    for (const auto& variable : main_container(pod)["env"].GetArray()) {
        if (text(variable, "name") == name) {
            return text(variable, "value");
        }
    }
    return "(absent)";
}

bool is_worker(const Json& pod) {
    return pod["metadata"].HasMember("annotations");
}

} // namespace

TEST_CASE("lists are as a server serves them: items of core lists carry no kind") {
    const auto demo = scenario("crashloop");
    const auto cluster = place(demo);

    struct Case {
        Value list;
        const char* kind;
        const char* version;
        bool items_have_kind;
    };

    const Case cases[] = {
        {pod_list(demo, cluster), "PodList", "v1", false},
        {node_list(cluster), "NodeList", "v1", false},
        {event_list(cluster), "EventList", "v1", false},
        {graph_deployment_list(demo, cluster),
         "DynamoGraphDeploymentList",
         "nvidia.com/v1beta1",
         true},
    };
    for (const auto& c : cases) {
        CAPTURE(c.kind);
        const auto list = parsed(to_json(c.list));
        CHECK(text(list, "kind") == c.kind);
        CHECK(text(list, "apiVersion") == c.version);
        CHECK(text(list["metadata"], "resourceVersion") != "(absent)");
        REQUIRE(list["items"].Size() > 0);
        for (const auto& item : list["items"].GetArray()) {
            CHECK(item.HasMember("kind") == c.items_have_kind);
            CHECK(item.HasMember("apiVersion") == c.items_have_kind);
        }
    }
}

TEST_CASE("the newest operator labels a worker with graph, type and generation") {
    std::map<std::string, int> types;
    const auto list = pods_of(scenario("disagg-ib"));
    for (const auto& pod : list["items"].GetArray()) {
        ++types[label(pod, "nvidia.com/dynamo-component-type")];
        CHECK(label(pod, "nvidia.com/dynamo-graph-deployment-name") == "qwen3-32b");
        CHECK(label(pod, "nvidia.com/dynamo-namespace") == "dynamo-demo-qwen3-32b");
        CHECK(text(pod["metadata"], "namespace") == "dynamo-demo");
        if (is_worker(pod)) {
            CHECK(label(pod, "nvidia.com/dynamo-worker-hash") ==
                  env(pod, "DYN_NAMESPACE_WORKER_SUFFIX"));
            CHECK(env(pod, "DYN_SYSTEM_PORT") == "9090");
            CHECK(env(pod, "UCX_TLS") == "(absent)");
        }
    }
    CHECK(types == std::map<std::string, int>{{"decode", 2}, {"frontend", 1}, {"prefill", 2}});
}

TEST_CASE("a running worker has a node, an address, a ready container and its limits") {
    const auto list = pods_of(scenario("disagg-ib"));
    for (const auto& pod : list["items"].GetArray()) {
        CHECK(text(pod["status"], "phase") == "Running");
        CHECK_FALSE(text(pod["status"], "podIP").empty());
        CHECK_FALSE(text(pod["spec"], "nodeName").empty());
        CHECK(pod["status"]["containerStatuses"][0]["ready"].GetBool());
        CHECK(pod["status"]["containerStatuses"][0]["state"].HasMember("running"));
        if (is_worker(pod)) {
            const auto& limits = main_container(pod)["resources"]["limits"];
            CHECK(text(limits, "nvidia.com/gpu") == "4");
            CHECK(text(limits, "rdma/ib") == "1");
        }
    }
}

TEST_CASE("each fabric is asked for by its resource name") {
    struct Case {
        const char* scenario;
        const char* resource;
        const char* quantity;
    };

    const Case cases[] = {{"disagg-ib", "rdma/ib", "1"},
                          {"disagg-roce", "nvidia.com/sriov_rdma", "8"},
                          {"disagg-efa", "vpc.amazonaws.com/efa", "16"}};
    for (const auto& c : cases) {
        CAPTURE(c.scenario);
        const auto list = pods_of(scenario(c.scenario));
        for (const auto& pod : list["items"].GetArray()) {
            if (is_worker(pod)) {
                CHECK(text(main_container(pod)["resources"]["limits"], c.resource) == c.quantity);
            }
        }
    }
}

TEST_CASE("graph-wide env stands in the deployment and in every worker") {
    const auto demo = scenario("tcp-fallback");
    const auto graph = graph_of(demo);
    const auto& spec = graph["items"][0]["spec"];
    REQUIRE(spec["env"].Size() == 1);
    CHECK(text(spec["env"][0], "name") == "UCX_TLS");
    CHECK(text(spec["env"][0], "value") == "tcp,cuda_copy");
    const auto list = pods_of(demo);
    for (const auto& pod : list["items"].GetArray()) {
        if (is_worker(pod)) {
            CHECK(env(pod, "UCX_TLS") == "tcp,cuda_copy");
        }
    }
}

TEST_CASE("a sidecar stands before the engine's container") {
    const auto list = pods_of(scenario("disagg-roce"));
    int with = 0;
    for (const auto& pod : list["items"].GetArray()) {
        const auto& first = pod["spec"]["containers"][0];
        const bool proxy = text(first, "name") == "istio-proxy";
        with += proxy ? 1 : 0;
        CHECK(proxy == is_worker(pod));
        CHECK(pod["status"]["containerStatuses"].Size() == pod["spec"]["containers"].Size());
    }
    CHECK(with == 4);
}

TEST_CASE("a crash loop shows the back-off, why the last run ended, and an event") {
    const auto demo = scenario("crashloop");
    const auto list = pods_of(demo);
    int crashing = 0;
    for (const auto& pod : list["items"].GetArray()) {
        const auto& status = pod["status"]["containerStatuses"][0];
        if (!status["state"].HasMember("waiting")) {
            continue;
        }
        ++crashing;
        CHECK(label(pod, "nvidia.com/dynamo-component-type") == "decode");
        CHECK(text(status["state"]["waiting"], "reason") == "CrashLoopBackOff");
        CHECK(text(status["lastState"]["terminated"], "reason") == "Error");
        CHECK(status["restartCount"].GetInt() > 0);
        CHECK_FALSE(status["ready"].GetBool());
        const auto events = parsed(to_json(event_list(place(demo))));
        REQUIRE(events["items"].Size() == 1);
        CHECK(text(events["items"][0]["involvedObject"], "name") == text(pod["metadata"], "name"));
        CHECK(text(events["items"][0], "reason") == "BackOff");
    }
    CHECK(crashing == 1);
    const auto graph = graph_of(demo);
    const auto& decode = graph["items"][0]["status"]["components"]["VllmDecodeWorker"];
    CHECK(decode["replicas"].GetInt() == 2);
    CHECK(decode["readyReplicas"].GetInt() == 1);
    CHECK(text(graph["items"][0]["status"], "state") == "pending");
}

TEST_CASE("aggregated workers have the plain type and no role in their arguments") {
    const auto list = pods_of(scenario("agg-only"));
    for (const auto& pod : list["items"].GetArray()) {
        if (is_worker(pod)) {
            CHECK(label(pod, "nvidia.com/dynamo-component-type") == "worker");
            CHECK_FALSE(di::contains(main_container(pod)["args"][0].GetString(), "disaggregation"));
        }
    }
}

TEST_CASE(
    "the oldest operator gives neither type nor graph, and the role only in a flag or a name") {
    const auto demo = scenario("old-operator");
    const auto list = pods_of(demo);
    int flagged = 0;
    for (const auto& pod : list["items"].GetArray()) {
        CHECK(label(pod, "nvidia.com/dynamo-component-type") == "(absent)");
        CHECK(label(pod, "nvidia.com/dynamo-graph-deployment-name") == "(absent)");
        CHECK(label(pod, "nvidia.com/dynamo-component") != "(absent)");
        CHECK(label(pod, "nvidia.com/selector") != "(absent)");
        if (is_worker(pod)) {
            const bool prefill =
                di::contains(main_container(pod)["args"][0].GetString(), "--is-prefill-worker");
            flagged += prefill ? 1 : 0;
            CHECK(prefill == (label(pod, "nvidia.com/dynamo-component") == "VllmPrefillWorker"));
        }
    }
    CHECK(flagged == 2);
    const auto graph = graph_of(demo);
    CHECK(text(graph, "apiVersion") == "nvidia.com/v1alpha1");
    CHECK(text(graph["items"][0]["spec"]["services"]["VllmDecodeWorker"], "componentType") ==
          "worker");
}

TEST_CASE("Grove labels tell leader from worker and one group from another") {
    const auto demo = with_pods(scenario("multinode-grove"), 8);
    REQUIRE(demo);
    const auto list = pods_of(*demo);
    std::set<std::string> members;
    for (const auto& pod : list["items"].GetArray()) {
        if (!is_worker(pod)) {
            continue;
        }
        const std::string clique = label(pod, "grove.io/podclique");
        const bool leader = di::contains(clique, "-ldr");
        CHECK(leader != di::contains(clique, "-wkr"));
        CHECK(label(pod, "grove.io/podclique-pod-index") == "0");
        CHECK(env(pod, "GROVE_PCLQ_NAME") == clique);
        CHECK(di::contains(main_container(pod)["args"][0].GetString(), "--headless") != leader);
        members.insert(label(pod, "grove.io/podcliquescalinggroup") + "/" +
                       label(pod, "grove.io/podcliquescalinggroup-replica-index") +
                       (leader ? "/0" : "/1"));
    }
    CHECK(members == std::set<std::string>{"dsr1-0-decode/0/0",
                                           "dsr1-0-decode/0/1",
                                           "dsr1-0-decode/1/0",
                                           "dsr1-0-decode/1/1",
                                           "dsr1-0-prefill/0/0",
                                           "dsr1-0-prefill/0/1",
                                           "dsr1-0-prefill/1/0",
                                           "dsr1-0-prefill/1/1"});
    const auto graph = graph_of(*demo);
    CHECK(graph["items"][0]["spec"]["components"][1]["multinode"]["nodeCount"].GetInt() == 2);
}

TEST_CASE("a GB200 worker claims its IMEX channel and its node names its clique") {
    const auto demo = scenario("disagg-gb200");
    const auto list = pods_of(demo);
    for (const auto& pod : list["items"].GetArray()) {
        if (is_worker(pod)) {
            CHECK(text(pod["spec"]["resourceClaims"][0], "name") == "compute-domain-channel");
            CHECK(text(main_container(pod)["resources"]["claims"][0], "name") ==
                  "compute-domain-channel");
        }
    }
    const auto nodes = parsed(to_json(node_list(place(demo))));
    const auto& gpu_node = nodes["items"][1];
    CHECK(text(gpu_node["metadata"]["labels"], "kubernetes.io/arch") == "arm64");
    CHECK(di::contains(text(gpu_node["metadata"]["labels"], "nvidia.com/gpu.clique"), ".32766"));
}
