// Who may do what: everything is allowed, but for faults and a case's `server:` map.
#pragma once

#include "kubesim/faults.hpp"
#include "kubesim/http.hpp"

#include <string>
#include <vector>

namespace di::kubesim {

/// What an authorizer is asked; the same for a request and for a SelfSubjectAccessReview.
struct Attributes {
    std::string verb;
    std::string group;
    std::string resource;
    std::string subresource;
    std::string ns; ///< "" is the cluster scope
    std::string name;
};

class Access {
public:
    Access(std::vector<Denial> denials, bool namespaced_only)
        : denials_(std::move(denials)),
          namespaced_only_(namespaced_only) {}

    [[nodiscard]] bool allows(const Attributes& wanted) const;

private:
    std::vector<Denial> denials_;
    bool namespaced_only_;
};

/// The API server's 403.
Response forbidden(const Attributes& wanted, std::string_view user);

} // namespace di::kubesim
