// Pods as the Dynamo operator renders them (ai-dynamo/dynamo
// deploy/operator/internal/dynamo/graph.go).
#include "base/strings.hpp"
#include "kubesim/scenarios/objects.hpp"
#include "kubesim/scenarios/root.hpp"
#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim::scenarios {
namespace {

constexpr const char* k_proxy_image = "docker.io/istio/proxyv2:1.28.3";

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

Value metadata(const PodContext& context) {
    const std::string& name = context.pod.place.pod;
    Pairs labels = context.scenario.rendered_by == Operator::oldest ? oldest_labels(context)
                                                                    : newest_labels(context);
    if (!context.scenario.grove) {
        const std::string owner = context.owner();
        labels.emplace_back("pod-template-hash", owner.substr(owner.rfind('-') + 1));
    }
    const Object owner = {{"apiVersion", context.scenario.grove ? "grove.io/v1alpha1" : "apps/v1"},
                          {"kind", context.scenario.grove ? "PodClique" : "ReplicaSet"},
                          {"name", context.owner()},
                          {"uid", uuid("owner/" + context.owner())},
                          {"controller", true},
                          {"blockOwnerDeletion", true}};
    Object fields = {{"name", name},
                     {"generateName", context.pod.generate_name},
                     {"namespace", k_namespace},
                     {"uid", uuid("pod/" + name)},
                     {"resourceVersion", std::to_string(48210000 + hash(name) % 9000)},
                     {"creationTimestamp", k_created},
                     {"labels", map(labels)}};
    if (!context.is_frontend()) {
        const std::string root = root_name(*context.pod.component, context.pod.place.rank);
        fields.emplace_back("annotations", Object{{"kubesim.dev/root", root}});
    }
    fields.emplace_back("ownerReferences", Array{owner});
    return fields;
}

Value frontend_container(const PodContext& context) {
    return Object{{"name", "main"},
                  {"image", context.image()},
                  {"command", Array{"python3", "-m", "dynamo.frontend"}},
                  {"args", Array{"--http-port", "8000"}},
                  {"resources", Object{{"requests", Object{{"cpu", "4"}, {"memory", "8Gi"}}}}},
                  {"terminationMessagePath", "/dev/termination-log"},
                  {"terminationMessagePolicy", "File"},
                  {"imagePullPolicy", "IfNotPresent"}};
}

Value sidecar() {
    return Object{{"name", "istio-proxy"},
                  {"image", k_proxy_image},
                  {"args", Array{"proxy", "sidecar"}},
                  {"resources", Object{{"requests", Object{{"cpu", "100m"}, {"memory", "128Mi"}}}}},
                  {"imagePullPolicy", "IfNotPresent"}};
}

Value containers(const PodContext& context) {
    if (context.is_frontend()) {
        return Array{frontend_container(context)};
    }
    Array found;
    if (context.scenario.sidecar) {
        found.push_back(sidecar());
    }
    found.push_back(engine_container(context.scenario, *context.pod.component, context.pod.place));
    return found;
}

Value spec(const PodContext& context) {
    const Object memory = {{"medium", "Memory"}, {"sizeLimit", "8Gi"}};
    Object fields = {{"volumes", Array{Object{{"name", "shared-memory"}, {"emptyDir", memory}}}},
                     {"containers", containers(context)}};
    if (!context.is_frontend() && context.pod.component->host.imex) {
        // Dynamic resource allocation: the ComputeDomain's channel brings an IMEX channel along.
        const Object claim = {
            {"name", k_imex_claim},
            {"resourceClaimTemplateName", context.scenario.graph + "-compute-domain"}};
        fields.emplace_back("resourceClaims", Array{claim});
    }
    const Object rest = {{"restartPolicy", "Always"},
                         {"terminationGracePeriodSeconds", 60},
                         {"dnsPolicy", "ClusterFirst"},
                         {"serviceAccountName", "default"},
                         {"nodeName", context.cluster.nodes[context.pod.node].name},
                         {"securityContext", Object{{"fsGroup", 1000}}},
                         {"schedulerName", "default-scheduler"},
                         {"priority", 0},
                         {"enableServiceLinks", true},
                         {"preemptionPolicy", "PreemptLowerPriority"}};
    fields.insert(fields.end(), rest.begin(), rest.end());
    return fields;
}

Value condition(const char* type, bool crashing) {
    const std::string_view name = type;
    const bool unready = crashing && (name == "Ready" || name == "ContainersReady");
    Object fields = {{"type", type},
                     {"status", unready ? "False" : "True"},
                     {"lastProbeTime", nullptr},
                     {"lastTransitionTime", k_created}};
    if (unready) {
        fields.emplace_back("reason", "ContainersNotReady");
        fields.emplace_back("message", "containers with unready status: [main]");
    }
    return fields;
}

Value back_off(const PodContext& context) {
    const std::string& name = context.pod.place.pod;
    return Object{{"reason", "CrashLoopBackOff"},
                  {"message",
                   fmt::format("back-off 5m0s restarting failed container=main pod={}_{}({})",
                               name,
                               k_namespace,
                               uuid("pod/" + name))}};
}

Value last_run(const std::string& container_id) {
    return Object{{"exitCode", 1},
                  {"reason", "Error"},
                  {"message",
                   "RuntimeError: NIXL_ERR_BACKEND: failed to ucp_mem_map: Cannot allocate memory"},
                  {"startedAt", "2026-10-06T07:19:02Z"},
                  {"finishedAt", "2026-10-06T07:19:40Z"},
                  {"containerID", container_id}};
}

Value container_status(const PodContext& context,
                       const std::string& name,
                       const std::string& image) {
    const std::string id = "containerd://" + hex(context.pod.place.pod + name, 64);
    const bool crashing = context.pod.crashing && name == "main";
    const Object state = crashing ? Object{{"waiting", back_off(context)}}
                                  : Object{{"running", Object{{"startedAt", k_created}}}};
    return Object{{"name", name},
                  {"state", state},
                  {"lastState", crashing ? Object{{"terminated", last_run(id)}} : Object{}},
                  {"ready", !crashing},
                  {"restartCount", crashing ? 11 : 0},
                  {"image", image},
                  {"imageID", image.substr(0, image.rfind(':')) + "@sha256:" + hex(image, 64)},
                  {"started", !crashing},
                  {"containerID", id}};
}

Value status(const PodContext& context) {
    const std::string& host = context.cluster.nodes[context.pod.node].address;
    Array conditions;
    for (const char* type :
         {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
        conditions.push_back(condition(type, context.pod.crashing));
    }
    Array statuses;
    if (context.scenario.sidecar && !context.is_frontend()) {
        statuses.push_back(container_status(context, "istio-proxy", k_proxy_image));
    }
    statuses.push_back(container_status(context, "main", context.image()));
    return Object{{"phase", "Running"},
                  {"conditions", conditions},
                  {"hostIP", host},
                  {"hostIPs", Array{Object{{"ip", host}}}},
                  {"podIP", context.pod.address},
                  {"podIPs", Array{Object{{"ip", context.pod.address}}}},
                  {"startTime", k_created},
                  {"containerStatuses", statuses},
                  {"qosClass", "Burstable"}};
}

} // namespace

Value pod_list(const Scenario& scenario, const Cluster& cluster) {
    Array items;
    items.reserve(cluster.pods.size());
    for (const auto& pod : cluster.pods) {
        const PodContext context{scenario, cluster, pod};
        items.push_back(Object{
            {"metadata", metadata(context)}, {"spec", spec(context)}, {"status", status(context)}});
    }
    return list("v1", "PodList", std::move(items));
}

} // namespace di::kubesim::scenarios
