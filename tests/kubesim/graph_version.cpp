#include "kubesim/graph_version.hpp"

#include "kubesim/json.hpp"

#include <array>
#include <utility>

namespace di::kubesim {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 2> k_renamed{
    {{"type", "componentType"}, {"env", "envs"}}};

/// One component of the list as a value of the map.
JsonValue make_service(JsonValue& component, rapidjson::Document::AllocatorType& allocator) {
    JsonValue service(component, allocator);
    service.RemoveMember("name");
    for (const auto& [beta, alpha] : k_renamed) {
        if (service.HasMember(beta)) {
            JsonValue value(service[beta], allocator);
            service.RemoveMember(beta);
            service.AddMember(rapidjson::StringRef(alpha), value, allocator);
        }
    }
    // v1alpha1 knows prefill and decode as kinds of worker only.
    const auto type = text_at(service, {"componentType"});
    if (type == "prefill" || type == "decode") {
        service["componentType"] = "worker";
        service.AddMember("subComponentType", JsonValue(type.c_str(), allocator), allocator);
    }
    return service;
}

} // namespace

std::string
convert_graph(const std::string& json, std::string_view stored, std::string_view wanted) {
    if (stored != "v1beta1" || wanted != "v1alpha1") {
        return json;
    }
    rapidjson::Document graph;
    graph.Parse(json.data(), json.size());
    if (find_at(graph, {"spec", "components"}) == nullptr ||
        !graph["spec"]["components"].IsArray()) {
        return json;
    }
    auto& allocator = graph.GetAllocator();
    auto& spec = graph["spec"];
    JsonValue services(rapidjson::kObjectType);
    for (auto& component : spec["components"].GetArray()) {
        const auto name = text_at(component, {"name"});
        services.AddMember(
            JsonValue(name.c_str(), allocator), make_service(component, allocator), allocator);
    }
    spec.RemoveMember("components");
    spec.AddMember("services", services, allocator);
    return to_json(graph);
}

} // namespace di::kubesim
