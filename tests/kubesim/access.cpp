#include "kubesim/access.hpp"

#include "kubesim/json.hpp"
#include "kubesim/status.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim {

bool Access::allows(const Attributes& wanted) const {
    // Reviews of oneself are granted to every user by system:basic-user.
    const bool review =
        wanted.group == "authorization.k8s.io" || wanted.group == "authentication.k8s.io";
    if (namespaced_only_ && wanted.ns.empty() && !review) {
        return false;
    }
    // Who may not have one object has a Role with resourceNames: that denies what names no object.
    return std::none_of(denials_.begin(), denials_.end(), [&](const Denial& denial) {
        return denial.resource == wanted.resource && denial.subresource == wanted.subresource &&
               (denial.verb.empty() || denial.verb == wanted.verb) &&
               (denial.name.empty() || wanted.name.empty() || denial.name == wanted.name);
    });
}

Response forbidden(const Attributes& wanted, std::string_view user) {
    const auto qualified = wanted.group.empty()
                               ? wanted.resource
                               : fmt::format("{}.{}", wanted.resource, wanted.group);
    const auto subject =
        wanted.name.empty() ? qualified : fmt::format("{} \"{}\"", qualified, wanted.name);
    const auto resource = wanted.subresource.empty()
                              ? wanted.resource
                              : fmt::format("{}/{}", wanted.resource, wanted.subresource);
    const auto scope = wanted.ns.empty() ? std::string("at the cluster scope")
                                         : fmt::format("in the namespace \"{}\"", wanted.ns);
    const auto message =
        fmt::format(R"({} is forbidden: User "{}" cannot {} resource "{}" in API group "{}" {})",
                    subject,
                    user,
                    wanted.verb,
                    resource,
                    wanted.group,
                    scope);
    std::string details = "{";
    if (!wanted.name.empty()) {
        details += fmt::format(R"("name":{},)", json_string(wanted.name));
    }
    if (!wanted.group.empty()) {
        details += fmt::format(R"("group":{},)", json_string(wanted.group));
    }
    details += fmt::format(R"("kind":{}}})", json_string(wanted.resource));
    return failure(403, "Forbidden", message, details);
}

} // namespace di::kubesim
