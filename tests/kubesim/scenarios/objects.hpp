// API objects as a server stores and serves them: items of core lists carry no kind.
#pragma once

#include "kubesim/scenarios/cluster.hpp"

#include <string>

namespace di::kubesim::scenarios {

class Json;

std::string pod_list(const Scenario& scenario, const Cluster& cluster);
std::string node_list(const Cluster& cluster);
std::string event_list(const Cluster& cluster);

/// In nvidia.com/v1beta1, or v1alpha1 from the oldest operator.
std::string graph_deployment_list(const Scenario& scenario, const Cluster& cluster);

// Shared by the lists.

constexpr const char* k_created = "2026-10-06T07:00:07Z";
constexpr const char* k_resource_version = "48219377";
constexpr const char* k_imex_claim = "compute-domain-channel";

/// The engine's container, of a pod's spec or of a component's podTemplate.
void write_engine_container(Json& json,
                            const Scenario& scenario,
                            const Component& component,
                            const Place& place);

/// The resources a container of the component asks for.
Pairs resource_limits(const Component& component);

} // namespace di::kubesim::scenarios
