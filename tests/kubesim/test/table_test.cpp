#include "kubesim/age.hpp"
#include "kubesim/json.hpp"
#include "kubesim/table.hpp"
#include "sample.hpp"

using namespace di::kubesim;
using di::kubesim::test::Folder;

namespace {

const auto k_now = *parse_timestamp("2026-10-06T10:00:00Z");

/// The table of a resource's only object.
rapidjson::Document
table_of(std::string_view group, const std::string& resource, const std::string& item) {
    const Folder folder;
    folder.write("objects/" + resource + ".json", R"({"items":[)" + item + "]}");
    const auto store = folder.load();
    const auto& collection = store.collection(*find_resource_type(group, resource));
    auto table = parse_json(
        make_table(collection, {&collection.objects.front()}, R"({"resourceVersion":"1"})", k_now),
        resource);
    REQUIRE(table.ok());
    return std::move(*table);
}

std::vector<std::string> cells(const JsonValue& table) {
    std::vector<std::string> found;
    for (const auto& row : items_at(table, {"rows"})) {
        for (const auto& cell : items_at(row, {"cells"})) {
            found.push_back(text_at(cell, {}));
        }
    }
    return found;
}

struct PodCase {
    std::string why;
    std::string spec;   ///< members of spec besides one container
    std::string status; ///< members of status
    std::string metadata;
    std::vector<std::string> expected; ///< READY, STATUS, RESTARTS
};

} // namespace

TEST_CASE("the STATUS of a pod is the one that kubectl shows", "[kubesim][table]") {
    const auto example = GENERATE(values<PodCase>({
        {"running",
         "",
         R"("phase":"Running","containerStatuses":[{"ready":true,"restartCount":2,"state":{"running":{}}}])",
         "",
         {"1/1", "Running", "2"}},
        {"not ready",
         "",
         R"("phase":"Running","containerStatuses":[{"ready":false,"state":{"running":{}}}])",
         "",
         {"0/1", "Running", "0"}},
        {"waiting",
         "",
         R"("phase":"Running","containerStatuses":[{"restartCount":9,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}])",
         "",
         {"0/1", "CrashLoopBackOff", "9"}},
        {"terminated without a reason",
         "",
         R"("phase":"Failed","containerStatuses":[{"state":{"terminated":{"exitCode":3}}}])",
         "",
         {"0/1", "ExitCode:3", "0"}},
        {"killed by a signal",
         "",
         R"("phase":"Failed","containerStatuses":[{"state":{"terminated":{"exitCode":0,"signal":9}}}])",
         "",
         {"0/1", "Signal:9", "0"}},
        {"completed",
         "",
         R"("phase":"Succeeded","containerStatuses":[{"state":{"terminated":{"reason":"Completed"}}}])",
         "",
         {"0/1", "Completed", "0"}},
        {"evicted", "", R"("phase":"Failed","reason":"Evicted")", "", {"0/1", "Evicted", "0"}},
        {"terminating",
         "",
         R"("phase":"Running","containerStatuses":[{"ready":true,"state":{"running":{}}}])",
         R"(,"deletionTimestamp":"2026-10-06T09:00:00Z")",
         {"1/1", "Terminating", "0"}},
        {"on a lost node",
         "",
         R"("phase":"Running","reason":"NodeLost")",
         R"(,"deletionTimestamp":"2026-10-06T09:00:00Z")",
         {"0/1", "Unknown", "0"}},
        {"pending", "", R"("phase":"Pending")", "", {"0/1", "Pending", "0"}},
        {"initialising",
         R"(,"initContainers":[{"name":"i"},{"name":"j"}])",
         R"("phase":"Pending","initContainerStatuses":[{"state":{"terminated":{"exitCode":0}}},{"state":{"running":{}}}])",
         "",
         {"0/1", "Init:1/2", "0"}},
        {"an init container failed",
         R"(,"initContainers":[{"name":"i"}])",
         R"("phase":"Pending","initContainerStatuses":[{"state":{"terminated":{"exitCode":1,"reason":"Error"}}}])",
         "",
         {"0/1", "Init:Error", "0"}},
        {"an init container has no image",
         R"(,"initContainers":[{"name":"i"}])",
         R"("phase":"Pending","initContainerStatuses":[{"state":{"waiting":{"reason":"ImagePullBackOff"}}}])",
         "",
         {"0/1", "Init:ImagePullBackOff", "0"}},
        {"a started sidecar is no init step",
         R"(,"initContainers":[{"name":"i"}])",
         R"("phase":"Running","initContainerStatuses":[{"started":true,"state":{"running":{}}}],"containerStatuses":[{"ready":true,"state":{"running":{}}}])",
         "",
         {"1/1", "Running", "0"}},
    }));
    CAPTURE(example.why);
    const auto table = table_of("",
                                "pods",
                                R"({"metadata":{"name":"p","namespace":"n")" + example.metadata +
                                    R"(},"spec":{"containers":[{"name":"main"}])" + example.spec +
                                    R"(},"status":{)" + example.status + "}}");
    const auto row = cells(table);
    CHECK(std::vector<std::string>(row.begin() + 1, row.begin() + 4) == example.expected);
}

