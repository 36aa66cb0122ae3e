// Who is to be probed, and who could not be: what discovery draws from the API objects.
#pragma once

#include "model/finding.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::model {

enum class Role : std::uint8_t { prefill, decode, worker, encode };

std::string_view to_string(Role role);

/// Where a role was read: an operator label, the engine's arguments, a name, the multi-node group.
enum class RoleSource : std::uint8_t { label, args, name, group };

std::string_view to_string(RoleSource source);

enum class Backend : std::uint8_t { vllm, sglang, trtllm, mocker, unknown };

std::string_view to_string(Backend backend); ///< "" for unknown

/// Environment variables by name.
using EnvMap = std::map<std::string, std::string, std::less<>>;

/// Facts of the pod's spec that judging needs; a hint beside what the container itself shows.
struct SpecFacts {
    EnvMap env; ///< literal values of the container, `$(NAME)` expanded
    std::vector<std::string> env_unresolved; ///< names whose value comes by reference
    std::vector<std::string> arguments;      ///< command and args; `sh -c` texts read into words
    Seen<Value> engine_config;               ///< the engine's YAML file, where a manifest holds it
    std::string image;
    std::vector<std::string> rdma_resources; ///< keys such as rdma/ib, vpc.amazonaws.com/efa
    std::vector<std::string> claims;         ///< DRA claim names
    int gpus = 0;                            ///< sum of GPU-like limits
    bool host_network = false;
    bool host_pid = false;
    bool privileged = false;
};

struct Worker {
    std::string ns;
    std::string pod;
    std::string node;
    std::string pod_ip;
    std::string container;
    Role role = Role::worker;
    RoleSource role_source = RoleSource::label;
    std::string component;                 ///< Dynamo component (service) name; may be empty
    std::optional<std::string> graph;      ///< DynamoGraphDeployment
    std::string dynamo_namespace;          ///< logical; tells graphs apart that have no name
    std::optional<std::string> generation; ///< worker hash; differs during a rolling update
    std::optional<std::string> group;      ///< multi-node group, opaque
    std::optional<int> rank;               ///< 0 is the leader
    Backend backend = Backend::unknown;
    SpecFacts spec;
};

/// Tells graphs of one namespace apart: the name, or else the Dynamo namespace. KV cache travels
/// between workers of one namespace, one graph key and one generation.
inline std::string graph_key(const std::optional<std::string>& graph,
                             const std::string& dynamo_namespace) {
    return graph ? "graph/" + *graph : "dynamo-namespace/" + dynamo_namespace;
}

/// Why a pod that is a worker is not probed. Spelled as in SkipReason where the two overlap.
enum class NotProbedReason : std::uint8_t {
    not_running,
    terminating,
    completed,
    no_container,
    filtered,
    no_permission,
    tool_missing,
    timed_out,
    truncated,
    unreadable,
};

std::string_view to_string(NotProbedReason reason);

struct NotProbed {
    std::string ns;
    std::string pod;
    std::string container; ///< the container that would have been entered; may be empty
    NotProbedReason reason = NotProbedReason::not_running;
    std::string detail; ///< "CrashLoopBackOff: back-off 5m0s restarting failed container"
    Role role = Role::worker;
    std::optional<std::string> graph;
    std::optional<std::string> generation;
    std::string dynamo_namespace;
};

/// One serving graph: a DynamoGraphDeployment, or the pods that share a Dynamo namespace.
struct Graph {
    std::string ns;
    std::optional<std::string> name; ///< the DynamoGraphDeployment's name
    bool disagg = false;             ///< has, or should have, a prefill and a decode side
    std::string dynamo_namespace;    ///< what tells it apart when it has no name; may be empty
};

struct Inventory {
    std::vector<Worker> workers;       ///< ordered by namespace, then pod
    std::vector<NotProbed> not_probed; ///< workers that were left out, `filtered` ones included
    std::vector<Graph> graphs;
    std::vector<Check> checks; ///< what objects alone decide: missing sides, generations, replicas
    /// Filters that leave one side of a split out, in words ("--role prefill"); empty when none
    /// does.
    std::optional<std::string> one_sided_filter;
};

} // namespace di::model
