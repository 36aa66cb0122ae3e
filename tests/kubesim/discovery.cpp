#include "kubesim/discovery.hpp"

#include "base/strings.hpp"
#include "kubesim/json.hpp"
#include "kubesim/status.hpp"

#include <fmt/format.h>

namespace di::kubesim {
namespace {

struct Entry {
    std::string_view name;
    std::string_view kind;
    bool namespaced;
    std::string_view verbs;
    std::string_view short_names;
};

constexpr Entry k_core[] = {
    {"events", "Event", true, R"("get","list")", R"("ev")"},
    {"namespaces", "Namespace", false, R"("get","list")", R"("ns")"},
    {"nodes", "Node", false, R"("get","list")", R"("no")"},
    {"pods", "Pod", true, R"("get","list")", R"("po")"},
    {"pods/exec", "PodExecOptions", true, R"("create","get")", ""},
    {"pods/log", "Pod", true, R"("get")", ""},
    {"pods/proxy", "PodProxyOptions", true, R"("get")", ""},
};
constexpr Entry k_authorization[] = {
    {"selfsubjectaccessreviews", "SelfSubjectAccessReview", false, R"("create")", ""},
};
constexpr Entry k_authentication[] = {
    {"selfsubjectreviews", "SelfSubjectReview", false, R"("create")", ""},
};
constexpr Entry k_graphs[] = {
    {"dynamographdeployments", "DynamoGraphDeployment", true, R"("get","list")", R"("dgd")"},
};

template<std::size_t N>
std::string resource_list(std::string_view group_version, const Entry (&entries)[N]) {
    std::vector<std::string> resources;
    resources.reserve(N);
    for (const auto& entry : entries) {
        const auto singular = contains(entry.name, "/") ? std::string() : to_lower(entry.kind);
        resources.push_back(fmt::format(
            R"({{"name":"{}","singularName":"{}","namespaced":{},"kind":"{}","verbs":[{}],"shortNames":[{}]}})",
            entry.name,
            singular,
            entry.namespaced,
            entry.kind,
            entry.verbs,
            entry.short_names));
    }
    return fmt::format(
        R"({{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"{}","resources":[{}]}})",
        group_version,
        join(resources, ","));
}

/// An APIGroup without its kind, as it stands in the list of groups.
std::string group_body(std::string_view group, const std::vector<std::string_view>& versions) {
    std::vector<std::string> all;
    for (const auto version : versions) {
        all.push_back(
            fmt::format(R"({{"groupVersion":"{0}/{1}","version":"{1}"}})", group, version));
    }
    return fmt::format(
        R"("name":"{}","versions":[{}],"preferredVersion":{})", group, join(all, ","), all.front());
}

std::string group_document(std::string_view group, const std::vector<std::string_view>& versions) {
    return fmt::format(R"({{"kind":"APIGroup","apiVersion":"v1",{}}})",
                       group_body(group, versions));
}

constexpr std::string_view k_version =
    R"({"major":"1","minor":"34","gitVersion":"v1.34.2","gitCommit":"kubesim","gitTreeState":"clean","buildDate":"2026-01-01T00:00:00Z","goVersion":"go1.24.9","compiler":"gc","platform":"linux/amd64"})";

std::map<std::string, std::string, std::less<>> json_documents(const Served& served) {
    const std::vector<std::string_view> v1{"v1"};
    std::vector<std::string> groups{
        fmt::format("{{{}}}", group_body("authentication.k8s.io", v1)),
        fmt::format("{{{}}}", group_body("authorization.k8s.io", v1)),
    };
    std::map<std::string, std::string, std::less<>> documents{
        {"/version", std::string(k_version)},
        {"/api",
         fmt::format(R"({{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":)"
                     R"([{{"clientCIDR":"0.0.0.0/0","serverAddress":"{}"}}]}})",
                     served.address)},
        {"/api/v1", resource_list("v1", k_core)},
        {"/apis/authentication.k8s.io", group_document("authentication.k8s.io", v1)},
        {"/apis/authentication.k8s.io/v1",
         resource_list("authentication.k8s.io/v1", k_authentication)},
        {"/apis/authorization.k8s.io", group_document("authorization.k8s.io", v1)},
        {"/apis/authorization.k8s.io/v1",
         resource_list("authorization.k8s.io/v1", k_authorization)},
    };
    if (served.graphs) {
        const auto& versions =
            served.store->collection(*find_resource_type("nvidia.com", "dynamographdeployments"))
                .versions;
        groups.push_back(fmt::format("{{{}}}", group_body("nvidia.com", versions)));
        documents["/apis/nvidia.com"] = group_document("nvidia.com", versions);
        for (const auto version : versions) {
            documents[fmt::format("/apis/nvidia.com/{}", version)] =
                resource_list(fmt::format("nvidia.com/{}", version), k_graphs);
        }
    }
    documents["/apis"] = fmt::format(R"({{"kind":"APIGroupList","apiVersion":"v1","groups":[{}]}})",
                                     join(groups, ","));
    return documents;
}

} // namespace

std::optional<Response> discovery_document(const Served& served, std::string_view path) {
    if (path.size() > 1 && path.back() == '/') {
        path.remove_suffix(1);
    }
    if (path == "/healthz" || path == "/livez" || path == "/readyz") {
        return plain_text(200, "ok");
    }
    const auto documents = json_documents(served);
    const auto found = documents.find(path);
    if (found == documents.end()) {
        return std::nullopt;
    }
    return Response{.body = found->second + "\n"};
}

} // namespace di::kubesim
