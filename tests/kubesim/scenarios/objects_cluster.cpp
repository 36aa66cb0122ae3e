// Nodes, events and the DynamoGraphDeployment (ai-dynamo/dynamo deploy/operator/api/v1alpha1,
// v1beta1).
#include "base/strings.hpp"
#include "kubesim/scenarios/json.hpp"
#include "kubesim/scenarios/objects.hpp"
#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim::scenarios {
namespace {

void write_env(Json& json, const std::vector<EnvVar>& env) {
    json.array("env", [&] {
        for (const auto& variable : env) {
            json.object([&] {
                json.text("name", variable.name);
                if (!variable.field_path.empty()) {
                    json.object("valueFrom", [&] {
                        json.object("fieldRef", [&] {
                            json.text("apiVersion", "v1");
                            json.text("fieldPath", variable.field_path);
                        });
                    });
                } else if (!variable.secret.empty()) {
                    json.object("valueFrom", [&] {
                        json.object("secretKeyRef", [&] {
                            json.text("name", variable.secret);
                            json.text("key", variable.name);
                        });
                    });
                } else {
                    json.text("value", variable.value);
                }
            });
        }
    });
}

void write_ports(Json& json) {
    json.array("ports", [&] {
        for (const auto& [name, number] : {std::pair("system", 9090), std::pair("nixl", 19090)}) {
            json.object([&, port = name, value = number] {
                json.text("name", port);
                json.number("containerPort", value);
                json.text("protocol", "TCP");
            });
        }
    });
}

Pairs node_labels(const PlacedNode& node) {
    Pairs labels = {{"kubernetes.io/arch",
                     node.host != nullptr && node.host->arch == "aarch64" ? "arm64" : "amd64"},
                    {"kubernetes.io/hostname", node.name},
                    {"kubernetes.io/os", "linux"}};
    if (node.host == nullptr) {
        return labels;
    }
    const Gpus& gpus = node.host->gpus;
    std::string product = gpus.product;
    std::replace(product.begin(), product.end(), ' ', '-');
    labels.emplace_back("nvidia.com/gpu.count", std::to_string(gpus.per_node));
    labels.emplace_back("nvidia.com/gpu.present", "true");
    labels.emplace_back("nvidia.com/gpu.product", product);
    if (node.host->imex) {
        labels.emplace_back("nvidia.com/gpu.clique",
                            fmt::format("{}.{}", gpus.cluster_uuid, gpus.clique));
    }
    return labels;
}

void write_node_status(Json& json, const PlacedNode& node) {
    Pairs capacity = {{"cpu", "192"}, {"memory", "2063Gi"}, {"pods", "110"}};
    if (node.host != nullptr) {
        capacity.emplace_back("nvidia.com/gpu", std::to_string(node.host->gpus.per_node));
        if (node.host->rdma.devices > 0) {
            capacity.emplace_back(node.host->rdma.resource, "64");
        }
    }
    json.object("status", [&] {
        json.map("capacity", capacity);
        json.map("allocatable", capacity);
        json.array("conditions", [&] {
            json.object([&] {
                json.text("type", "Ready");
                json.text("status", "True");
                json.text("reason", "KubeletReady");
                json.text("message", "kubelet is posting ready status");
                json.text("lastHeartbeatTime", "2026-10-06T07:20:00Z");
                json.text("lastTransitionTime", "2026-10-06T07:00:30Z");
            });
        });
        json.array("addresses", [&] {
            for (const auto& [type, address] :
                 Pairs{{"InternalIP", node.address}, {"Hostname", node.name}}) {
                json.object([&, kind = type, value = address] {
                    json.text("type", kind);
                    json.text("address", value);
                });
            }
        });
        json.map("nodeInfo",
                 {{"architecture",
                   node.host != nullptr && node.host->arch == "aarch64" ? "arm64" : "amd64"},
                  {"operatingSystem", "linux"},
                  {"kernelVersion", node.host != nullptr ? node.host->kernel : "6.8.0-64-generic"},
                  {"osImage", "Ubuntu 24.04.3 LTS"},
                  {"containerRuntimeVersion", "containerd://2.1.4"},
                  {"kubeletVersion", "v1.34.2"},
                  {"kubeProxyVersion", ""},
                  {"machineID", ""},
                  {"systemUUID", ""},
                  {"bootID", ""}});
    });
}

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

void write_event(Json& json, const PlacedPod& pod, std::size_t number) {
    json.object([&] {
        json.object("metadata", [&] {
            json.text("name", fmt::format("{}.{}", pod.place.pod, hex(pod.place.pod, 16)));
            json.text("namespace", k_namespace);
            json.text("uid", uuid("event/" + pod.place.pod));
            json.text("resourceVersion", std::to_string(48219000 + number));
            json.text("creationTimestamp", "2026-10-06T07:19:41Z");
        });
        json.object("involvedObject", [&] {
            json.text("kind", "Pod");
            json.text("namespace", k_namespace);
            json.text("name", pod.place.pod);
            json.text("uid", uuid("pod/" + pod.place.pod));
            json.text("apiVersion", "v1");
            json.text("fieldPath", "spec.containers{main}");
        });
        json.text("reason", "BackOff");
        json.text("message",
                  fmt::format("Back-off restarting failed container main in pod {}_{}({})",
                              pod.place.pod,
                              k_namespace,
                              uuid("pod/" + pod.place.pod)));
        json.object("source", [&] { json.text("component", "kubelet"); });
        json.text("firstTimestamp", "2026-10-06T07:02:00Z");
        json.text("lastTimestamp", "2026-10-06T07:19:41Z");
        json.number("count", 71);
        json.text("type", "Warning");
    });
}

} // namespace

