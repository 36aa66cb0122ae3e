// The engine's container as a pod's spec has it.
#include "kubesim/scenarios/json.hpp"
#include "kubesim/scenarios/objects.hpp"

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
                json.array("claims",
                           [&] { json.object([&] { json.text("name", k_imex_claim); }); });
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

} // namespace di::kubesim::scenarios
