// The rows that API objects alone decide (rules POD-001 to POD-007). Internal to the room.
#pragma once

#include "discover/graph_view.hpp"
#include "discover/rules.hpp"

#include <string>
#include <vector>

namespace di::discover {

/// A row of that rule; its advice is a rule's, or that of a graph without a split.
model::Check make_row(RuleId id, model::Status status, model::Subject subject, std::string detail);

/// `kubectl -n NS ...`, to be pasted as it is.
model::NextStep kubectl(const std::string& ns, std::vector<std::string> words, std::string why);

/// Sides, generations, roles and the status of one selected graph.
std::vector<model::Check> check_graph(const GraphView& graph);

/// How many pods each component of one graph has, against what its object asks for.
std::vector<model::Check> check_spec(const GraphView& graph);

/// Workers of one graph, pod by pod.
std::vector<model::Check> check_pods(const GraphView& graph);

/// That DynamoGraphDeployments could not be read.
model::Check unseen_graphs(const model::Unseen& unseen, const std::string& ns);

} // namespace di::discover
