// The DynamoGraphDeployment (ai-dynamo/dynamo deploy/operator/api/v1alpha1, v1beta1).
#include "kubesim/scenarios/json.hpp"
#include "kubesim/scenarios/objects.hpp"
#include "kubesim/scenarios/text.hpp"

#include <algorithm>

namespace di::kubesim::scenarios {
namespace {

/// v1beta1: a list of components with a pod template each.
void write_beta_components(Json& json, const Scenario& scenario) {
    json.array("components", [&] {
        json.object([&] {
            json.text("name", "Frontend");
            json.text("type", "frontend");
            json.number("replicas", 1);
        });
        for (const auto& component : scenario.components) {
            json.object([&] {
                json.text("name", component.name);
                json.text("type", to_string(component.role));
                json.number("replicas", component.replicas);
                if (component.nodes > 1) {
                    json.object("multinode", [&] { json.number("nodeCount", component.nodes); });
                }
                json.object("podTemplate", [&] {
                    json.object("spec", [&] {
                        json.array("containers", [&] {
                            json.object([&] {
                                json.text("name", "main");
                                json.text("image", component.image.reference);
                                json.texts("command", container_command(component));
                                json.texts("args", container_args(component, 0));
                                json.object("resources", [&] {
                                    json.map("limits", resource_limits(component));
                                });
                            });
                        });
                    });
                });
            });
        }
    });
}

/// v1alpha1 of the oldest operator: a map of services, without roles.
void write_alpha_services(Json& json, const Scenario& scenario) {
    json.object("services", [&] {
        json.object("Frontend", [&] {
            json.text("componentType", "frontend");
            json.number("replicas", 1);
            json.text("dynamoNamespace", scenario.graph);
        });
        for (const auto& component : scenario.components) {
            json.object(component.name, [&] {
                json.text("componentType", "worker");
                json.number("replicas", component.replicas);
                json.text("dynamoNamespace", scenario.graph);
                json.object("resources", [&] {
                    json.map("limits", {{"gpu", std::to_string(component.host.gpus.count)}});
                });
            });
        }
    });
}

void write_graph_env(Json& json, const Scenario& scenario, const char* key) {
    if (scenario.env.empty()) {
        return;
    }
    json.array(key, [&] {
        for (const auto& [name, value] : scenario.env) {
            json.object([&, variable = name, text = value] {
                json.text("name", variable);
                json.text("value", text);
            });
        }
    });
}

void write_component_status(Json& json,
                            const Scenario& scenario,
                            const std::string& name,
                            const Component* component) {
    const int replicas = component == nullptr ? 1 : component->replicas;
    const bool group = component != nullptr && component->nodes > 1;
    const std::string workload =
        component == nullptr ? scenario.graph + (scenario.grove ? "-0-frontend" : "-frontend")
                             : workload_name(scenario, *component);
    json.object(name, [&] {
        json.text("componentKind",
                  group            ? "PodCliqueScalingGroup"
                  : scenario.grove ? "PodClique"
                                   : "Deployment");
        json.texts("componentNames", {workload});
        json.number("replicas", replicas);
        json.number("updatedReplicas", replicas);
        json.number(group ? "availableReplicas" : "readyReplicas",
                    replicas - (component == nullptr ? 0 : component->crashing));
    });
}

void write_graph_status(Json& json, const Scenario& scenario, bool ready) {
    json.object("status", [&] {
        json.number("observedGeneration", 3);
        json.text("state", ready ? "successful" : "pending");
        json.array("conditions", [&] {
            json.object([&] {
                json.text("type", "Ready");
                json.text("status", ready ? "True" : "False");
                json.text("reason", ready ? "all_resources_are_ready" : "pods_not_ready");
                json.text("message",
                          ready ? "All resources are ready"
                                : "Resources not ready: some pods are not ready");
                json.text("lastTransitionTime", "2026-10-06T07:06:40Z");
                json.number("observedGeneration", 3);
            });
        });
        json.object(scenario.rendered_by == Operator::oldest ? "services" : "components", [&] {
            write_component_status(json, scenario, "Frontend", nullptr);
            for (const auto& component : scenario.components) {
                write_component_status(json, scenario, component.name, &component);
            }
        });
    });
}

} // namespace

std::string graph_deployment_list(const Scenario& scenario, const Cluster& cluster) {
    const bool oldest = scenario.rendered_by == Operator::oldest;
    const char* version = oldest ? "nvidia.com/v1alpha1" : "nvidia.com/v1beta1";
    const bool ready = std::none_of(cluster.pods.begin(),
                                    cluster.pods.end(),
                                    [](const PlacedPod& pod) { return pod.crashing; });
    Json json;
    json.object([&] {
        json.text("apiVersion", version);
        json.array("items", [&] {
            json.object([&] {
                json.text("apiVersion", version);
                json.text("kind", "DynamoGraphDeployment");
                json.object("metadata", [&] {
                    json.text("name", scenario.graph);
                    json.text("namespace", k_namespace);
                    json.text("uid", uuid("graph/" + scenario.graph));
                    json.text("resourceVersion", "48200417");
                    json.number("generation", 3);
                    json.text("creationTimestamp", "2026-10-06T07:00:02Z");
                    Pairs annotations = {
                        {"nvidia.com/dynamo-operator-origin-version", oldest ? "0.4.0" : "1.3.1"}};
                    if (!scenario.grove) {
                        annotations.emplace_back("nvidia.com/enable-grove", "false");
                    }
                    json.map("annotations", annotations);
                });
                json.object("spec", [&] {
                    if (oldest) {
                        write_graph_env(json, scenario, "envs");
                        write_alpha_services(json, scenario);
                        return;
                    }
                    json.text("backendFramework", "vllm");
                    write_graph_env(json, scenario, "env");
                    write_beta_components(json, scenario);
                });
                write_graph_status(json, scenario, ready);
            });
        });
        json.text("kind", "DynamoGraphDeploymentList");
        json.object("metadata", [&] {
            json.text("continue", "");
            json.text("resourceVersion", k_resource_version);
        });
    });
    return json.take();
}

} // namespace di::kubesim::scenarios
