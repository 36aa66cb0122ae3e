#include "kube/decode_items.hpp"
#include "kube/decode_json.hpp"

namespace di::kube {
namespace {

using json::Json;

/// `type` in v1beta1, `componentType` in v1alpha1; the other fields are named alike.
model::GraphComponent decode_component(std::string name, const Json& component) {
    model::GraphComponent decoded;
    decoded.name = std::move(name);
    decoded.type = json::text(component, "type");
    if (decoded.type.empty()) {
        decoded.type = json::text(component, "componentType");
    }
    decoded.sub_type = json::text(component, "subComponentType");
    decoded.replicas = json::number(component, "replicas");
    decoded.nodes_per_replica = json::number(json::member(component, "multinode"), "nodeCount");
    return decoded;
}

std::vector<model::GraphComponent> decode_components(const Json& spec) {
    std::vector<model::GraphComponent> decoded;
    for (const Json* component : json::elements(json::member(spec, "components"))) {
        decoded.push_back(decode_component(json::text(*component, "name"), *component));
    }
    const Json& services = json::member(spec, "services");
    if (services.IsObject()) {
        for (const auto& [key, service] : services.GetObject()) {
            decoded.push_back(decode_component({key.GetString(), key.GetStringLength()}, service));
        }
    }
    return decoded;
}

} // namespace

model::GraphDeployment decode_graph(const Json& item) {
    const Json& metadata = json::member(item, "metadata");
    const Json& spec = json::member(item, "spec");
    const Json& status = json::member(item, "status");
    model::GraphDeployment graph;
    graph.ns = json::text(metadata, "namespace");
    graph.name = json::text(metadata, "name");
    graph.framework = json::text(spec, "backendFramework");
    graph.components = decode_components(spec);
    graph.state = json::text(status, "state");
    graph.conditions = json::conditions(json::member(status, "conditions"));
    return graph;
}

} // namespace di::kube
