#include "kubesim/scenarios/container.hpp"

#include "base/strings.hpp"
#include "kubesim/scenarios/scenarios.hpp"
#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

namespace di::kubesim::scenarios {
namespace {

EnvVar literal(std::string name, std::string value) {
    return {std::move(name), std::move(value), "", ""};
}

EnvVar field(std::string name, std::string path) {
    return {std::move(name), "", std::move(path), ""};
}

/// What the operator injects (ai-dynamo/dynamo deploy/operator, component_worker.go and graph.go).
void add_operator_env(std::vector<EnvVar>& env,
                      const Scenario& scenario,
                      const Component& component) {
    for (auto& [name, value] : Pairs{
             {"DYN_NAMESPACE", dynamo_namespace(scenario)},
             {"DYN_COMPONENT", component.name},
             {"DYN_DISCOVERY_BACKEND", "kubernetes"},
             {"DYN_PARENT_DGD_K8S_NAME", scenario.graph},
             {"DYN_PARENT_DGD_K8S_NAMESPACE", k_namespace},
             {"DYN_SYSTEM_ENABLED", "true"},
             {"DYN_SYSTEM_PORT", "9090"},
             {"DYN_SYSTEM_USE_ENDPOINT_HEALTH_STATUS", "[\"generate\"]"},
             {"DYN_HEALTH_CHECK_ENABLED", "false"},
             {"NIXL_TELEMETRY_ENABLE", "n"},
             {"NIXL_TELEMETRY_EXPORTER", "prometheus"},
             {"NIXL_TELEMETRY_PROMETHEUS_PORT", "19090"},
         }) {
        env.push_back(literal(name, value));
    }
    env.push_back(field("POD_NAME", "metadata.name"));
    env.push_back(field("POD_NAMESPACE", "metadata.namespace"));
    env.push_back(field("POD_UID", "metadata.uid"));
    if (!scenario.grove) {
        env.push_back(literal("DYN_NAMESPACE_WORKER_SUFFIX", worker_hash(scenario)));
    }
}

/// ai-dynamo/grove operator/api/common/constants.
void add_grove_env(std::vector<EnvVar>& env,
                   const Scenario& scenario,
                   const Component& component,
                   const Place& place) {
    const std::string role = to_lower(component.name);
    const std::string group = fmt::format("{}-0-{}", scenario.graph, role);
    const std::string clique =
        fmt::format("{}-{}-{}-{}", group, place.replica, role, place.rank == 0 ? "ldr" : "wkr");
    env.push_back(literal("GROVE_PCS_NAME", scenario.graph));
    env.push_back(literal("GROVE_PCS_INDEX", "0"));
    env.push_back(literal("GROVE_PCLQ_NAME", clique));
    env.push_back(field("GROVE_PCLQ_POD_INDEX", "metadata.labels['grove.io/podclique-pod-index']"));
    env.push_back(literal("GROVE_HEADLESS_SERVICE",
                          fmt::format("{}-0.{}.svc.cluster.local", scenario.graph, k_namespace)));
    env.push_back(literal("GROVE_PCSG_NAME", group));
    env.push_back(literal("GROVE_PCSG_INDEX", std::to_string(place.replica)));
    env.push_back(literal("GROVE_PCSG_TEMPLATE_NUM_PODS", std::to_string(component.nodes)));
}

/// The operator of 0.4 knew little.
void add_oldest_env(std::vector<EnvVar>& env,
                    const Scenario& scenario,
                    const Component& component) {
    env.push_back(literal("DYN_NAMESPACE", scenario.graph));
    env.push_back(literal("DYN_COMPONENT", component.name));
    env.push_back(literal("DYNAMO_PORT", "8000"));
    env.push_back(literal("NATS_SERVER", "nats://dynamo-nats:4222"));
    env.push_back(literal("ETCD_ENDPOINTS", "dynamo-etcd:2379"));
}

std::string resolved(const EnvVar& variable, const Place& place) {
    if (variable.field_path.empty()) {
        return variable.value;
    }
    if (variable.field_path == "metadata.namespace") {
        return k_namespace;
    }
    if (variable.field_path == "metadata.uid") {
        return uuid("pod/" + place.pod);
    }
    return variable.field_path == "metadata.name" ? place.pod : "0";
}

/// The vllm-runtime image's own ENV, as far as transport cares.
Pairs image_env() {
    return {
        {"PATH",
         "/opt/dynamo/venv/bin:/usr/local/ucx/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/"
         "bin:/sbin:/bin"},
        {"LD_LIBRARY_PATH",
         "/opt/nvidia/nvda_nixl/lib64:/usr/local/ucx/lib:/usr/local/nvidia/lib64"},
        {"NIXL_PLUGIN_DIR", "/opt/nvidia/nvda_nixl/lib64/plugins"},
        {"NVIDIA_VISIBLE_DEVICES", "all"},
        {"NVIDIA_DRIVER_CAPABILITIES", "compute,utility"},
        {"HOME", "/home/dynamo"},
    };
}

} // namespace

const std::vector<std::string>& planted_secrets() {
    static const std::vector<std::string> secrets = {
        "hf_plantedQwErTyUiOpAsDfGhJkLzXcVbNm",
        "plantedAwsSecretKey/bPxRfiCYEXAMPLEKEY",
        "planted-minio-password",
        "planted-etcd-password",
        "planted-kvbm-secret-key",
    };
    return secrets;
}

std::string worker_hash(const Scenario& scenario) {
    return hex("generation/" + scenario.graph, 8);
}

std::string dynamo_namespace(const Scenario& scenario) {
    return fmt::format("{}-{}", k_namespace, scenario.graph);
}

std::vector<EnvVar>
container_env(const Scenario& scenario, const Component& component, const Place& place) {
    std::vector<EnvVar> env;
    for (const auto& [name, value] : scenario.env) {
        env.push_back(literal(name, value));
    }
    if (scenario.rendered_by == Operator::oldest) {
        add_oldest_env(env, scenario, component);
    } else {
        add_operator_env(env, scenario, component);
    }
    if (scenario.grove) {
        add_grove_env(env, scenario, component, place);
    }
    env.push_back({"HF_TOKEN", "", "", "hf-token-secret"});
    return env;
}

std::vector<std::string> engine_argv(const Component& component, int rank) {
    std::vector<std::string> argv = {"python3", "-m", "dynamo.vllm"};
    argv.insert(argv.end(), component.engine.arguments.begin(), component.engine.arguments.end());
    if (component.nodes > 1) {
        argv.insert(
            argv.end(),
            {"--nnodes", std::to_string(component.nodes), "--node-rank", std::to_string(rank)});
        if (rank > 0) {
            argv.emplace_back("--headless");
        }
    }
    return argv;
}

std::vector<std::string> container_command(const Component& component) {
    return component.image.shell == Shell::none
               ? std::vector<std::string>{"python3", "-m", "dynamo.vllm"}
               : std::vector<std::string>{"/bin/sh", "-c"};
}

std::vector<std::string> container_args(const Component& component, int rank) {
    const auto argv = engine_argv(component, rank);
    if (component.image.shell == Shell::none) {
        return {argv.begin() + 3, argv.end()};
    }
    const bool has_tee = component.image.shell != Shell::sh_only;
    return {shell_command(argv) + (has_tee ? " 2>&1 | tee /tmp/worker.log" : "; exit $?")};
}

Pairs process_environ(const Scenario& scenario, const Component& component, const Place& place) {
    const auto& secret = planted_secrets();
    Pairs environ = image_env();
    environ.emplace_back("HOSTNAME", place.pod);
    for (const auto& variable : container_env(scenario, component, place)) {
        if (variable.secret.empty()) {
            environ.emplace_back(variable.name, resolved(variable, place));
        }
    }
    environ.emplace_back("HF_TOKEN", secret[0]);
    environ.emplace_back("AWS_SECRET_ACCESS_KEY", secret[1]);
    environ.emplace_back("MC_HOST_models",
                         fmt::format("https://reader:{}@minio.internal:9000", secret[2]));
    environ.emplace_back("DYN_KVBM_OBJ_SECRET_KEY", secret[4]);
    // A value of several lines: read line by line, it forges variables that nobody set.
    environ.emplace_back(
        "DYN_CHAT_TEMPLATE",
        "{% for m in messages %}\nUCX_TLS=tcp\nUCX_NET_DEVICES=eth0\n{% endfor %}");
    for (const auto& variable : component.engine.exports) {
        environ.push_back(variable);
    }
    return environ;
}

} // namespace di::kubesim::scenarios
