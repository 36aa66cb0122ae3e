#include "kube/client.hpp"
#include "kube/requests.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace di;
using kube::Paging;

TEST_CASE("the table of permissions is complete, in order and read-only") {
    for (std::size_t i = 0; i < kube::k_permissions.size(); ++i) {
        CHECK(static_cast<std::size_t>(kube::k_permissions.at(i).use) == i);
        CHECK_FALSE(kube::k_permissions.at(i).why.empty());
    }
    for (const auto& allowed : kube::k_permissions) {
        const bool reads = allowed.verb == "get" || allowed.verb == "list";
        // Kubernetes' name for the permission to exec; nothing is created.
        const bool exec = allowed.verb == "create" && allowed.subresource == "exec";
        // It is a question, only spelled as an object: the API server answers it and keeps nothing.
        const bool review =
            allowed.verb == "create" && allowed.resource == "selfsubjectaccessreviews";
        CHECK((reads || exec || review));
    }
}

TEST_CASE("lists are asked page by page, with their selectors escaped") {
    kube::PodQuery query;
    CHECK(kube::ask_pods(query, Paging::by_pages, "").target == "/api/v1/pods?limit=500");
    query.ns = "my-ns";
    query.label_selector = "app in (a,b),x=y";
    query.field_selector = "status.phase!=Failed";
    CHECK(kube::ask_pods(query, Paging::by_pages, "tok+en=").target ==
          "/api/v1/namespaces/my-ns/pods?labelSelector=app+in+%28a%2Cb%29%2Cx%3Dy"
          "&fieldSelector=status.phase%21%3DFailed&limit=500&continue=tok%2Ben%3D");
    CHECK(kube::ask_pods(query, Paging::by_pages, "").ns == "my-ns");
    query = {};
    CHECK(kube::ask_pods(query, Paging::all_at_once, "").target == "/api/v1/pods");
}

TEST_CASE("graphs are asked in a version, in one namespace or in all") {
    CHECK(kube::ask_graphs("v1beta1", "n", Paging::by_pages, "").target ==
          "/apis/nvidia.com/v1beta1/namespaces/n/dynamographdeployments?limit=500");
    CHECK(kube::ask_graphs("v1alpha1", {}, Paging::all_at_once, "").target ==
          "/apis/nvidia.com/v1alpha1/dynamographdeployments");
}

TEST_CASE("names are escaped and cannot leave their place in the path") {
    CHECK(kube::ask_namespace("../x?y").target == "/api/v1/namespaces/..%2Fx%3Fy");
}

TEST_CASE(
    "I6 an exec keeps its argv word by word, and asks for no stdin whose end it had to tell") {
    const model::ProbeTask task{0, "ns", "p-0", "main", {"sh", "-c", "echo \"a+b\"\n", "x y"}};
    CHECK(kube::ask_exec(task).target ==
          "/api/v1/namespaces/ns/pods/p-0/exec?command=sh&command=-c&command=echo+%22a%2Bb%22%0A"
          "&command=x+y&container=main&stdin=true&stdout=true&stderr=true");
}

TEST_CASE("the hint for a missing permission is a command to paste") {
    CHECK(kube::can_i_command(kube::ask_pods({}, Paging::by_pages, "")) ==
          "kubectl auth can-i list pods --all-namespaces");
    CHECK(kube::can_i_command(kube::ask_exec({0, "ns", "p", "c", {"sh"}})) ==
          "kubectl auth can-i get pods --subresource=exec -n ns");
    CHECK(kube::can_i_command(kube::ask_graphs("v1", "ns", Paging::by_pages, "")) ==
          "kubectl auth can-i list dynamographdeployments.nvidia.com -n ns");
}

TEST_CASE("an access review asks about one verb on one resource, and stores nothing") {
    const auto asked = kube::ask_review(kube::Use::authorize_exec, "ns", "p\"0");
    CHECK(asked.target == "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews");
    CHECK(asked.body ==
          R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{)"
          R"("resourceAttributes":{"namespace":"ns","verb":"create","group":"","resource":"pods",)"
          R"("subresource":"exec","name":"p\"0"}}})");
    CHECK(kube::ask_pods({}, Paging::by_pages, "").body.empty());
}
