// Shapes: ai-dynamo/dynamo deploy/operator/api/{v1alpha1,v1beta1}, k8s.io/api, kubernetes-sigs/lws
// api/leaderworkerset/v1, ai-dynamo/grove operator/api/core/v1alpha1.
#include "recipe/kinds.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>

namespace di::recipe {
namespace {

using model::VarSource;

std::string first_text(const Node& node, std::initializer_list<std::string_view> keys) {
    for (const auto key : keys) {
        if (auto value = text(node, key); !value.empty()) {
            return value;
        }
    }
    return "";
}

void add_layer(PodTemplate& pod, const Node& owner, VarSource source) {
    for (const auto key : {"envs", "env"}) {
        if (const auto* entries = owner.find(key)) {
            pod.env.push_back({entries->get(), source});
        }
    }
}

/// A component of a graph, in either version's spelling.
PodTemplate component(const std::string& name, const Node& spec) {
    PodTemplate pod;
    pod.component = name;
    pod.is_graph = true;
    pod.place = &spec;
    pod.type = to_lower(first_text(spec, {"type", "componentType"}));
    const auto sub_type = to_lower(text(spec, "subComponentType"));
    if (pod.type.empty() || pod.type == "worker") {
        pod.type = sub_type.empty() ? pod.type : sub_type;
    }
    pod.multi_node = parse_unsigned(text(member(spec, "multinode"), "nodeCount")).value_or(1) > 1;
    const auto& extra = member(spec, "extraPodSpec");
    const bool alpha = extra.kind == NodeKind::map || spec.find("componentType") != nullptr;
    pod.pod_spec = alpha ? &extra : &member(spec, {"podTemplate", "spec"});
    pod.labels = alpha ? &member(spec, {"extraPodMetadata", "labels"})
                       : &member(spec, {"podTemplate", "metadata", "labels"});
    const auto* main = extra.find("mainContainer");
    pod.main = main == nullptr ? nullptr : main->get();
    pod.resources = &member(spec, "resources");
    if (auto secret = text(spec, "envFromSecret"); !secret.empty()) {
        pod.secrets.push_back(std::move(secret));
    }
    return pod;
}

std::vector<PodTemplate> of_graph(const Node& spec) {
    std::vector<PodTemplate> pods;
    for (const auto& [name, service] : member(spec, "services").members) {
        pods.push_back(component(name, *service));
    }
    for (const auto& entry : member(spec, "components").items) {
        pods.push_back(component(text(*entry, "name"), *entry));
    }
    for (auto& pod : pods) {
        pod.framework = text(spec, "backendFramework");
        add_layer(pod, spec, VarSource::graph_env);
        add_layer(pod, *pod.place, VarSource::literal);
    }
    return pods;
}

PodTemplate plain(std::string name, const Node& place, const Node& pod_template) {
    PodTemplate pod;
    pod.component = std::move(name);
    pod.place = &place;
    pod.pod_spec = &member(pod_template, "spec");
    pod.labels = &member(pod_template, {"metadata", "labels"});
    return pod;
}

std::vector<PodTemplate> of_leader_worker_set(const Object& object) {
    const auto& templates = member(*object.node, {"spec", "leaderWorkerTemplate"});
    const auto size = parse_unsigned(text(templates, "size")).value_or(1);
    const auto& worker = member(templates, "workerTemplate");
    const auto* leader = templates.find("leaderTemplate");
    std::vector<PodTemplate> pods;
    pods.push_back(
        plain(object.name + "/leader", *object.node, leader == nullptr ? worker : **leader));
    if (size > 1) {
        pods.push_back(plain(object.name + "/worker", *object.node, worker));
    }
    for (auto& pod : pods) {
        pod.multi_node = size > 1;
    }
    return pods;
}

std::vector<PodTemplate> of_clique_set(const Object& object) {
    std::vector<PodTemplate> pods;
    for (const auto& clique : member(*object.node, {"spec", "template", "cliques"}).items) {
        auto pod = plain(object.name + "/" + text(*clique, "name"), *clique, *clique);
        pod.pod_spec = &member(*clique, {"spec", "podSpec"});
        pod.labels = &member(*clique, "labels");
        pods.push_back(std::move(pod));
    }
    return pods;
}

bool has_pod_template(const std::string& kind) {
    static constexpr std::array<std::string_view, 4> k_kinds = {
        "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"};
    return std::find(k_kinds.begin(), k_kinds.end(), kind) != k_kinds.end();
}

} // namespace

bool is_graph_kind(const Object& object) {
    return object.kind == "DynamoGraphDeployment" || object.kind == "DynamoComponentDeployment";
}

std::vector<PodTemplate> templates_of(const Object& object) {
    const auto& spec = member(*object.node, "spec");
    if (object.kind == "DynamoGraphDeployment") {
        return of_graph(spec);
    }
    if (object.kind == "DynamoComponentDeployment") {
        const auto named = first_text(spec, {"serviceName", "componentName", "name"});
        auto pod = component(named.empty() ? object.name : named, spec);
        pod.framework = text(spec, "backendFramework");
        add_layer(pod, spec, VarSource::literal);
        return {std::move(pod)};
    }
    if (object.kind == "LeaderWorkerSet") {
        return of_leader_worker_set(object);
    }
    if (object.kind == "PodCliqueSet") {
        return of_clique_set(object);
    }
    if (object.kind == "Pod") {
        return {plain(object.name, *object.node, *object.node)};
    }
    if (has_pod_template(object.kind)) {
        return {plain(object.name, *object.node, member(spec, "template"))};
    }
    return {};
}

} // namespace di::recipe
