// The rules that API objects alone decide. Codes are stable and never reused.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace di::discover {

struct Rule {
    std::string_view code;
    std::string_view name;    ///< `name` of its rows
    std::string_view title;   ///< one line, as `explain` shows it
    std::string_view meaning; ///< what is looked at, and when it is good or bad
    std::string_view why;     ///< what it does to KV transfer
    std::string_view fix;     ///< what to change
    std::string_view next;   ///< what a row offers to type, with NAMESPACE, POD and GRAPH for names
    std::string_view source; ///< where the fact can be looked up
    bool advisory = false;   ///< its rows never move the verdict
};

enum class RuleId : std::uint8_t {
    discovery,
    pod_state,
    generation,
    replicas,
    role,
    dgd_status,
    rdma_resource,
};

inline constexpr std::array<Rule, 7> k_rules = {{
    {"POD-001",
     "discovery",
     "A prefill and a decode pod run in one generation of the graph",
     "Of a graph that is split into prefill and decode, each side needs a running pod of the same "
     "worker generation. A side without one is a fail, whatever the other side looks like.",
     "KV goes from a prefill pod to a decode pod; without one of them nothing is transferred.",
     "See why the pods of the missing side do not run: scheduling, image, crash.",
     "kubectl -n NAMESPACE get pods -l nvidia.com/dynamo-graph-deployment-name=GRAPH",
     "ai-dynamo/dynamo deploy/operator, labels; docs/architecture disaggregated serving"},
    {"POD-002",
     "pod-state",
     "A worker that cannot be entered was not seen",
     "The pod is a worker, but its container does not run, so nothing about it could be read.",
     "Its devices and settings may differ from its siblings'; the verdict is inconclusive at best.",
     "Read the previous logs of a crashing container, or the events of a pending pod.",
     "kubectl -n NAMESPACE logs POD -c CONTAINER --previous",
     "Kubernetes documentation, pod lifecycle"},
    {"POD-003",
     "generation",
     "All workers of a graph are of one generation",
     "Two values of the worker hash at once are a rolling update in flight.",
     "Generations do not exchange KV: pairs exist within each of them only.",
     "Wait until the rollout has ended and check again.",
     "kubectl -n NAMESPACE get pods -L nvidia.com/dynamo-worker-hash",
     "ai-dynamo/dynamo deploy/operator, worker hash; issue 10027"},
    {"POD-004",
     "replicas",
     "As many workers run as the DynamoGraphDeployment asks for",
     "Running pods of each component against the replicas of its spec.",
     "What is missing was not checked, and may come up on other nodes.",
     "See what the operator says of the missing ones; add capacity or lower the replicas.",
     "kubectl -n NAMESPACE describe dynamographdeployment GRAPH",
     "ai-dynamo/dynamo deploy/operator/api DynamoGraphDeployment"},
    {"POD-005",
     "role",
     "Roles are declared, not guessed from names",
     "The role came from operator labels or engine arguments (ok), or only from a name (warn).",
     "A wrong guess pairs the wrong pods.",
     "Set the component's type (or subComponentType), or pass --disaggregation-mode.",
     "kubectl -n NAMESPACE get pods --show-labels",
     "ai-dynamo/dynamo deploy/operator, component types",
     true},
    {"POD-006",
     "dgd-status",
     "The operator reports the DynamoGraphDeployment as ready",
     "status.state and the Ready condition of the graph.",
     "A ready graph proves that pods answered their probes; it says nothing about KV transport.",
     "Describe the graph and follow its condition's reason.",
     "kubectl -n NAMESPACE describe dynamographdeployment GRAPH",
     "ai-dynamo/dynamo deploy/operator/api DynamoGraphDeployment status"},
    {"POD-007",
     "rdma-resource",
     "The engine's container asks for an RDMA device",
     "Limits such as rdma/ib, vpc.amazonaws.com/efa or a resource claim. A hint only: privileged "
     "pods see devices without asking.",
     "A container that was granted no device has no /dev/infiniband, and UCX leaves only TCP.",
     "Add the RDMA resource of your cluster's device plugin to the component's limits.",
     "kubectl -n NAMESPACE get pod POD -o yaml",
     "Mellanox/k8s-rdma-shared-dev-plugin; ai-dynamo/dynamo recipes, provider profiles",
     true},
}};

constexpr const Rule& rule(RuleId id) {
    return k_rules[static_cast<std::size_t>(id)];
}

} // namespace di::discover
