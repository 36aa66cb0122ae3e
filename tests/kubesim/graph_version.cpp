#include "kubesim/graph_version.hpp"

#include "kubesim/json.hpp"

#include <array>
#include <utility>

namespace di::kubesim {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 2> k_renamed{
    {{"type", "componentType"}, {"env", "envs"}}};

/// The member's value, taken out of the object; null when there is none.
JsonValue take(JsonValue& object, const char* name) {
    JsonValue value;
    if (object.HasMember(name)) {
        value.Swap(object[name]);
        object.EraseMember(name);
    }
    return value;
}

/// `podTemplate.spec` as `extraPodSpec`, where the main container stands apart.
JsonValue make_extra_pod_spec(JsonValue& spec, rapidjson::Document::AllocatorType& allocator) {
    JsonValue extra(rapidjson::kObjectType);
    JsonValue containers = take(spec, "containers");
    if (!containers.IsArray()) {
        containers.SetArray();
    }
    for (auto* container = containers.Begin(); container != containers.End(); ++container) {
        if (text_at(*container, {"name"}) == "main") {
            extra.AddMember("mainContainer", *container, allocator);
            containers.Erase(container);
            break;
        }
    }
    if (!containers.Empty()) {
        spec.AddMember("containers", containers, allocator);
    }
    for (auto& member : spec.GetObject()) {
        extra.AddMember(member.name, member.value, allocator);
    }
    return extra;
}

/// One component of the list as a value of the map.
JsonValue make_service(JsonValue& component, rapidjson::Document::AllocatorType& allocator) {
    JsonValue service(component, allocator);
    service.EraseMember("name");
    for (const auto& [beta, alpha] : k_renamed) {
        if (service.HasMember(beta)) {
            service.AddMember(rapidjson::StringRef(alpha), take(service, beta), allocator);
        }
    }
    // v1alpha1 knows prefill and decode as kinds of worker only.
    const auto type = text_at(service, {"componentType"});
    if (type == "prefill" || type == "decode") {
        service["componentType"] = "worker";
        service.AddMember("subComponentType", JsonValue(type.c_str(), allocator), allocator);
    }
    JsonValue pod_template = take(service, "podTemplate");
    if (pod_template.IsObject() && pod_template.HasMember("spec")) {
        service.AddMember(
            "extraPodSpec", make_extra_pod_spec(pod_template["spec"], allocator), allocator);
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
    if (JsonValue env = take(spec, "env"); env.IsArray()) {
        spec.AddMember("envs", env, allocator);
    }
    JsonValue services(rapidjson::kObjectType);
    for (auto& component : spec["components"].GetArray()) {
        const auto name = text_at(component, {"name"});
        services.AddMember(
            JsonValue(name.c_str(), allocator), make_service(component, allocator), allocator);
    }
    spec.EraseMember("components");
    spec.AddMember("services", services, allocator);
    return to_json(graph);
}

} // namespace di::kubesim
