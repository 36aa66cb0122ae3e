#include "base/strings.hpp"
#include "discover/candidate.hpp"

#include <map>
#include <tuple>

namespace di::discover {
namespace {

using model::Role;
using model::RoleSource;
using model::Worker;

/// Where a role may be guessed from: the component, or without one the pod.
std::string_view name_of(const Worker& worker) {
    return worker.component.empty() ? worker.pod : worker.component;
}

void assign_own_role(Candidate& candidate) {
    Worker& worker = candidate.worker;
    const auto assign = [&](Role role, RoleSource source) {
        worker.role = role;
        worker.role_source = source;
    };
    if (candidate.label_role) {
        assign(*candidate.label_role, RoleSource::label);
    } else if (candidate.argument_role == Role::worker) {
        assign(Role::worker, candidate.has_type ? RoleSource::label : RoleSource::args);
    } else if (candidate.argument_role) {
        assign(*candidate.argument_role, RoleSource::args);
    } else if (const auto named = role_of_name(name_of(worker))) {
        assign(*named, RoleSource::name);
        candidate.is_guess = true;
    } else {
        assign(Role::worker, RoleSource::label);
    }
}

bool is_declared(const Candidate& candidate) {
    return candidate.label_role || candidate.argument_role;
}

/// Ranks behind the leader often run no engine command of their own, and share its role.
void follow_leaders(std::vector<Candidate>& candidates) {
    std::map<std::string, const Candidate*> leaders;
    for (const Candidate& candidate : candidates) {
        if (candidate.worker.group && candidate.worker.rank == 0) {
            leaders.emplace(*candidate.worker.group, &candidate);
        }
    }
    for (Candidate& candidate : candidates) {
        Worker& worker = candidate.worker;
        const auto found = worker.group ? leaders.find(*worker.group) : leaders.end();
        if (found == leaders.end() || found->second == &candidate) {
            continue;
        }
        const Candidate& leader = *found->second;
        if (!is_declared(candidate) && is_declared(leader) && worker.role != leader.worker.role) {
            worker.role = leader.worker.role;
            worker.role_source = RoleSource::group;
            candidate.is_guess = false;
        }
        if (worker.backend == model::Backend::unknown) {
            worker.backend = leader.worker.backend;
        }
    }
}

/// What is known of the untyped workers of one graph.
struct Untyped {
    bool has_type = false;
    bool has_prefill_flag = false;
    bool has_decode = false;
};

using GraphId = std::pair<std::string, std::string>;

GraphId graph_of(const Worker& worker) {
    return {worker.ns, model::graph_key(worker.graph, worker.dynamo_namespace)};
}

/// Before roles had labels, recipes put a flag on the prefill engine and none on the decode engine.
void pair_flagless_engines(std::vector<Candidate>& candidates) {
    std::map<GraphId, Untyped> graphs;
    for (const Candidate& candidate : candidates) {
        Untyped& graph = graphs[graph_of(candidate.worker)];
        graph.has_type = graph.has_type || candidate.has_type;
        graph.has_prefill_flag = graph.has_prefill_flag || candidate.argument_role == Role::prefill;
        graph.has_decode = graph.has_decode || candidate.worker.role == Role::decode;
    }
    for (Candidate& candidate : candidates) {
        Worker& worker = candidate.worker;
        const Untyped& graph = graphs[graph_of(worker)];
        const bool has_graph = worker.graph || !worker.dynamo_namespace.empty();
        const bool is_flagless = worker.role == Role::worker && !is_declared(candidate);
        if (has_graph && !graph.has_type && graph.has_prefill_flag && !graph.has_decode &&
            is_flagless && candidate.runs_engine) {
            worker.role = Role::decode;
            worker.role_source = RoleSource::group;
            candidate.is_guess = true;
        }
    }
}

} // namespace

std::optional<Role> role_of_name(std::string_view name) {
    const bool prefill = contains_ignoring_case(name, "prefill");
    const bool decode = contains_ignoring_case(name, "decode");
    if (prefill == decode) {
        return std::nullopt;
    }
    return prefill ? Role::prefill : Role::decode;
}

void assign_roles(std::vector<Candidate>& candidates) {
    for (Candidate& candidate : candidates) {
        assign_own_role(candidate);
    }
    pair_flagless_engines(candidates);
    follow_leaders(candidates);
}

} // namespace di::discover
