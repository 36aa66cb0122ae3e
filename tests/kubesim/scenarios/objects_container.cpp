// The engine's container as a pod's spec has it.
#include "kubesim/scenarios/objects.hpp"

namespace di::kubesim::scenarios {
namespace {

Value env_entry(const EnvVar& variable) {
    if (!variable.field_path.empty()) {
        const Object field = {{"apiVersion", "v1"}, {"fieldPath", variable.field_path}};
        return Object{{"name", variable.name}, {"valueFrom", Object{{"fieldRef", field}}}};
    }
    if (!variable.secret.empty()) {
        const Object key = {{"name", variable.secret}, {"key", variable.name}};
        return Object{{"name", variable.name}, {"valueFrom", Object{{"secretKeyRef", key}}}};
    }
    return Object{{"name", variable.name}, {"value", variable.value}};
}

Value env(const std::vector<EnvVar>& variables) {
    Array entries;
    for (const auto& variable : variables) {
        entries.push_back(env_entry(variable));
    }
    return entries;
}

Value port(const char* name, int number) {
    return Object{{"name", name}, {"containerPort", number}, {"protocol", "TCP"}};
}

Value resources(const Component& component) {
    const Pairs limits = resource_limits(component);
    Pairs requests = {{"cpu", "16"}, {"memory", "256Gi"}};
    requests.insert(requests.end(), limits.begin(), limits.end());
    Object asked = {{"limits", map(limits)}, {"requests", map(requests)}};
    if (component.host.imex) {
        asked.emplace_back("claims", Array{Object{{"name", k_imex_claim}}});
    }
    return asked;
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

Value engine_container(const Scenario& scenario, const Component& component, const Place& place) {
    const Object memory = {{"name", "shared-memory"}, {"mountPath", "/dev/shm"}};
    const Object capabilities = {{"add", Array{"IPC_LOCK"}}};
    return Object{
        {"name", "main"},
        {"image", component.image.reference},
        {"command", container_command(component)},
        {"args", container_args(component, place.rank)},
        {"ports", Array{port("system", 9090), port("nixl", 19090)}},
        {"env", env(container_env(scenario, component, place))},
        {"resources", resources(component)},
        {"volumeMounts", Array{memory}},
        {"terminationMessagePath", "/dev/termination-log"},
        {"terminationMessagePolicy", "File"},
        {"imagePullPolicy", "IfNotPresent"},
        {"securityContext", Object{{"capabilities", capabilities}}},
    };
}

} // namespace di::kubesim::scenarios
