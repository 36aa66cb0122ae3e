#include "base/strings.hpp"
#include "discover/object_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::discover {
namespace {

using model::Check;
using model::Status;

model::NextStep describe_graph(const GraphView& graph, std::string why) {
    return kubectl(graph.ns,
                   {"describe", "dynamographdeployments.nvidia.com", graph.spec->name},
                   std::move(why));
}

model::Subject subject_of(const GraphView& graph) {
    return {model::SubjectKind::graph, graph.ns, graph.spec->name};
}

/// Replicas are engines; an engine over several nodes is as many pods.
struct Count {
    std::string component;
    int replicas = 0;
    int nodes = 1;
    std::int64_t running = 0;

    [[nodiscard]] std::int64_t wanted() const { return std::int64_t{replicas} * nodes; }

    [[nodiscard]] std::string text() const {
        return nodes == 1
                   ? fmt::format("{} {} of {} replicas running", component, running, replicas)
                   : fmt::format("{} {} of {} pods running ({} replicas of {} nodes)",
                                 component,
                                 running,
                                 wanted(),
                                 replicas,
                                 nodes);
    }
};

std::vector<Count> count_components(const GraphView& graph) {
    std::vector<Count> counts;
    for (const model::GraphComponent& component : graph.spec->components) {
        if (!component.replicas || !role_of_component(component)) {
            continue;
        }
        Count count{component.name,
                    std::max(*component.replicas, 0),
                    std::max(component.nodes_per_replica.value_or(1), 1),
                    0};
        count.running =
            std::count_if(graph.members.begin(), graph.members.end(), [&](const Candidate* member) {
                return !member->state.reason &&
                       to_lower(member->worker.component) == to_lower(component.name);
            });
        counts.push_back(std::move(count));
    }
    return counts;
}

Check check_replicas(const GraphView& graph) {
    std::vector<std::string> short_of;
    model::Value facts = model::Value::array();
    for (const Count& count : count_components(graph)) {
        facts.push(model::Value::object()
                       .set("component", count.component)
                       .set("wanted", count.wanted())
                       .set("running", count.running));
        if (count.running < count.wanted()) {
            short_of.push_back(count.text());
        }
    }
    Check check = make_row(RuleId::replicas,
                           short_of.empty() ? Status::ok : Status::warn,
                           subject_of(graph),
                           short_of.empty() ? "as many workers run as the graph asks for"
                                            : join(short_of, ", "));
    check.facts.set("components", std::move(facts));
    if (!short_of.empty() && graph.may_hide_pods) {
        check.status = Status::skipped;
        check.reason = model::SkipReason::not_requested;
        check.detail += "; the selector may hide the others";
    }
    check.capability = model::Capability::coverage;
    check.advisory = !graph.disagg;
    if (!short_of.empty()) {
        check.next = describe_graph(graph, "see why replicas are missing");
    }
    return check;
}

const model::Condition* ready_condition(const model::GraphDeployment& spec) {
    const auto found =
        std::find_if(spec.conditions.begin(), spec.conditions.end(), [](const auto& condition) {
            return condition.type == "Ready";
        });
    return found == spec.conditions.end() ? nullptr : &*found;
}

/// The operator speaks of frontends too, so its word moves nothing while both sides run.
Check check_status(const GraphView& graph) {
    const model::GraphDeployment& spec = *graph.spec;
    const auto* ready = ready_condition(spec);
    const bool healthy =
        spec.state == "successful" && (ready == nullptr || ready->status != "False");
    const bool failed = spec.state == "failed";
    const auto generations = graph.generations();
    const bool runs = std::any_of(
        generations.begin(), generations.end(), [](const auto& entry) { return entry.second; });
    std::string detail = fmt::format("state {}", spec.state.empty() ? "not reported" : spec.state);
    if (ready != nullptr && !healthy) {
        detail += fmt::format(", {}: {}", ready->reason, ready->message);
    }
    if (failed && runs) {
        detail += "; both sides run nevertheless";
    }
    const bool proven = failed && !runs && !graph.may_hide_pods;
    const Status status = healthy ? Status::ok : proven ? Status::fail : Status::warn;
    Check check = make_row(RuleId::dgd_status, status, subject_of(graph), detail);
    check.evidence.push_back({"dynamographdeployments status", spec.state});
    check.advisory = !graph.disagg || status != Status::fail;
    check.capability = check.advisory ? model::Capability::none : model::Capability::coverage;
    if (!healthy) {
        check.next = describe_graph(graph, "what the operator is waiting for");
    }
    return check;
}

} // namespace

std::vector<Check> check_spec(const GraphView& graph) {
    if (graph.spec == nullptr) {
        return {};
    }
    return {check_replicas(graph), check_status(graph)};
}

Check unseen_graphs(const model::Unseen& unseen, const std::string& ns) {
    Check check = make_row(
        RuleId::replicas,
        Status::skipped,
        {model::SubjectKind::ns, ns, ns.empty() ? "all namespaces" : ns},
        fmt::format("replicas cannot be compared: DynamoGraphDeployments were not read ({})",
                    unseen.why.empty() ? to_string(unseen.reason) : std::string_view(unseen.why)));
    check.reason = unseen.reason;
    check.advisory = true;
    if (unseen.reason == model::SkipReason::not_applicable) {
        check.next = {{"kubectl", "get", "crd", "dynamographdeployments.nvidia.com"},
                      "whether the operator's API is installed"};
    } else {
        check.next = kubectl(ns,
                             {"auth", "can-i", "list", "dynamographdeployments.nvidia.com"},
                             "whether you may list them");
    }
    return check;
}

} // namespace di::discover