TEST_CASE("a table of pods has kubectl's columns and the objects' metadata", "[kubesim][table]") {
    const auto table = table_of(
        "",
        "pods",
        R"({"metadata":{"name":"p","namespace":"n","creationTimestamp":"2026-10-06T07:00:00Z"},)"
        R"("spec":{"containers":[{}],"nodeName":"gpu-1"},"status":{"phase":"Running","podIP":"10.0.0.1"}})");
    std::vector<std::string> names;
    std::vector<long> priorities;
    for (const auto& column : items_at(table, {"columnDefinitions"})) {
        names.push_back(text_at(column, {"name"}));
        priorities.push_back(number_at(column, {"priority"}));
    }
    CHECK(names == std::vector<std::string>{"Name",
                                            "Ready",
                                            "Status",
                                            "Restarts",
                                            "Age",
                                            "IP",
                                            "Node",
                                            "Nominated Node",
                                            "Readiness Gates"});
    CHECK(priorities == std::vector<long>{0, 0, 0, 0, 0, 1, 1, 1, 1});
    CHECK(cells(table)[4] == "3h");
    CHECK(cells(table)[6] == "gpu-1");
    const auto& row = *items_at(table, {"rows"}).begin();
    CHECK(text_at(row, {"object", "metadata", "namespace"}) == "n");
    CHECK(text_at(row, {"object", "kind"}) == "PartialObjectMetadata");
    CHECK(text_at(table, {"metadata", "resourceVersion"}) == "1");
}

TEST_CASE("nodes, namespaces, events and graphs have tables too", "[kubesim][table]") {
    const auto node = cells(table_of(
        "",
        "nodes",
        R"({"metadata":{"name":"n","creationTimestamp":"2026-10-06T09:59:00Z",)"
        R"("labels":{"node-role.kubernetes.io/worker":"","node-role.kubernetes.io/gpu":""}},)"
        R"("spec":{"unschedulable":true},"status":{"conditions":[{"type":"Ready","status":"True"}],)"
        R"("addresses":[{"type":"InternalIP","address":"10.0.0.1"}],)"
        R"("nodeInfo":{"kubeletVersion":"v1.34.2","osImage":"Debian"}}})"));
    CHECK(std::vector<std::string>(node.begin(), node.begin() + 8) ==
          std::vector<std::string>{"n",
                                   "Ready,SchedulingDisabled",
                                   "worker,gpu",
                                   "60s",
                                   "v1.34.2",
                                   "10.0.0.1",
                                   "<none>",
                                   "Debian"});
    CHECK(cells(table_of("", "nodes", R"({"metadata":{"name":"n"}})"))[1] == "NotReady");
    CHECK(cells(table_of(
              "", "namespaces", R"({"metadata":{"name":"x"},"status":{"phase":"Active"}})")) ==
          std::vector<std::string>{"x", "Active", "<unknown>"});
    CHECK(
        cells(table_of(
            "",
            "events",
            R"({"metadata":{"name":"e"},"type":"Warning","reason":"BackOff","message":"m\n",)"
            R"("lastTimestamp":"2026-10-06T09:59:30Z","involvedObject":{"kind":"Pod","name":"p"}})")) ==
        std::vector<std::string>{"30s", "Warning", "BackOff", "pod/p", "m"});
    CHECK(cells(table_of(
              "nvidia.com",
              "dynamographdeployments",
              R"({"metadata":{"name":"g","creationTimestamp":"2026-10-06T09:00:00Z"}})")) ==
          std::vector<std::string>{"g", "60m"});
}
