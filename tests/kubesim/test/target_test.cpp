#include "kubesim/target.hpp"

#include <catch2/catch.hpp>

using namespace di::kubesim;

namespace {

Target target_of(const std::string& method, const std::string& path) {
    const auto request = parse_request_head(method + " " + path + " HTTP/1.1");
    REQUIRE(request.has_value());
    return read_target(*request);
}

struct Case {
    std::string method;
    std::string path;
    /// verb, group, resource, subresource, namespace, name
    std::vector<std::string> expected;
};

} // namespace

TEST_CASE("paths mean what the API server takes them for", "[kubesim][target]") {
    const auto example = GENERATE(values<Case>({
        {"GET", "/api/v1/pods", {"list", "", "pods", "", "", ""}},
        {"GET", "/api/v1/pods?watch=1", {"watch", "", "pods", "", "", ""}},
        {"GET", "/api/v1/namespaces", {"list", "", "namespaces", "", "", ""}},
        {"GET", "/api/v1/namespaces/x", {"get", "", "namespaces", "", "", "x"}},
        {"GET", "/api/v1/namespaces/x/pods", {"list", "", "pods", "", "x", ""}},
        {"GET", "/api/v1/namespaces/x/pods/p", {"get", "", "pods", "", "x", "p"}},
        {"GET", "/api/v1/namespaces/x/pods/p/exec?stdout=1", {"get", "", "pods", "exec", "x", "p"}},
        {"POST", "/api/v1/namespaces/x/pods/p/exec", {"create", "", "pods", "exec", "x", "p"}},
        {"DELETE", "/api/v1/namespaces/x/pods/p", {"delete", "", "pods", "", "x", "p"}},
        {"PATCH", "/api/v1/nodes/n", {"patch", "", "nodes", "", "", "n"}},
        {"GET", "/api/v1/nodes/n%2d1", {"get", "", "nodes", "", "", "n-1"}},
        {"GET",
         "/apis/nvidia.com/v1beta1/namespaces/x/dynamographdeployments/g",
         {"get", "nvidia.com", "dynamographdeployments", "", "x", "g"}},
        {"POST",
         "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
         {"create", "authorization.k8s.io", "selfsubjectaccessreviews", "", "", ""}},
    }));
    CAPTURE(example.method, example.path);
    const auto target = target_of(example.method, example.path);
    CHECK(target.is_resource);
    const auto& a = target.attributes;
    const std::vector<std::string> found{a.verb, a.group, a.resource, a.subresource, a.ns, a.name};
    CHECK(found == example.expected);
}

TEST_CASE("other paths are no resources", "[kubesim][target]") {
    const auto* const path = GENERATE("/",
                                      "/version",
                                      "/api",
                                      "/api/v1",
                                      "/api/v1/",
                                      "/apis",
                                      "/apis/nvidia.com",
                                      "/apis/nvidia.com/v1beta1",
                                      "/apis/nvidia.com/v1beta1/",
                                      "/openapi/v3/apis/x",
                                      "//");
    CAPTURE(path);
    const auto target = target_of("GET", path);
    CHECK_FALSE(target.is_resource);
    CHECK(target.attributes.verb == "get");
}

TEST_CASE("what follows a proxy is kept", "[kubesim][target]") {
    const auto target = target_of("GET", "/api/v1/namespaces/x/pods/p:9090/proxy/a/metrics");
    CHECK(target.attributes.name == "p:9090");
    CHECK(target.attributes.subresource == "proxy");
    CHECK(target.rest == "/a/metrics");
    CHECK(target.version == "v1");
}
