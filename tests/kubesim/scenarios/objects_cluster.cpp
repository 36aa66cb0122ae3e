// Nodes and events.
#include "kubesim/scenarios/objects.hpp"
#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim::scenarios {
namespace {

const char* architecture(const PlacedNode& node) {
    return node.host != nullptr && node.host->arch == "aarch64" ? "arm64" : "amd64";
}

Pairs node_labels(const PlacedNode& node) {
    Pairs labels = {{"kubernetes.io/arch", architecture(node)},
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

Value capacity(const PlacedNode& node) {
    Pairs quantities = {{"cpu", "192"}, {"memory", "2063Gi"}, {"pods", "110"}};
    if (node.host != nullptr) {
        quantities.emplace_back("nvidia.com/gpu", std::to_string(node.host->gpus.per_node));
        quantities.emplace_back(node.host->rdma.resource, "64");
    }
    return map(quantities);
}

Value node_status(const PlacedNode& node) {
    const Object ready = {{"type", "Ready"},
                          {"status", "True"},
                          {"reason", "KubeletReady"},
                          {"message", "kubelet is posting ready status"},
                          {"lastHeartbeatTime", "2026-10-06T07:20:00Z"},
                          {"lastTransitionTime", "2026-10-06T07:00:30Z"}};
    const Object internal = {{"type", "InternalIP"}, {"address", node.address}};
    const Object hostname = {{"type", "Hostname"}, {"address", node.name}};
    const Pairs info = {
        {"architecture", architecture(node)},
        {"operatingSystem", "linux"},
        {"kernelVersion", node.host != nullptr ? node.host->kernel : "6.8.0-64-generic"},
        {"osImage", "Ubuntu 24.04.3 LTS"},
        {"containerRuntimeVersion", "containerd://2.1.4"},
        {"kubeletVersion", "v1.34.2"},
        {"kubeProxyVersion", ""},
        {"machineID", ""},
        {"systemUUID", ""},
        {"bootID", ""}};
    return Object{{"capacity", capacity(node)},
                  {"allocatable", capacity(node)},
                  {"conditions", Array{ready}},
                  {"addresses", Array{internal, hostname}},
                  {"nodeInfo", map(info)}};
}

Value node_object(const PlacedNode& node) {
    const Object metadata = {{"name", node.name},
                             {"uid", uuid("node/" + node.name)},
                             {"resourceVersion", "48209001"},
                             {"creationTimestamp", "2026-10-06T07:00:01Z"},
                             {"labels", map(node_labels(node))}};
    return Object{{"metadata", metadata},
                  {"spec", Object{{"providerID", "sim://zone-1/" + node.name}}},
                  {"status", node_status(node)}};
}

Value back_off_event(const PlacedPod& pod) {
    const std::string& name = pod.place.pod;
    const Object metadata = {{"name", fmt::format("{}.{}", name, hex(name, 16))},
                             {"namespace", k_namespace},
                             {"uid", uuid("event/" + name)},
                             {"resourceVersion", "48219001"},
                             {"creationTimestamp", "2026-10-06T07:19:41Z"}};
    const Object involved = {{"kind", "Pod"},
                             {"namespace", k_namespace},
                             {"name", name},
                             {"uid", uuid("pod/" + name)},
                             {"apiVersion", "v1"},
                             {"fieldPath", "spec.containers{main}"}};
    return Object{{"metadata", metadata},
                  {"involvedObject", involved},
                  {"reason", "BackOff"},
                  {"message",
                   fmt::format("Back-off restarting failed container main in pod {}_{}({})",
                               name,
                               k_namespace,
                               uuid("pod/" + name))},
                  {"source", Object{{"component", "kubelet"}}},
                  {"firstTimestamp", "2026-10-06T07:02:00Z"},
                  {"lastTimestamp", "2026-10-06T07:19:41Z"},
                  {"count", 71},
                  {"type", "Warning"}};
}

} // namespace

Value node_list(const Cluster& cluster) {
    Array items;
    for (const auto& node : cluster.nodes) {
        items.push_back(node_object(node));
    }
    return list("v1", "NodeList", std::move(items));
}

Value event_list(const Cluster& cluster) {
    Array items;
    for (const auto& pod : cluster.pods) {
        if (pod.crashing) {
            items.push_back(back_off_event(pod));
        }
    }
    return list("v1", "EventList", std::move(items));
}

} // namespace di::kubesim::scenarios
