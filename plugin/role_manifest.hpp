// The least that a user of this plugin must be allowed to do, as objects for kubectl apply. Pure.
#pragma once

#include "kube/permissions.hpp"
#include "model/value.hpp"

#include <optional>
#include <string>
#include <vector>

namespace di::app {

/// Who gets the role.
struct RoleSubject {
    std::string kind; ///< ServiceAccount, User, Group
    std::string name;
    std::string ns; ///< of a ServiceAccount
};

/// The rules of a role for these uses, one for each resource.
model::Value role_rules(const std::vector<kube::Use>& uses);

/// A Role and its RoleBinding in `ns`, or without one a ClusterRole and its ClusterRoleBinding.
std::vector<model::Value> role_documents(const std::optional<std::string>& ns,
                                         const RoleSubject& subject,
                                         const std::vector<kube::Use>& uses);

/// Everything in the table that RBAC has to grant; access reviews are granted to everybody.
std::vector<kube::Use> granted_uses();

} // namespace di::app
