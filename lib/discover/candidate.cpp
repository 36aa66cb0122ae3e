#include "discover/candidate.hpp"

#include "base/strings.hpp"
#include "discover/command_line.hpp"
#include "discover/container_choice.hpp"
#include "discover/groups.hpp"
#include "discover/labels.hpp"
#include "discover/resources.hpp"
#include "discover/spec_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace di::discover {
namespace {

using model::Container;
using model::Pod;
using model::Role;

/// What the regular containers of a pod run.
struct Reading {
    const Container* chosen = nullptr;
    ContainerEnv env; ///< of the chosen container
    std::vector<ShellCommand> commands;
    std::optional<Role> argument_role; ///< of the chosen container, else of `main`
    bool any_engine = false;
    bool any_accelerator = false;
};

Reading read(const Pod& pod) {
    Reading reading;
    reading.chosen = choose_container(pod);
    for (const Container& container : pod.containers) {
        ContainerEnv env = read_env(container);
        std::vector<ShellCommand> commands = read_commands(container, env);
        reading.any_engine = reading.any_engine || find_engine(commands) != nullptr;
        reading.any_accelerator =
            reading.any_accelerator || asks_for_accelerator(container) || !container.claims.empty();
        const bool is_chosen = &container == reading.chosen;
        if (is_chosen || (container.name == "main" && !reading.argument_role)) {
            const auto role = role_of_arguments(commands);
            reading.argument_role = role ? role : reading.argument_role;
        }
        if (is_chosen) {
            reading.env = std::move(env);
            reading.commands = std::move(commands);
        }
    }
    return reading;
}

bool has_dynamo_label(const Pod& pod) {
    return pod.labels.count(k_graph_label) > 0 || pod.labels.count(k_type_label) > 0 ||
           pod.labels.count(k_component_label) > 0;
}

bool is_named(const Pod& pod, const Selection& selection) {
    const auto& names = selection.pods;
    return std::find(names.begin(), names.end(), pod.name) != names.end();
}

/// Frontends, planners, routers and weight servers carry the graph's labels too.
bool is_worker(const Pod& pod, const Reading& reading, const Selection& selection) {
    if (serves_gpu_memory(reading.commands) && !reading.any_engine) {
        return false;
    }
    const std::string type = to_lower(value_of(pod.labels, k_type_label));
    if (!type.empty()) {
        return type == "worker" || type == "prefill" || type == "decode";
    }
    const bool asked_for = is_named(pod, selection) && !has_dynamo_label(pod);
    return asked_for || reading.any_accelerator || reading.any_engine;
}

std::optional<Role> role_of_labels(const Pod& pod) {
    std::string declared = to_lower(value_of(pod.labels, k_type_label));
    if (declared == "worker") {
        declared = to_lower(value_of(pod.labels, k_sub_type_label));
    }
    for (const Role role : {Role::prefill, Role::decode, Role::encode}) {
        if (declared == to_string(role)) {
            return role;
        }
    }
    return std::nullopt;
}

std::optional<std::string> label(const Pod& pod, std::string_view key) {
    const std::string_view value = value_of(pod.labels, key);
    return value.empty() ? std::nullopt : std::optional(std::string(value));
}

model::SpecFacts spec_of(const Pod& pod, const Container& container, const Reading& reading) {
    auto facts = spec_facts(container, reading.env, reading.commands);
    facts.host_network = pod.host_network;
    facts.host_pid = pod.host_pid;
    return facts;
}

Candidate make_candidate(const Pod& pod, const Reading& reading, std::size_t lws_members) {
    Candidate candidate;
    candidate.pod = &pod;
    candidate.state = candidate.entry = state_of(pod, reading.chosen);
    candidate.has_type = label(pod, k_type_label).has_value();
    candidate.label_role = role_of_labels(pod);
    candidate.argument_role = reading.argument_role;
    candidate.runs_engine = reading.any_engine;
    model::Worker& worker = candidate.worker;
    worker.ns = pod.ns;
    worker.pod = pod.name;
    worker.node = pod.node;
    worker.pod_ip = pod.pod_ip;
    worker.component = std::string(value_of(pod.labels, k_component_label));
    worker.graph = label(pod, k_graph_label);
    worker.dynamo_namespace = std::string(value_of(pod.labels, k_dynamo_namespace_label));
    worker.generation = label(pod, k_generation_label);
    worker.backend = reading.chosen == nullptr
                         ? model::Backend::unknown
                         : backend_of(reading.commands, reading.chosen->image);
    if (const auto place = group_of(pod, lws_members)) {
        worker.group = place->group;
        worker.rank = place->rank;
    }
    if (reading.chosen != nullptr) {
        worker.container = reading.chosen->name;
        worker.spec = spec_of(pod, *reading.chosen, reading);
    }
    return candidate;
}

/// -c: entered whatever the rules say.
void override_container(Candidate& candidate, const std::string& name) {
    const Pod& pod = *candidate.pod;
    Reading reading;
    reading.chosen = find_container(pod, name);
    candidate.worker.container = name;
    candidate.entry = state_of(pod, reading.chosen);
    if (reading.chosen != nullptr) {
        reading.env = read_env(*reading.chosen);
        reading.commands = read_commands(*reading.chosen, reading.env);
        candidate.worker.spec = spec_of(pod, *reading.chosen, reading);
    } else if (candidate.entry.reason == model::NotProbedReason::no_container) {
        std::vector<std::string> names;
        for (const Container& other : pod.containers) {
            names.push_back(other.name);
        }
        candidate.entry.detail =
            fmt::format("no container is called {}; there are: {}", name, join(names, ", "));
    }
}

bool is_of_graph(const model::Worker& worker, const std::string& name) {
    if (worker.graph) {
        return *worker.graph == name;
    }
    // The oldest operators have no graph label, and a Dynamo namespace that is named after it.
    return worker.dynamo_namespace == name ||
           worker.dynamo_namespace == fmt::format("{}-{}", worker.ns, name);
}

class Collector {
public:
    Collector(const ApiObjects& objects, const Selection& selection)
        : selection_(selection) {
        for (const auto* list : {&objects.pods, others(objects)}) {
            for (const Pod& pod : *list) {
                lws_members_[lws_group(pod)].insert(pod.name);
            }
        }
    }

