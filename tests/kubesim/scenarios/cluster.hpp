// Which pod runs where: a scenario's workers placed on nodes.
#pragma once

#include "base/result.hpp"
#include "kubesim/scenarios/container.hpp"
#include "kubesim/scenarios/vocabulary.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace di::kubesim::scenarios {

struct PlacedNode {
    std::string name;
    std::string address;
    const Host* host = nullptr; ///< none: a node without GPUs
};

struct PlacedPod {
    Place place;                          ///< its name among them
    std::string generate_name;            ///< the name without its last letters
    const Component* component = nullptr; ///< none: the frontend
    std::size_t node = 0;                 ///< index in Cluster::nodes
    std::string address;
    bool crashing = false;
};

/// Refers to the scenario it was made from.
struct Cluster {
    std::vector<PlacedNode> nodes; ///< by name
    std::vector<PlacedPod> pods;   ///< by name
};

/// `scenario` with as many replicas as make `pods` workers. Errors: usage.
Result<Scenario> with_pods(Scenario scenario, std::size_t pods);

Cluster place(const Scenario& scenario);

/// The Deployment, PodClique or scaling group of a component: what its pods' names begin with.
std::string workload_name(const Scenario& scenario, const Component& component);
std::string frontend_workload_name(const Scenario& scenario);

} // namespace di::kubesim::scenarios
