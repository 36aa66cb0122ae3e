#include "role_manifest.hpp"

#include <algorithm>
#include <tuple>

namespace di::app {
namespace {

using kube::Permission;
using model::Value;

constexpr std::string_view k_name = "dynamo-interconnect";
constexpr std::string_view k_api_group = "rbac.authorization.k8s.io";

std::string resource_of(const Permission& permission) {
    std::string text(permission.resource);
    return permission.subresource.empty() ? text : text + '/' + std::string(permission.subresource);
}

Value metadata(const std::optional<std::string>& ns) {
    Value value;
    value.set("name", k_name);
    return ns ? value.set("namespace", *ns) : value;
}

Value subject_value(const RoleSubject& subject) {
    Value value;
    value.set("kind", subject.kind).set("name", subject.name);
    return subject.kind == "ServiceAccount" ? value.set("namespace", subject.ns)
                                            : value.set("apiGroup", k_api_group);
}

} // namespace

Value role_rules(const std::vector<kube::Use>& uses) {
    struct Rule {
        std::string group;
        std::string resource;
        std::vector<std::string> verbs;
    };

    std::vector<Rule> rules;
    for (const auto use : uses) {
        const auto& wanted = kube::permission(use);
        const auto resource = resource_of(wanted);
        auto same = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
            return rule.group == wanted.group && rule.resource == resource;
        });
        if (same == rules.end()) {
            same = rules.insert(rules.end(), Rule{std::string(wanted.group), resource, {}});
        }
        same->verbs.emplace_back(wanted.verb);
    }
    Value list = Value::array();
    for (const auto& rule : rules) {
        list.push(Value()
                      .set("apiGroups", std::vector<std::string>{rule.group})
                      .set("resources", std::vector<std::string>{rule.resource})
                      .set("verbs", rule.verbs));
    }
    return list;
}

std::vector<Value> role_documents(const std::optional<std::string>& ns,
                                  const RoleSubject& subject,
                                  const std::vector<kube::Use>& uses) {
    const std::string scope = ns ? "" : "Cluster";
    const std::string version = std::string(k_api_group) + "/v1";
    Value role;
    role.set("apiVersion", version).set("kind", scope + "Role");
    role.set("metadata", metadata(ns)).set("rules", role_rules(uses));
    Value binding;
    binding.set("apiVersion", version).set("kind", scope + "RoleBinding");
    binding.set("metadata", metadata(ns));
    binding.set(
        "roleRef",
        Value().set("apiGroup", k_api_group).set("kind", scope + "Role").set("name", k_name));
    binding.set("subjects", Value().push(subject_value(subject)));
    return {std::move(role), std::move(binding)};
}

std::vector<kube::Use> granted_uses() {
    std::vector<kube::Use> uses;
    for (const auto& permission : kube::k_permissions) {
        if (permission.use != kube::Use::review_access) {
            uses.push_back(permission.use);
        }
    }
    return uses;
}

} // namespace di::app
