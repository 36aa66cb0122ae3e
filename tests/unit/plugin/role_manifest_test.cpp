#include "render/json.hpp"
#include "role_manifest.hpp"

#include <catch2/catch.hpp>

using namespace di;
using namespace di::app;
using kube::Use;

TEST_CASE("a role has one rule for each resource, with all its verbs", "[rbac]") {
    const auto rules = role_rules({Use::list_pods, Use::open_exec, Use::authorize_exec});
    CHECK(render::render_yaml(model::Value().set("rules", rules)) == R"(rules:
  - apiGroups:
      - ""
    resources:
      - pods
    verbs:
      - list
  - apiGroups:
      - ""
    resources:
      - pods/exec
    verbs:
      - get
      - create
)");
}

TEST_CASE("in one namespace it is a Role, in all of them a ClusterRole", "[rbac]") {
    const RoleSubject robot{"ServiceAccount", "checker", "ci"};
    const auto in_one = role_documents("dynamo", robot, granted_uses());
    REQUIRE(in_one.size() == 2);
    CHECK(*in_one[0].find("kind") == "Role");
    CHECK(*in_one[0].find("metadata")->find("namespace") == "dynamo");
    CHECK(*in_one[1].find("kind") == "RoleBinding");
    CHECK(*in_one[1].find("roleRef")->find("kind") == "Role");
    const auto in_all = role_documents(std::nullopt, {"User", "auditor", ""}, granted_uses());
    CHECK(*in_all[0].find("kind") == "ClusterRole");
    CHECK(in_all[0].find("metadata")->find("namespace") == nullptr);
    CHECK(*in_all[1].find("kind") == "ClusterRoleBinding");
}

TEST_CASE("the role grants what the table of permissions promises, and no reviews", "[rbac]") {
    CHECK(granted_uses().size() == kube::k_permissions.size() - 1);
    for (const auto use : granted_uses()) {
        CHECK(use != Use::review_access);
    }
}
