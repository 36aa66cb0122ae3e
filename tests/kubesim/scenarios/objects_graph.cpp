// The DynamoGraphDeployment (ai-dynamo/dynamo deploy/operator/api/v1alpha1, v1beta1).
#include "kubesim/scenarios/objects.hpp"
#include "kubesim/scenarios/text.hpp"

#include <algorithm>

namespace di::kubesim::scenarios {
namespace {

/// v1beta1: a component with its pod template.
Value beta_component(const Component& component) {
    const Object container = {{"name", "main"},
                              {"image", component.image.reference},
                              {"command", container_command(component)},
                              {"args", container_args(component, 0)},
                              {"resources", Object{{"limits", map(resource_limits(component))}}}};
    const Object pod = {{"containers", Array{container}}};
    Object fields = {{"name", component.name},
                     {"type", to_string(component.role)},
                     {"replicas", component.replicas}};
    if (component.nodes > 1) {
        fields.emplace_back("multinode", Object{{"nodeCount", component.nodes}});
    }
    fields.emplace_back("podTemplate", Object{{"spec", pod}});
    return fields;
}

Value beta_components(const Scenario& scenario) {
    Array components = {Object{{"name", "Frontend"}, {"type", "frontend"}, {"replicas", 1}}};
    for (const auto& component : scenario.components) {
        components.push_back(beta_component(component));
    }
    return components;
}

/// v1alpha1 of the oldest operator: a map of services, without roles.
Value alpha_services(const Scenario& scenario) {
    Object services = {{"Frontend",
                        Object{{"componentType", "frontend"},
                               {"replicas", 1},
                               {"dynamoNamespace", scenario.graph}}}};
    for (const auto& component : scenario.components) {
        const Object limits = {{"gpu", std::to_string(component.host.gpus.count)}};
        services.emplace_back(component.name,
                              Object{{"componentType", "worker"},
                                     {"replicas", component.replicas},
                                     {"dynamoNamespace", scenario.graph},
                                     {"resources", Object{{"limits", limits}}}});
    }
    return services;
}

Value graph_env(const Scenario& scenario) {
    Array entries;
    for (const auto& [name, value] : scenario.env) {
        entries.push_back(Object{{"name", name}, {"value", value}});
    }
    return entries;
}

Value spec(const Scenario& scenario) {
    const bool oldest = scenario.rendered_by == Operator::oldest;
    Object fields;
    if (!scenario.env.empty()) {
        fields.emplace_back(oldest ? "envs" : "env", graph_env(scenario));
    }
    if (oldest) {
        fields.emplace_back("services", alpha_services(scenario));
        return fields;
    }
    fields.emplace_back("backendFramework", "vllm");
    fields.emplace_back("components", beta_components(scenario));
    return fields;
}

Value replica_status(const char* kind, const std::string& workload, int replicas, int ready) {
    const bool group = kind == std::string_view("PodCliqueScalingGroup");
    return Object{{"componentKind", kind},
                  {"componentNames", Array{workload}},
                  {"replicas", replicas},
                  {"updatedReplicas", replicas},
                  {group ? "availableReplicas" : "readyReplicas", ready}};
}

Value component_statuses(const Scenario& scenario) {
    const char* const kind = scenario.grove ? "PodClique" : "Deployment";
    Object statuses = {{"Frontend", replica_status(kind, frontend_workload_name(scenario), 1, 1)}};
    for (const auto& component : scenario.components) {
        statuses.emplace_back(component.name,
                              replica_status(component.nodes > 1 ? "PodCliqueScalingGroup" : kind,
                                             workload_name(scenario, component),
                                             component.replicas,
                                             component.replicas - component.crashing));
    }
    return statuses;
}

Value status(const Scenario& scenario, const Cluster& cluster) {
    const bool ready = std::none_of(cluster.pods.begin(),
                                    cluster.pods.end(),
                                    [](const PlacedPod& pod) { return pod.crashing; });
    const Object condition = {
        {"type", "Ready"},
        {"status", ready ? "True" : "False"},
        {"reason", ready ? "all_resources_are_ready" : "pods_not_ready"},
        {"message",
         ready ? "All resources are ready" : "Resources not ready: some pods are not ready"},
        {"lastTransitionTime", "2026-10-06T07:06:40Z"},
        {"observedGeneration", 3}};
    return Object{{"observedGeneration", 3},
                  {"state", ready ? "successful" : "pending"},
                  {"conditions", Array{condition}},
                  {scenario.rendered_by == Operator::oldest ? "services" : "components",
                   component_statuses(scenario)}};
}

} // namespace

Value graph_deployment_list(const Scenario& scenario, const Cluster& cluster) {
    const bool oldest = scenario.rendered_by == Operator::oldest;
    const char* const version = oldest ? "nvidia.com/v1alpha1" : "nvidia.com/v1beta1";
    Pairs annotations = {{"nvidia.com/dynamo-operator-origin-version", oldest ? "0.4.0" : "1.3.1"}};
    if (!scenario.grove) {
        annotations.emplace_back("nvidia.com/enable-grove", "false");
    }
    const Object metadata = {{"name", scenario.graph},
                             {"namespace", k_namespace},
                             {"uid", uuid("graph/" + scenario.graph)},
                             {"resourceVersion", "48200417"},
                             {"generation", 3},
                             {"creationTimestamp", "2026-10-06T07:00:02Z"},
                             {"annotations", map(annotations)}};
    const Object graph = {{"apiVersion", version},
                          {"kind", "DynamoGraphDeployment"},
                          {"metadata", metadata},
                          {"spec", spec(scenario)},
                          {"status", status(scenario, cluster)}};
    return list(version, "DynamoGraphDeploymentList", {graph});
}

} // namespace di::kubesim::scenarios
