#include "discover/graph_view.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace di::discover {
namespace {

using model::NotProbedReason;
using model::Role;

bool is_side(Role role) {
    return role == Role::prefill || role == Role::decode;
}

bool lives(const Candidate& candidate) {
    return candidate.state.reason != NotProbedReason::completed &&
           candidate.state.reason != NotProbedReason::terminating;
}

bool declares_side(const model::GraphComponent& component) {
    const std::string type = to_lower(component.type);
    const std::string sub_type = to_lower(component.sub_type);
    return type == "prefill" || type == "decode" ||
           (type == "worker" && (sub_type == "prefill" || sub_type == "decode"));
}

/// A split is declared by a label, an argument or the graph's object; or both sides are there by
/// name. One pod that is merely called "decode" is no split: aggregated recipes have such names.
bool is_split(const GraphView& graph) {
    bool has_prefill = false;
    bool has_decode = false;
    const auto count = [&](std::optional<Role> role) {
        has_prefill = has_prefill || role == Role::prefill;
        has_decode = has_decode || role == Role::decode;
    };
    for (const Candidate* member : graph.members) {
        if (is_side(member->worker.role) && !member->is_guess) {
            return true;
        }
        count(member->worker.role);
    }
    if (graph.spec != nullptr) {
        for (const model::GraphComponent& component : graph.spec->components) {
            if (declares_side(component)) {
                return true;
            }
            count(role_of_component(component));
        }
    }
    return has_prefill && has_decode;
}

const model::GraphDeployment* find_spec(const GraphView& graph, const ApiObjects& objects) {
    for (const model::GraphDeployment& spec : objects.graphs) {
        const bool same =
            graph.name ? *graph.name == spec.name
                       : graph.dynamo_namespace == spec.name ||
                             graph.dynamo_namespace == fmt::format("{}-{}", spec.ns, spec.name);
        if (spec.ns == graph.ns && same) {
            return &spec;
        }
    }
    return nullptr;
}

bool asks_for_a_side(const model::GraphDeployment& spec) {
    return std::any_of(spec.components.begin(), spec.components.end(), [](const auto& component) {
        return declares_side(component) && component.replicas.value_or(1) > 0;
    });
}

/// True when pods may exist that nobody listed.
bool may_hide_pods(const ApiObjects& objects, const Selection& selection) {
    return selection.field_selector || (selection.label_selector && !objects.unselected);
}

/// Graphs that should have prefill and decode pods and have none. Only where no filter hides pods,
/// and where every pod names its graph.
void add_graphs_without_pods(std::vector<GraphView>& graphs,
                             const ApiObjects& objects,
                             const Selection& selection) {
    if (selection.label_selector || selection.field_selector || !selection.pods.empty() ||
        selection.role) {
        return;
    }
    for (const model::GraphDeployment& spec : objects.graphs) {
        const bool wanted = (selection.ns.empty() || selection.ns == spec.ns) &&
                            (!selection.graph || *selection.graph == spec.name);
        const bool has_pods = std::any_of(graphs.begin(), graphs.end(), [&](const auto& graph) {
            return graph.spec == &spec || (graph.ns == spec.ns && !graph.name);
        });
        if (wanted && !has_pods && asks_for_a_side(spec)) {
            GraphView graph;
            graph.ns = spec.ns;
            graph.name = spec.name;
            graph.spec = &spec;
            graph.disagg = graph.selected = true;
            graphs.push_back(std::move(graph));
        }
    }
}

} // namespace

Side GraphView::side(Role role) const {
    Side side;
    for (const Candidate* member : members) {
        if (member->worker.role != role) {
            continue;
        }
        side.seen = true;
        if (!member->state.reason) {
            side.running.push_back(member);
        } else if (lives(*member)) {
            side.waiting.push_back(member);
        }
    }
    return side;
}

std::map<Generation, bool> GraphView::generations() const {
    std::map<Generation, std::pair<bool, bool>> sides;
    for (const Candidate* member : members) {
        if (!lives(*member)) {
            continue;
        }
        auto& [prefill, decode] = sides[member->worker.generation];
        const bool runs = !member->state.reason;
        prefill = prefill || (runs && member->worker.role == Role::prefill);
        decode = decode || (runs && member->worker.role == Role::decode);
    }
    std::map<Generation, bool> generations;
    for (const auto& [generation, both] : sides) {
        generations.emplace(generation, both.first && both.second);
    }
    return generations;
}

std::string GraphView::title() const {
    if (name) {
        return *name;
    }
    return dynamo_namespace.empty() ? "(no graph)" : dynamo_namespace;
}

std::vector<GraphView> make_graphs(const std::vector<Candidate>& candidates,
                                   const ApiObjects& objects,
                                   const Selection& selection) {
    std::map<std::pair<std::string, std::string>, GraphView> by_key;
    for (const Candidate& candidate : candidates) {
        const model::Worker& worker = candidate.worker;
        GraphView& graph =
            by_key[{worker.ns, model::graph_key(worker.graph, worker.dynamo_namespace)}];
        graph.ns = worker.ns;
        graph.name = worker.graph;
        graph.dynamo_namespace = worker.dynamo_namespace;
        graph.members.push_back(&candidate);
        graph.selected = graph.selected || !candidate.filter;
    }
    std::vector<GraphView> graphs;
    for (auto& [key, graph] : by_key) {
        graph.spec = find_spec(graph, objects);
        graph.disagg = is_split(graph);
        graph.may_hide_pods = may_hide_pods(objects, selection);
        graphs.push_back(std::move(graph));
    }
    add_graphs_without_pods(graphs, objects, selection);
    return graphs;
}

std::optional<Role> role_of_component(const model::GraphComponent& component) {
    const std::string type = to_lower(component.type);
    const std::string declared = type == "worker" ? to_lower(component.sub_type) : type;
    for (const Role role : {Role::prefill, Role::decode, Role::encode}) {
        if (declared == to_string(role)) {
            return role;
        }
    }
    if (!type.empty() && type != "worker") {
        return std::nullopt;
    }
    const auto named = role_of_name(component.name);
    return named || type.empty() ? named : std::optional(Role::worker);
}

bool is_on_path(const GraphView& graph, const Candidate& candidate) {
    return graph.disagg && is_side(candidate.worker.role);
}

} // namespace di::discover
