// The read-only promise: everything this program may ever ask of an API server, in one table.
// Requests are built from its entries (kube/requests.hpp), `plan` prints it, tests compare it with
// what a server saw.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace di::kube {

/// What a request is for: the index of its entry in k_permissions.
enum class Use : std::uint8_t {
    list_pods,
    open_exec,
    authorize_exec,
    list_graphs,
    read_namespace,
    review_access,
};

enum class Need : std::uint8_t {
    required, ///< without it there is no report
    optional, ///< without it the report says less
};

/// What an access review said.
enum class Access : std::uint8_t { unknown, allowed, denied };

/// One RBAC rule: `verb` on `resource` or `resource/subresource` of `group` ("" is the core one).
struct Permission {
    Use use;
    std::string_view verb;
    std::string_view group;
    std::string_view resource;
    std::string_view subresource;
    Need need;
    std::string_view why;
};

inline constexpr std::array k_permissions{
    Permission{Use::list_pods, "list", "", "pods", "", Need::required, "find the workers"},
    Permission{Use::open_exec, "get", "", "pods", "exec", Need::required, "run the probe"},
    // Kubernetes 1.35 and later check `create` too when the exec comes over a WebSocket.
    Permission{Use::authorize_exec, "create", "", "pods", "exec", Need::required, "run the probe"},
    Permission{Use::list_graphs,
               "list",
               "nvidia.com",
               "dynamographdeployments",
               "",
               Need::optional,
               "compare the workers with what the graph asks for"},
    Permission{Use::read_namespace,
               "get",
               "",
               "namespaces",
               "",
               Need::optional,
               "tell an empty namespace from a missing one"},
    // Stores nothing: the API server answers whether we may do the above. Granted to everybody who
    // is logged in by the role system:basic-user.
    Permission{Use::review_access,
               "create",
               "authorization.k8s.io",
               "selfsubjectaccessreviews",
               "",
               Need::optional,
               "name what is missing before anything is run"},
};

constexpr const Permission& permission(Use use) {
    return k_permissions.at(static_cast<std::size_t>(use));
}

} // namespace di::kube
