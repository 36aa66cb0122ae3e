#include "kubesim/graph_version.hpp"

#include <catch2/catch.hpp>

using di::kubesim::convert_graph;

namespace {

struct Case {
    std::string why;
    std::string beta;
    std::string alpha;
};

} // namespace

TEST_CASE("components become services", "[kubesim][graphs]") {
    const auto example = GENERATE(values<Case>({
        {"a worker's role is a sub-type",
         R"({"spec":{"components":[{"name":"Decode","type":"decode","replicas":2}]}})",
         R"({"spec":{"services":{"Decode":{"replicas":2,"componentType":"worker","subComponentType":"decode"}}}})"},
        {"other types stay",
         R"({"spec":{"components":[{"name":"F","type":"frontend"},{"name":"W","type":"worker"}]}})",
         R"({"spec":{"services":{"F":{"componentType":"frontend"},"W":{"componentType":"worker"}}}})"},
        {"env is envs, of the graph and of a component",
         R"({"spec":{"env":[{"name":"A"}],"components":[{"name":"W","env":[{"name":"B"}]}]}})",
         R"({"spec":{"envs":[{"name":"A"}],"services":{"W":{"envs":[{"name":"B"}]}}}})"},
        {"the main container stands apart",
         R"({"spec":{"components":[{"name":"W","podTemplate":{"spec":{"hostIPC":true,"containers":[{"name":"side"},{"name":"main","image":"i"}]}}}]}})",
         R"({"spec":{"services":{"W":{"extraPodSpec":{"mainContainer":{"name":"main","image":"i"},"hostIPC":true,"containers":[{"name":"side"}]}}}}})"},
        {"a template without containers",
         R"({"spec":{"components":[{"name":"W","podTemplate":{"spec":{"hostIPC":true}}}]}})",
         R"({"spec":{"services":{"W":{"extraPodSpec":{"hostIPC":true}}}}})"},
        {"no components", R"({"spec":{}})", R"({"spec":{}})"},
        {"no list", R"({"spec":{"components":7}})", R"({"spec":{"components":7}})"},
    }));
    CAPTURE(example.why);
    CHECK(convert_graph(example.beta, "v1beta1", "v1alpha1") == example.alpha);
}

TEST_CASE("the stored version is served as it is", "[kubesim][graphs]") {
    const std::string json = R"({"spec":{"components":[{"name":"W","type":"decode"}]}})";
    CHECK(convert_graph(json, "v1beta1", "v1beta1") == json);
    CHECK(convert_graph(json, "v1alpha1", "v1alpha1") == json);
}
