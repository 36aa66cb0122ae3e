#include "discover/inventory.hpp"

#include "base/strings.hpp"
#include "discover/candidate.hpp"
#include "discover/graph_view.hpp"
#include "discover/object_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace di::discover {
namespace {

using model::Inventory;
using model::NotProbed;
using model::NotProbedReason;
using model::Role;

NotProbed not_probed(const Candidate& candidate, NotProbedReason reason, std::string detail) {
    const model::Worker& worker = candidate.worker;
    NotProbed left_out;
    left_out.ns = worker.ns;
    left_out.pod = worker.pod;
    left_out.container = worker.container;
    left_out.reason = reason;
    left_out.detail = std::move(detail);
    left_out.role = worker.role;
    left_out.graph = worker.graph;
    left_out.generation = worker.generation;
    left_out.dynamo_namespace = worker.dynamo_namespace;
    return left_out;
}

void place(Inventory& inventory, const Candidate& candidate) {
    const PodState& entry = candidate.entry;
    if (candidate.filter) {
        inventory.not_probed.push_back(
            not_probed(candidate, NotProbedReason::filtered, "left out by " + *candidate.filter));
    } else if (entry.reason) {
        inventory.not_probed.push_back(not_probed(candidate, *entry.reason, entry.detail));
    } else {
        inventory.workers.push_back(candidate.worker);
    }
}

std::string filters_in_words(const Selection& selection) {
    std::vector<std::string> words;
    if (selection.label_selector) {
        words.push_back("-l " + *selection.label_selector);
    }
    if (selection.field_selector) {
        words.push_back("--field-selector " + *selection.field_selector);
    }
    for (const std::string& pod : selection.pods) {
        words.push_back("--pod " + pod);
    }
    if (selection.role) {
        words.push_back(fmt::format("--role {}", to_string(*selection.role)));
    }
    return join(words, " ");
}

/// True when filters keep none of a side that is there, or that may be there unseen.
bool leaves_out(const GraphView& graph, Role role) {
    bool seen = false;
    for (const Candidate* member : graph.members) {
        if (member->worker.role == role) {
            if (!member->filter) {
                return false;
            }
            seen = true;
        }
    }
    return seen || graph.may_hide_pods;
}

std::optional<std::string> one_sided_filter(const std::vector<GraphView>& graphs,
                                            const Selection& selection) {
    std::string filters = filters_in_words(selection);
    const bool one_sided = std::any_of(graphs.begin(), graphs.end(), [&](const GraphView& graph) {
        return graph.selected && graph.disagg &&
               (leaves_out(graph, Role::prefill) || leaves_out(graph, Role::decode));
    });
    return one_sided && !filters.empty() ? std::optional(std::move(filters)) : std::nullopt;
}

void add_graph(Inventory& inventory, const GraphView& graph) {
    inventory.graphs.push_back({.ns = graph.ns,
                                .name = graph.name,
                                .disagg = graph.disagg,
                                .dynamo_namespace = graph.dynamo_namespace});
    for (auto checks : {check_graph(graph), check_spec(graph), check_pods(graph)}) {
        std::move(checks.begin(), checks.end(), std::back_inserter(inventory.checks));
    }
}

} // namespace

void apply_selector(ApiObjects& objects, const LabelSelector& selector) {
    const auto rest =
        std::stable_partition(objects.pods.begin(), objects.pods.end(), [&](const model::Pod& pod) {
            return matches(selector, pod.labels);
        });
    auto& unselected = objects.unselected.emplace();
    unselected.assign(std::make_move_iterator(rest), std::make_move_iterator(objects.pods.end()));
    objects.pods.erase(rest, objects.pods.end());
}

Inventory inventory(const ApiObjects& objects, const Selection& selection) {
    const std::vector<Candidate> candidates = find_candidates(objects, selection);
    const std::vector<GraphView> graphs = make_graphs(candidates, objects, selection);
    Inventory inventory;
    for (const Candidate& candidate : candidates) {
        place(inventory, candidate);
    }
    for (const GraphView& graph : graphs) {
        if (graph.selected) {
            add_graph(inventory, graph);
        }
    }
    if (objects.graphs_unseen && !inventory.graphs.empty()) {
        inventory.checks.push_back(unseen_graphs(*objects.graphs_unseen, selection.ns));
    }
    inventory.one_sided_filter = one_sided_filter(graphs, selection);
    return inventory;
}

} // namespace di::discover
