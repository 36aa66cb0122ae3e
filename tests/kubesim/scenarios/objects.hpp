// API objects as a server stores and serves them: items of core lists carry no kind.
#pragma once

#include "kubesim/scenarios/cluster.hpp"
#include "kubesim/scenarios/json.hpp"

namespace di::kubesim::scenarios {

Value pod_list(const Scenario& scenario, const Cluster& cluster);
Value node_list(const Cluster& cluster);
Value event_list(const Cluster& cluster);

/// In nvidia.com/v1beta1, or v1alpha1 from the oldest operator.
Value graph_deployment_list(const Scenario& scenario, const Cluster& cluster);

// Shared by the lists.

constexpr const char* k_created = "2026-10-06T07:00:07Z";
constexpr const char* k_imex_claim = "compute-domain-channel";

/// The engine's container of a pod's spec.
Value engine_container(const Scenario& scenario, const Component& component, const Place& place);

/// The resources a container of the component asks for.
Pairs resource_limits(const Component& component);

} // namespace di::kubesim::scenarios
