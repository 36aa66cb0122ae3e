#include "kube/decode_items.hpp"
#include "kube/decode_json.hpp"

#include <fmt/format.h>

#include <array>

namespace di::kube {
namespace {

using json::Json;

model::EnvEntry decode_env(const Json& entry) {
    model::EnvEntry decoded;
    decoded.name = json::text(entry, "name");
    // The server leaves out an empty value; only valueFrom means that it is elsewhere.
    if (json::member(entry, "valueFrom").IsNull()) {
        decoded.value = json::text(entry, "value");
    }
    return decoded;
}

model::Container decode_container(const Json& container) {
    model::Container decoded;
    decoded.name = json::text(container, "name");
    decoded.image = json::text(container, "image");
    decoded.command = json::texts(json::member(container, "command"));
    decoded.args = json::texts(json::member(container, "args"));
    for (const Json* entry : json::elements(json::member(container, "env"))) {
        decoded.env.push_back(decode_env(*entry));
    }
    const Json& resources = json::member(container, "resources");
    decoded.limits = json::string_map(json::member(resources, "limits"));
    decoded.limits.merge(json::string_map(json::member(resources, "requests")));
    for (const Json* claim : json::elements(json::member(resources, "claims"))) {
        if (auto name = json::text(*claim, "name"); !name.empty()) {
            decoded.claims.push_back(std::move(name));
        }
    }
    decoded.privileged = json::flag(json::member(container, "securityContext"), "privileged");
    return decoded;
}

/// How a container ended: "OOMKilled, exit code 137"; "" when `terminated` says nothing.
std::string describe_end(const Json& terminated) {
    std::string words = json::text(terminated, "reason");
    if (const auto code = json::number(terminated, "exitCode")) {
        words += fmt::format("{}exit code {}", words.empty() ? "" : ", ", *code);
    }
    return words;
}

model::ContainerStatus decode_status(const Json& status) {
    using model::ContainerPhase;
    static constexpr std::array<std::pair<std::string_view, ContainerPhase>, 3> k_phases = {{
        {"running", ContainerPhase::running},
        {"terminated", ContainerPhase::terminated},
        {"waiting", ContainerPhase::waiting},
    }};
    model::ContainerStatus decoded;
    decoded.name = json::text(status, "name");
    const Json& state = json::member(status, "state");
    if (state.IsObject()) {
        decoded.phase = ContainerPhase::waiting; // api/core/v1: the default of an empty state
    }
    for (const auto& [key, phase] : k_phases) {
        const Json& detail = json::member(state, key);
        if (!detail.IsObject()) {
            continue;
        }
        decoded.phase = phase;
        decoded.reason = json::text(detail, "reason");
        decoded.message = json::text(detail, "message");
        decoded.exit_code = json::number(detail, "exitCode");
        break;
    }
    decoded.last_end = describe_end(json::member(json::member(status, "lastState"), "terminated"));
    decoded.restarts = json::number(status, "restartCount").value_or(0);
    decoded.ready = json::flag(status, "ready");
    return decoded;
}

std::vector<model::ContainerStatus> decode_statuses(const Json& list) {
    std::vector<model::ContainerStatus> decoded;
    for (const Json* status : json::elements(list)) {
        decoded.push_back(decode_status(*status));
    }
    return decoded;
}

} // namespace

model::Pod decode_pod(const Json& item) {
    const Json& metadata = json::member(item, "metadata");
    const Json& spec = json::member(item, "spec");
    const Json& status = json::member(item, "status");
    model::Pod pod;
    pod.ns = json::text(metadata, "namespace");
    pod.name = json::text(metadata, "name");
    pod.labels = json::string_map(json::member(metadata, "labels"));
    pod.annotations = json::string_map(json::member(metadata, "annotations"));
    pod.deleting = !json::text(metadata, "deletionTimestamp").empty();
    pod.node = json::text(spec, "nodeName");
    pod.host_network = json::flag(spec, "hostNetwork");
    pod.host_pid = json::flag(spec, "hostPID");
    for (const Json* container : json::elements(json::member(spec, "containers"))) {
        pod.containers.push_back(decode_container(*container));
    }
    pod.pod_ip = json::text(status, "podIP");
    pod.phase = json::text(status, "phase");
    pod.reason = json::text(status, "reason");
    pod.message = json::text(status, "message");
    pod.statuses = decode_statuses(json::member(status, "containerStatuses"));
    pod.init_statuses = decode_statuses(json::member(status, "initContainerStatuses"));
    pod.conditions = json::conditions(json::member(status, "conditions"));
    return pod;
}

} // namespace di::kube
