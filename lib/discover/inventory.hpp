// From API objects to the workers of NVIDIA Dynamo: who is to be probed, who cannot be and why, how
// they form graphs, and what the objects alone decide. Pure.
#pragma once

#include "discover/label_selector.hpp"
#include "model/api_objects.hpp"
#include "model/inventory.hpp"

#include <optional>
#include <string>
#include <vector>

namespace di::discover {

/// What the user asked for. The texts of flags appear in messages as they were typed.
struct Selection {
    std::string ns{};                            ///< "" for all namespaces
    std::optional<std::string> label_selector{}; ///< -l; applied already, see ApiObjects
    std::optional<std::string> field_selector{}; ///< --field-selector; applied by the server
    std::optional<std::string> graph{};          ///< --graph
    std::vector<std::string> pods{};             ///< --pod; candidates even without Dynamo labels
    std::optional<std::string> container{};      ///< -c; entered instead of the rules' choice
    std::optional<model::Role> role{};           ///< --role
};

struct ApiObjects {
    /// With -l those that match: each is a candidate, whatever its labels.
    std::vector<model::Pod> pods;

    /// Only with -l: the pods that do not match, so that a side of a split which the selector
    /// leaves out is known, and not taken for missing. May hold all pods; those in `pods` are
    /// skipped. None: not listed.
    std::optional<std::vector<model::Pod>> unselected;

    std::vector<model::GraphDeployment> graphs;
    std::optional<model::Unseen> graphs_unseen; ///< why DynamoGraphDeployments could not be listed
};

/// Moves the pods that do not match to `unselected`: -l on a list that was taken without it.
void apply_selector(ApiObjects& objects, const LabelSelector& selector);

/// Never fails: what cannot be told is said in not_probed and checks.
model::Inventory inventory(const ApiObjects& objects, const Selection& selection);

} // namespace di::discover
