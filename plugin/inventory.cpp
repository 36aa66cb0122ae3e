#include "inventory.hpp"

#include "base/strings.hpp"
#include "discover/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace di::app {
namespace {

using PodName = std::pair<std::string, std::string>;

/// The server matches field selectors; what it leaves out is told apart by name.
Outcome
apply_field_selector(Session& session, const std::string& selector, discover::ApiObjects& objects) {
    auto selected = session.client.list_pods({session.ns(), "", selector});
    if (!selected.ok()) {
        return selected.error();
    }
    std::set<PodName> names;
    for (const auto& pod : selected->items) {
        names.emplace(pod.ns, pod.name);
    }
    const auto left_out =
        std::stable_partition(objects.pods.begin(), objects.pods.end(), [&](const model::Pod& pod) {
            return names.count({pod.ns, pod.name}) > 0;
        });
    if (!objects.unselected) {
        objects.unselected.emplace();
    }
    objects.unselected->insert(objects.unselected->end(),
                               std::make_move_iterator(left_out),
                               std::make_move_iterator(objects.pods.end()));
    objects.pods.erase(left_out, objects.pods.end());
    return Done{};
}

Outcome list_pods(Session& session, const cli::Selection& wanted, discover::ApiObjects& objects) {
    // Listed without the selectors: a side of a split that they leave out must not look missing.
    auto pods = session.client.list_pods({session.ns(), "", ""});
    if (!pods.ok()) {
        return pods.error();
    }
    objects.pods = std::move(pods->items);
    if (!wanted.label_selector.empty()) {
        const auto selector = discover::parse_label_selector(wanted.label_selector);
        if (!selector.ok()) {
            return selector.error();
        }
        discover::apply_selector(objects, *selector);
    }
    if (!wanted.field_selector.empty()) {
        return apply_field_selector(session, wanted.field_selector, objects);
    }
    return Done{};
}

Outcome list_graphs(Session& session, discover::ApiObjects& objects) {
    auto graphs = session.client.list_graph_deployments(session.ns());
    if (!graphs.ok()) {
        return graphs.error();
    }
    if (graphs->presence == kube::Presence::forbidden) {
        objects.graphs_unseen = model::Unseen{model::SkipReason::no_permission,
                                              "no permission to list DynamoGraphDeployments"};
    } else if (graphs->presence == kube::Presence::absent) {
        objects.graphs_unseen = model::Unseen{model::SkipReason::not_applicable,
                                              "this API server has no DynamoGraphDeployments"};
    }
    objects.graphs = std::move(graphs->listed.items);
    return Done{};
}

std::string selector_text(const cli::Selection& wanted) {
    std::vector<std::string> parts;
    if (!wanted.label_selector.empty()) {
        parts.push_back("the label selector " + wanted.label_selector);
    }
    if (!wanted.field_selector.empty()) {
        parts.push_back("the field selector " + wanted.field_selector);
    }
    if (wanted.graph) {
        parts.push_back("--graph " + *wanted.graph);
    }
    for (const auto& pod : wanted.pods) {
        parts.push_back("--pod " + pod);
    }
    if (wanted.role) {
        parts.push_back(fmt::format("--role {}", to_string(*wanted.role)));
    }
    return parts.empty() ? "a label nvidia.com/dynamo-graph-deployment-name, "
                           "nvidia.com/dynamo-component-type or nvidia.com/dynamo-component"
                         : join(parts, " and ");
}

/// A list of pods in a namespace that does not exist is simply empty, so the namespace is asked
/// for.
Error nothing_found(Session& session, const cli::Invocation& invocation) {
    const auto kubectl = shell_command(invocation.kubectl_prefix);
    const auto looked_for = "looked for pods with " + selector_text(invocation.selection);
    if (!session.ns()) {
        return {ErrorKind::not_found,
                "no Dynamo workers found in any namespace",
                "",
                looked_for,
                kubectl + " get pods -A --show-labels"};
    }
    const std::string ns = *session.ns();
    const auto presence = session.client.namespace_presence(ns);
    if (presence.ok() && *presence == kube::Presence::absent) {
        return {ErrorKind::not_found,
                fmt::format("namespace \"{}\" not found", ns),
                "",
                "",
                kubectl + " get namespaces"};
    }
    const bool known = presence.ok() && *presence == kube::Presence::present;
    const bool forbidden = presence.ok() && *presence == kube::Presence::forbidden;
    return {ErrorKind::not_found,
            fmt::format("no Dynamo workers found in namespace {}{}",
                        ns,
                        known ? "" : ", or no such namespace"),
            "",
            forbidden ? looked_for + "; no permission to get the namespace" : looked_for,
            fmt::format("{} -n {} get pods --show-labels", kubectl, ns)};
}

/// A named pod that is not there must not shrink the report in silence.
Outcome require_named_pods(const discover::ApiObjects& objects,
                           const cli::Invocation& invocation,
                           const Session& session) {
    for (const auto& name : invocation.selection.pods) {
        const auto is_it = [&](const model::Pod& pod) { return pod.name == name; };
        const bool left_out =
            objects.unselected &&
            std::any_of(objects.unselected->begin(), objects.unselected->end(), is_it);
        if (!left_out && std::none_of(objects.pods.begin(), objects.pods.end(), is_it)) {
            const auto where = session.ns() ? " in namespace " + *session.ns() : std::string();
            return Error{ErrorKind::not_found,
                         fmt::format("pod \"{}\" not found{}", name, where),
                         "",
                         "",
                         fmt::format("{}{} get pods",
                                     shell_command(invocation.kubectl_prefix),
                                     session.ns() ? " -n " + *session.ns() : " -A")};
        }
    }
    return Done{};
}

} // namespace

Result<model::Inventory> take_inventory(Session& session, const cli::Invocation& invocation) {
    const auto& wanted = invocation.selection;
    discover::ApiObjects objects;
    if (const auto listed = list_pods(session, wanted, objects); !listed.ok()) {
        return listed.error();
    }
    if (const auto named = require_named_pods(objects, invocation, session); !named.ok()) {
        return named.error();
    }
    if (const auto listed = list_graphs(session, objects); !listed.ok()) {
        return listed.error();
    }
    discover::Selection selection;
    selection.ns = session.cluster.ns;
    if (!wanted.label_selector.empty()) {
        selection.label_selector = wanted.label_selector;
    }
    if (!wanted.field_selector.empty()) {
        selection.field_selector = wanted.field_selector;
    }
    selection.graph = wanted.graph;
    selection.pods = wanted.pods;
    selection.container = wanted.container;
    selection.role = wanted.role;
    auto inventory = discover::inventory(objects, selection);
    const bool explained = std::any_of(
        inventory.not_probed.begin(), inventory.not_probed.end(), [](const model::NotProbed& pod) {
            return pod.reason != model::NotProbedReason::filtered;
        });
    if (inventory.workers.empty() && !explained) {
        return nothing_found(session, invocation);
    }
    for (auto& check : inventory.checks) {
        if (check.next && !check.next->argv.empty() && check.next->argv.front() == "kubectl") {
            auto& argv = check.next->argv; // the same cluster as ours, not the default one
            argv.erase(argv.begin());
            argv.insert(
                argv.begin(), invocation.kubectl_prefix.begin(), invocation.kubectl_prefix.end());
        }
    }
    return inventory;
}

} // namespace di::app