    void add(const Pod& pod, std::optional<std::string> filter) {
        const bool of_namespace = selection_.ns.empty() || pod.ns == selection_.ns;
        if (!of_namespace || !seen_.insert({pod.ns, pod.name}).second) {
            return;
        }
        const bool selected = selection_.label_selector && !filter;
        if (!selected && !has_dynamo_label(pod) && !is_named(pod, selection_)) {
            return;
        }
        const Reading reading = read(pod);
        if (!is_worker(pod, reading, selection_)) {
            return;
        }
        Candidate candidate = make_candidate(pod, reading, lws_members_[lws_group(pod)].size());
        if (selection_.container) {
            override_container(candidate, *selection_.container);
        }
        candidate.filter = std::move(filter);
        if (!candidate.filter && selection_.graph &&
            !is_of_graph(candidate.worker, *selection_.graph)) {
            candidate.filter = "--graph " + *selection_.graph;
        }
        if (!candidate.filter && !selection_.pods.empty() && !is_named(pod, selection_)) {
            candidate.filter = "--pod";
        }
        candidates.push_back(std::move(candidate));
    }

    static const std::vector<Pod>* others(const ApiObjects& objects) {
        static const std::vector<Pod> k_none;
        return objects.unselected ? &*objects.unselected : &k_none;
    }

    std::vector<Candidate> candidates;

private:
    const Selection& selection_;
    std::set<std::pair<std::string, std::string>> seen_;
    std::map<std::string, std::set<std::string>> lws_members_;
};

} // namespace

std::vector<Candidate> find_candidates(const ApiObjects& objects, const Selection& selection) {
    Collector collector(objects, selection);
    for (const Pod& pod : objects.pods) {
        collector.add(pod, std::nullopt);
    }
    for (const Pod& pod : *Collector::others(objects)) {
        collector.add(pod, "-l " + selection.label_selector.value_or(""));
    }
    auto& candidates = collector.candidates;
    assign_roles(candidates);
    for (Candidate& candidate : candidates) {
        if (!candidate.filter && selection.role && candidate.worker.role != *selection.role) {
            candidate.filter = fmt::format("--role {}", to_string(*selection.role));
        }
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return std::tie(a.worker.ns, a.worker.pod) < std::tie(b.worker.ns, b.worker.pod);
    });
    return std::move(collector.candidates);
}

} // namespace di::discover
