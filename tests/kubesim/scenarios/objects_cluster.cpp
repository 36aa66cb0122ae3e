// Nodes and events.
#include "kubesim/scenarios/json.hpp"
#include "kubesim/scenarios/objects.hpp"
#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim::scenarios {
namespace {

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

} // namespace di::kubesim::scenarios