Pairs resource_limits(const Component& component) {
    const Rdma& rdma = component.host.rdma;
    Pairs limits = {{"nvidia.com/gpu", std::to_string(component.host.gpus.count)}};
    if (rdma.devices > 0) {
        // One slot of the shared device plugin opens every HCA; the others count devices.
        limits.emplace_back(rdma.resource,
                            rdma.fabric == Fabric::infiniband ? "1" : std::to_string(rdma.granted));
    }
    return limits;
}

void write_engine_container(Json& json,
                            const Scenario& scenario,
                            const Component& component,
                            const Place& place) {
    json.object([&] {
        json.text("name", "main");
        json.text("image", component.image.reference);
        json.texts("command", container_command(component));
        json.texts("args", container_args(component, place.rank));
        write_ports(json);
        write_env(json, container_env(scenario, component, place));
        Pairs requests = {{"cpu", "16"}, {"memory", "256Gi"}};
        const Pairs limits = resource_limits(component);
        requests.insert(requests.end(), limits.begin(), limits.end());
        json.object("resources", [&] {
            json.map("limits", limits);
            json.map("requests", requests);
            if (component.host.imex) {
                json.array("claims", [&] {
                    json.object([&] { json.text("name", "compute-domain-channel"); });
                });
            }
        });
        json.array("volumeMounts", [&] {
            json.object([&] {
                json.text("name", "shared-memory");
                json.text("mountPath", "/dev/shm");
            });
        });
        json.text("terminationMessagePath", "/dev/termination-log");
        json.text("terminationMessagePolicy", "File");
        json.text("imagePullPolicy", "IfNotPresent");
        json.object("securityContext",
                    [&] { json.object("capabilities", [&] { json.texts("add", {"IPC_LOCK"}); }); });
    });
}

std::string node_list(const Cluster& cluster) {
    Json json;
    json.object([&] {
        json.text("kind", "NodeList");
        json.text("apiVersion", "v1");
        json.object("metadata", [&] { json.text("resourceVersion", k_resource_version); });
        json.array("items", [&] {
            for (const auto& node : cluster.nodes) {
                json.object([&] {
                    json.object("metadata", [&] {
                        json.text("name", node.name);
                        json.text("uid", uuid("node/" + node.name));
                        json.text("resourceVersion", "48209001");
                        json.text("creationTimestamp", "2026-10-06T07:00:01Z");
                        json.map("labels", node_labels(node));
                    });
                    json.map("spec", {{"providerID", "sim://zone-1/" + node.name}});
                    write_node_status(json, node);
                });
            }
        });
    });
    return json.take();
}

std::string event_list(const Cluster& cluster) {
    Json json;
    json.object([&] {
        json.text("kind", "EventList");
        json.text("apiVersion", "v1");
        json.object("metadata", [&] { json.text("resourceVersion", k_resource_version); });
        json.array("items", [&] {
            std::size_t number = 0;
            for (const auto& pod : cluster.pods) {
                if (pod.crashing) {
                    write_event(json, pod, ++number);
                }
            }
        });
    });
    return json.take();
}

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
