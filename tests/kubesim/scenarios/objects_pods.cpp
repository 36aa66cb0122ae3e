// Pods as the Dynamo operator renders them (ai-dynamo/dynamo
// deploy/operator/internal/dynamo/graph.go).
#include "base/strings.hpp"
#include "kubesim/scenarios/json.hpp"
#include "kubesim/scenarios/objects.hpp"
#include "kubesim/scenarios/root.hpp"
#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim::scenarios {
namespace {

struct PodContext {
    const Scenario& scenario;
    const Cluster& cluster;
    const PlacedPod& pod;

    [[nodiscard]] bool is_frontend() const { return pod.component == nullptr; }

    [[nodiscard]] std::string component() const {
        return is_frontend() ? "Frontend" : pod.component->name;
    }

    [[nodiscard]] std::string image() const {
        return is_frontend() ? "nvcr.io/nvidia/ai-dynamo/dynamo-frontend:1.3.1"
                             : pod.component->image.reference;
    }

    [[nodiscard]] std::string owner() const {
        return pod.generate_name.substr(0, pod.generate_name.size() - 1);
    }
};

Pairs grove_labels(const PodContext& context) {
    const bool group = !context.is_frontend() && context.pod.component->nodes > 1;
    Pairs labels = {
        {"app.kubernetes.io/component", group ? "pcsg-podclique" : "pcs-podclique"},
        {"app.kubernetes.io/managed-by", "grove-operator"},
        {"app.kubernetes.io/name", context.owner()},
        {"app.kubernetes.io/part-of", context.scenario.graph},
        {"grove.io/pod-template-hash", template_hash(context.owner())},
        {"grove.io/podclique", context.owner()},
        {"grove.io/podclique-pod-index", std::to_string(std::max(0, context.pod.place.rank - 1))},
    };
    if (group) {
        labels.emplace_back("grove.io/podcliquescalinggroup",
                            workload_name(context.scenario, *context.pod.component));
        labels.emplace_back("grove.io/podcliquescalinggroup-replica-index",
                            std::to_string(context.pod.place.replica));
    }
    labels.emplace_back("grove.io/podcliqueset-replica-index", "0");
    labels.emplace_back("grove.io/podgang", context.scenario.graph + "-0");
    return labels;
}

Pairs newest_labels(const PodContext& context) {
    Pairs labels = context.scenario.grove ? grove_labels(context) : Pairs{};
    labels.emplace_back("nvidia.com/dynamo-component", context.component());
    if (!context.is_frontend()) {
        labels.emplace_back("nvidia.com/dynamo-component-class", "worker");
    }
    labels.emplace_back("nvidia.com/dynamo-component-type",
                        context.is_frontend() ? "frontend"
                                              : to_string(context.pod.component->role));
    labels.emplace_back("nvidia.com/dynamo-discovery-backend", "kubernetes");
    labels.emplace_back("nvidia.com/dynamo-discovery-enabled", "true");
    labels.emplace_back("nvidia.com/dynamo-graph-deployment-name", context.scenario.graph);
    labels.emplace_back("nvidia.com/dynamo-namespace", dynamo_namespace(context.scenario));
    const bool hashed = !context.scenario.grove && !context.is_frontend();
    if (hashed) {
        labels.emplace_back("nvidia.com/dynamo-worker-hash", worker_hash(context.scenario));
    }
    labels.emplace_back("nvidia.com/metrics-enabled", "true");
    labels.emplace_back("nvidia.com/selector",
                        fmt::format("{}-{}{}",
                                    context.scenario.graph,
                                    to_lower(context.component()),
                                    hashed ? "-" + worker_hash(context.scenario) : ""));
    return labels;
}

/// ai-dynamo/dynamo deploy/cloud/operator/internal/consts/consts.go of 0.4.
Pairs oldest_labels(const PodContext& context) {
    return {{"nvidia.com/dynamo-component", context.component()},
            {"nvidia.com/dynamo-deployment-target-type", "production"},
            {"nvidia.com/dynamo-namespace", context.scenario.graph},
            {"nvidia.com/selector",
             fmt::format("{}-{}", context.scenario.graph, to_lower(context.component()))}};
}

void write_metadata(Json& json, const PodContext& context) {
    json.object("metadata", [&] {
        const std::string& name = context.pod.place.pod;
        json.text("name", name);
        json.text("generateName", context.pod.generate_name);
        json.text("namespace", k_namespace);
        json.text("uid", uuid("pod/" + name));
        json.text("resourceVersion", std::to_string(48210000 + hash(name) % 9000));
        json.text("creationTimestamp", k_created);
        Pairs labels = context.scenario.rendered_by == Operator::oldest ? oldest_labels(context)
                                                                        : newest_labels(context);
        if (!context.scenario.grove) {
            labels.emplace_back(
                "pod-template-hash",
                template_hash(context.owner().substr(0, context.owner().rfind('-'))));
        }
        json.map("labels", labels);
        if (!context.is_frontend()) {
            json.map(
                "annotations",
                {{"kubesim.dev/root", root_name(*context.pod.component, context.pod.place.rank)}});
        }
        json.array("ownerReferences", [&] {
            json.object([&] {
                json.text("apiVersion", context.scenario.grove ? "grove.io/v1alpha1" : "apps/v1");
                json.text("kind", context.scenario.grove ? "PodClique" : "ReplicaSet");
                json.text("name", context.owner());
                json.text("uid", uuid("owner/" + context.owner()));
                json.truth("controller", true);
                json.truth("blockOwnerDeletion", true);
            });
        });
    });
}

void write_frontend_container(Json& json, const PodContext& context) {
    json.object([&] {
        json.text("name", "main");
        json.text("image", context.image());
        json.texts("command", {"python3", "-m", "dynamo.frontend"});
        json.texts("args", {"--http-port", "8000"});
        json.object("resources", [&] { json.map("requests", {{"cpu", "4"}, {"memory", "8Gi"}}); });
        json.text("terminationMessagePath", "/dev/termination-log");
        json.text("terminationMessagePolicy", "File");
        json.text("imagePullPolicy", "IfNotPresent");
    });
}

void write_sidecar(Json& json) {
    json.object([&] {
        json.text("name", "istio-proxy");
        json.text("image", "docker.io/istio/proxyv2:1.28.3");
        json.texts("args", {"proxy", "sidecar"});
        json.object("resources", [&] {
            json.map("requests", {{"cpu", "100m"}, {"memory", "128Mi"}});
        });
        json.text("imagePullPolicy", "IfNotPresent");
    });
}

/// Dynamic resource allocation: the ComputeDomain's channel is how an IMEX channel gets into a pod.
void write_claims(Json& json, const PodContext& context) {
    json.array("resourceClaims", [&] {
        json.object([&] {
            json.text("name", k_imex_claim);
            json.text("resourceClaimTemplateName", context.scenario.graph + "-compute-domain");
        });
    });
}

void write_spec(Json& json, const PodContext& context) {
    json.object("spec", [&] {
        json.array("volumes", [&] {
            json.object([&] {
                json.text("name", "shared-memory");
                json.object("emptyDir", [&] {
                    json.text("medium", "Memory");
                    json.text("sizeLimit", "8Gi");
                });
            });
        });
        json.array("containers", [&] {
            if (context.is_frontend()) {
                write_frontend_container(json, context);
                return;
            }
            if (context.scenario.sidecar) {
                write_sidecar(json);
            }
            write_engine_container(
                json, context.scenario, *context.pod.component, context.pod.place);
        });
        if (!context.is_frontend() && context.pod.component->host.imex) {
            write_claims(json, context);
        }
        json.text("restartPolicy", "Always");
        json.number("terminationGracePeriodSeconds", 60);
        json.text("dnsPolicy", "ClusterFirst");
        json.text("serviceAccountName", "default");
        json.text("nodeName", context.cluster.nodes[context.pod.node].name);
        json.object("securityContext", [&] { json.number("fsGroup", 1000); });
        json.text("schedulerName", "default-scheduler");
        json.number("priority", 0);
        json.truth("enableServiceLinks", true);
        json.text("preemptionPolicy", "PreemptLowerPriority");
    });
}

void write_conditions(Json& json, const PodContext& context) {
    json.array("conditions", [&] {
        for (const char* type : {"PodReadyToStartContainers",
                                 "Initialized",
                                 "Ready",
                                 "ContainersReady",
                                 "PodScheduled"}) {
            const bool unready = context.pod.crashing && contains(type, "Ready") &&
                                 type != std::string_view("PodReadyToStartContainers");
            json.object([&] {
                json.text("type", type);
                json.text("status", unready ? "False" : "True");
                json.null("lastProbeTime");
                json.text("lastTransitionTime", k_created);
                if (unready) {
                    json.text("reason", "ContainersNotReady");
                    json.text("message", "containers with unready status: [main]");
                }
            });
        }
    });
}

void write_crash(Json& json, const PodContext& context, const std::string& id) {
    json.object("state", [&] {
        json.object("waiting", [&] {
            json.text("reason", "CrashLoopBackOff");
            json.text("message",
                      fmt::format("back-off 5m0s restarting failed container=main pod={0}_{1}({2})",
                                  context.pod.place.pod,
                                  k_namespace,
                                  uuid("pod/" + context.pod.place.pod)));
        });
    });
    json.object("lastState", [&] {
        json.object("terminated", [&] {
            json.number("exitCode", 1);
            json.text("reason", "Error");
            json.text(
                "message",
                "RuntimeError: NIXL_ERR_BACKEND: failed to ucp_mem_map: Cannot allocate memory");
            json.text("startedAt", "2026-10-06T07:19:02Z");
            json.text("finishedAt", "2026-10-06T07:19:40Z");
            json.text("containerID", id);
        });
    });
}

void write_container_status(Json& json,
                            const PodContext& context,
                            const std::string& name,
                            const std::string& image) {
    const std::string id = "containerd://" + hex(context.pod.place.pod + name, 64);
    const bool crashing = context.pod.crashing && name == "main";
    json.object([&] {
        json.text("name", name);
        if (crashing) {
            write_crash(json, context, id);
        } else {
            json.object("state", [&] {
                json.object("running", [&] { json.text("startedAt", k_created); });
            });
            json.object("lastState", [] {});
        }
        json.truth("ready", !crashing);
        json.number("restartCount", crashing ? 11 : 0);
        json.text("image", image);
        json.text("imageID", image.substr(0, image.rfind(':')) + "@sha256:" + hex(image, 64));
        json.truth("started", !crashing);
        json.text("containerID", id);
    });
}

void write_status(Json& json, const PodContext& context) {
    const std::string& host = context.cluster.nodes[context.pod.node].address;
    json.object("status", [&] {
        json.text("phase", "Running");
        write_conditions(json, context);
        json.text("hostIP", host);
        json.array("hostIPs", [&] { json.object([&] { json.text("ip", host); }); });
        json.text("podIP", context.pod.address);
        json.array("podIPs", [&] { json.object([&] { json.text("ip", context.pod.address); }); });
        json.text("startTime", k_created);
        json.array("containerStatuses", [&] {
            if (context.scenario.sidecar && !context.is_frontend()) {
                write_container_status(
                    json, context, "istio-proxy", "docker.io/istio/proxyv2:1.28.3");
            }
            write_container_status(json, context, "main", context.image());
        });
        json.text("qosClass", "Burstable");
    });
}

} // namespace

std::string pod_list(const Scenario& scenario, const Cluster& cluster) {
    Json json;
    json.object([&] {
        json.text("kind", "PodList");
        json.text("apiVersion", "v1");
        json.object("metadata", [&] { json.text("resourceVersion", k_resource_version); });
        json.array("items", [&] {
            for (const auto& pod : cluster.pods) {
                const PodContext context{scenario, cluster, pod};
                json.object([&] {
                    write_metadata(json, context);
                    write_spec(json, context);
                    write_status(json, context);
                });
            }
        });
    });
    return json.take();
}

} // namespace di::kubesim::scenarios
