// Every request this program can make, built from the table of permissions. Pure.
#pragma once

#include "kube/permissions.hpp"
#include "model/probe.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace di::kube {

struct PodQuery;

/// A request and what it is for. All of them are GETs, but for one with a body.
struct Asked {
    Use use = Use::list_pods;
    std::string target;    ///< path and query below the server's prefix, percent-encoded
    std::string ns;        ///< "" at cluster scope
    std::string body = {}; ///< JSON of a POST; "" for a GET
};

/// One page of 500 items after `continue_token` ("" for the first), or everything at once.
enum class Paging : std::uint8_t { by_pages, all_at_once };

Asked ask_pods(const PodQuery& query, Paging paging, std::string_view continue_token);

/// DynamoGraphDeployments of one served version ("v1beta1").
Asked ask_graphs(std::string_view version,
                 const std::optional<std::string>& ns,
                 Paging paging,
                 std::string_view continue_token);

Asked ask_namespace(std::string_view ns);

/// May we do what `use` is for, in that namespace ("" for all), to the object of that name ("" for
/// any)? A SelfSubjectAccessReview.
Asked ask_review(Use use, std::string_view ns, std::string_view name);

/// stdout and stderr of a command in a container; no stdin, no terminal.
Asked ask_exec(const model::ProbeTask& task);

/// The command that tells a user whether they may do this: `kubectl auth can-i ...`.
std::string can_i_command(const Asked& asked);

} // namespace di::kube
