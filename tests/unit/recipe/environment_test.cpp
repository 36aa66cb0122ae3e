// What a component's engine gets, by the ways in which Kubernetes and shells give it.
#include "base/strings.hpp"
#include "support/manifests.hpp"

namespace di::test {
namespace {

using model::VarSource;

struct EnvCase {
    std::string what;
    std::string manifest;
    std::string variable;
    std::string value;
    VarSource source = VarSource::literal;
};

std::string config_map(const std::string& name, const std::string& data) {
    return "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata:\n" + data;
}

/// A main container that runs a script.
std::string script(const std::string& lines) {
    return graph_with("          command: [/bin/bash, -c]\n          args:\n          - |\n" +
                      lines);
}

std::vector<EnvCase> entry_cases() {
    return {
        {"a literal", graph_with_env("          - {name: UCX_TLS, value: rc}\n"), "UCX_TLS", "rc"},
        {"an empty value", graph_with_env("          - {name: UCX_TLS}\n"), "UCX_TLS", ""},
        {"an expansion of an earlier entry",
         graph_with_env("          - {name: HCA, value: mlx5_3}\n"
                        "          - {name: UCX_NET_DEVICES, value: '$(HCA):1'}\n"),
         "UCX_NET_DEVICES",
         "mlx5_3:1"},
        {"an expansion of a later entry stays as it is written",
         graph_with_env("          - {name: UCX_NET_DEVICES, value: '$(HCA):1'}\n"
                        "          - {name: HCA, value: mlx5_3}\n"),
         "UCX_NET_DEVICES",
         "? a placeholder that is filled in later: $(HCA):1"},
        {"the pod's own address",
         graph_with_env("          - name: VLLM_NIXL_SIDE_CHANNEL_HOST\n"
                        "            valueFrom: {fieldRef: {fieldPath: status.podIP}}\n"),
         "VLLM_NIXL_SIDE_CHANNEL_HOST",
         "? status.podIP",
         VarSource::value_from},
        {"the pod's own address by another variable",
         graph_with_env("          - name: POD_IP\n"
                        "            valueFrom: {fieldRef: {fieldPath: status.podIP}}\n"
                        "          - {name: VLLM_NIXL_SIDE_CHANNEL_HOST, value: $(POD_IP)}\n"),
         "VLLM_NIXL_SIDE_CHANNEL_HOST",
         "? status.podIP"},
        {"another field",
         graph_with_env("          - name: UCX_TLS\n"
                        "            valueFrom: {fieldRef: {fieldPath: metadata.name}}\n"),
         "UCX_TLS",
         "? from the pod's metadata.name",
         VarSource::value_from},
        {"a Secret",
         graph_with_env("          - name: UCX_IB_PKEY\n"
                        "            valueFrom: {secretKeyRef: {name: s, key: k}}\n"),
         "UCX_IB_PKEY",
         "? from Secret s",
         VarSource::value_from},
        {"an expansion of a Secret",
         graph_with_env("          - name: KEY\n"
                        "            valueFrom: {secretKeyRef: {name: s, key: k}}\n"
                        "          - {name: UCX_IB_PKEY, value: $(KEY)}\n"),
         "UCX_IB_PKEY",
         "? from what is not known"},
        {"a value that is a list",
         graph_with_env("          - {name: UCX_TLS, value: [rc, cuda]}\n"),
         "UCX_TLS",
         "? a list or mapping where a text must stand"},
        {"a name that is no transport variable",
         graph_with_env("          - {name: HF_TOKEN, value: x}\n"),
         "HF_TOKEN",
         "-"},
        {"a credential under a transport variable's name",
         graph_with_env("          - {name: UCX_TLS, value: hf_abcdefghijklmnop}\n"),
         "UCX_TLS",
         "? withheld: it reads like a credential"},
    };
}

std::vector<EnvCase> config_map_cases() {
    const auto by_key = graph_with_env("          - name: UCX_TLS\n"
                                       "            valueFrom:\n"
                                       "              configMapKeyRef: {name: m, key: tls}\n");
    const auto whole = graph_with("          command: [python3, -m, dynamo.vllm]\n"
                                  "          envFrom:\n"
                                  "          - {prefix: UCX_, configMapRef: {name: m}}\n");
    return {
        {"one key",
         by_key + config_map("m", "  tls: rc\n"),
         "UCX_TLS",
         "rc",
         VarSource::config_map},
        {"a dollar in a ConfigMap is no expansion",
         by_key + config_map("m", "  tls: rc$$\n"),
         "UCX_TLS",
         "rc$$",
         VarSource::config_map},
        {"a key that is not there",
         by_key + config_map("m", "  other: rc\n"),
         "UCX_TLS",
         "? from key tls of ConfigMap m, which has none such",
         VarSource::value_from},
        {"an absent ConfigMap",
         by_key,
         "UCX_TLS",
         "? from ConfigMap m, which is not among the files",
         VarSource::value_from},
        {"every key, with a prefix",
         whole + config_map("m", "  TLS: rc\n"),
         "UCX_TLS",
         "rc",
         VarSource::env_from},
        {"an entry beats envFrom",
         whole + "          env: [{name: UCX_TLS, value: dc}]\n" + config_map("m", "  TLS: rc\n"),
         "UCX_TLS",
         "dc"},
        {"the ConfigMap of another namespace is another one",
         by_key + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: n}\ndata: {tls: rc}\n",
         "UCX_TLS",
         "? from ConfigMap m, which is not among the files",
         VarSource::value_from},
    };
}

std::vector<EnvCase> script_cases() {
    const std::string run = "            exec python3 -m dynamo.vllm\n";
    return {
        {"an export",
         script("            export UCX_TLS=rc\n" + run),
         "UCX_TLS",
         "rc",
         VarSource::args},
        {"an assignment in front of the command",
         script("            UCX_TLS=tcp python3 -m dynamo.vllm\n"),
         "UCX_TLS",
         "tcp",
         VarSource::args},
        {"env in front of the command",
         graph_with("          command: [env, UCX_TLS=tcp, python3, -m, dynamo.vllm]\n"),
         "UCX_TLS",
         "tcp",
         VarSource::command},
        {"env behind exec",
         script("            exec env UCX_TLS=tcp python3 -m dynamo.vllm\n"),
         "UCX_TLS",
         "tcp",
         VarSource::args},
        {"env takes a variable away",
         graph_with("          command: [/usr/bin/env, -u, UCX_TLS, python3, -m, dynamo.vllm]\n"
                    "          env: [{name: UCX_TLS, value: tcp}]\n"),
         "UCX_TLS",
         "-"},
        {"unset takes a variable away",
         script("            unset UCX_TLS\n" + run) +
             "          env: [{name: UCX_TLS, value: tcp}]\n",
         "UCX_TLS",
         "-"},
        {"a variable that is not exported",
         script("            UCX_TLS=tcp\n" + run),
         "UCX_TLS",
         "-"},
        {"a branch that may not be taken",
         script("            if [ -e /dev/x ]; then export UCX_TLS=tcp; fi\n" + run),
         "UCX_TLS",
         "? set in a branch of the script",
         VarSource::args},
        {"the output of a command",
         script("            export UCX_NET_DEVICES=$(ls /sys/class/infiniband)\n" + run),
         "UCX_NET_DEVICES",
         "? a placeholder that is filled in later: $(ls /sys/class/infiniband)",
         VarSource::args},
        {"a default in the script",
         script("            export UCX_TLS=${UCX_TLS:-rc}\n" + run),
         "UCX_TLS",
         "rc",
         VarSource::args},
        {"a comment in the script", script("            # UCX_TLS=tcp\n" + run), "UCX_TLS", "-"},
        {"the variable of another command",
         script("            UCX_TLS=tcp ucx_info -v\n" + run),
         "UCX_TLS",
         "-"},
    };
}

void check(const std::vector<EnvCase>& cases) {
    for (const auto& test : cases) {
        CAPTURE(test.what);
        const ManifestFolder folder({{"deploy.yaml", test.manifest}});
        const auto read = folder.read();
        const auto& prefill = component(read, "Prefill");
        CHECK(value(prefill, test.variable) == test.value);
        if (test.value != "-") {
            CHECK(to_string(prefill.vars.at(test.variable).source) == to_string(test.source));
        }
    }
}

} // namespace

TEST_CASE("an entry of env gives what the kubelet would give", "[recipe]") {
    check(entry_cases());
}

TEST_CASE("ConfigMaps give what the API server would resolve", "[recipe]") {
    check(config_map_cases());
}

TEST_CASE("a shell text that starts the engine has the last word", "[recipe]") {
    check(script_cases());
}

TEST_CASE("layers of a graph win in the operator's order", "[recipe]") {
    const std::string alpha = R"(apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: g}
spec:
  envs: [{name: UCX_TLS, value: a}, {name: NIXL_LOG_LEVEL, value: a}, {name: FI_PROVIDER, value: a}]
  services:
    P:
      componentType: worker
      subComponentType: prefill
      envs: [{name: UCX_TLS, value: b}, {name: NIXL_LOG_LEVEL, value: b}]
      extraPodSpec:
        mainContainer:
          command: [python3, -m, dynamo.vllm]
          env: [{name: UCX_TLS, value: c}]
)";
    const ManifestFolder folder({{"deploy.yaml", alpha}});
    const auto read = folder.read();
    const auto& prefill = component(read, "P");
    CHECK(value(prefill, "UCX_TLS") == "c");
    CHECK(value(prefill, "NIXL_LOG_LEVEL") == "b");
    CHECK(value(prefill, "FI_PROVIDER") == "a");
    CHECK(prefill.vars.at("NIXL_LOG_LEVEL").source == VarSource::literal);
    CHECK(prefill.vars.at("FI_PROVIDER").source == VarSource::graph_env);
    CHECK(rows(read).empty());
}

TEST_CASE("a value that Kubernetes refuses is named at its line", "[recipe]") {
    struct Case {
        std::string written;
        bool is_text;
    };

    const auto test = GENERATE(values<Case>({{"n", false},
                                             {"yes", false},
                                             {"On", false},
                                             {"true", false},
                                             {"1", false},
                                             {"0x10", false},
                                             {"1_000", false},
                                             {"1e3", false},
                                             {"'n'", true},
                                             {"\"1\"", true},
                                             {"!!str 1", true},
                                             {"try", true},
                                             {"mlx5_0:1", true},
                                             {"", true}}));
    CAPTURE(test.written);
    const ManifestFolder folder(
        {{"deploy.yaml",
          graph_with_env("          - name: UCX_IB_GPU_DIRECT_RDMA\n            value: " +
                         test.written + "\n")}});
    const auto read = folder.read();
    CHECK(contains(rows(read), "FILE-003") != test.is_text);
    const int line = component(read, "Prefill").vars.at("UCX_IB_GPU_DIRECT_RDMA").place.line;
    CHECK(line == (test.written.empty() ? 14 : 15)); // where nothing is written, the entry counts
}

TEST_CASE("a name that stands twice in one list is named; in two layers it is not", "[recipe]") {
    const ManifestFolder folder({{"deploy.yaml",
                                  graph_with_env("          - {name: UCX_TLS, value: rc}\n"
                                                 "          - {name: UCX_TLS, value: tcp}\n")}});
    const auto read = folder.read();
    CHECK(value(component(read, "Prefill"), "UCX_TLS") == "tcp");
    CHECK(contains(rows(read), "FILE-004 Prefill: UCX_TLS"));
}

TEST_CASE("an absent ConfigMap behind envFrom is named, an optional one and a Secret are not",
          "[recipe]") {
    struct Case {
        std::string from;
        bool named;
    };

    const auto test = GENERATE(values<Case>({{"configMapRef: {name: m}", true},
                                             {"configMapRef: {name: m, optional: true}", false},
                                             {"secretRef: {name: m}", false}}));
    CAPTURE(test.from);
    const ManifestFolder folder({{"deploy.yaml",
                                  graph_with("          command: [python3, -m, dynamo.vllm]\n"
                                             "          envFrom: [{" +
                                             test.from + "}]\n")}});
    CHECK(contains(rows(folder.read()), "FILE-005") == test.named);
}

TEST_CASE("of several ConfigMaps of one name the nearest counts", "[recipe]") {
    const auto user = graph_with_env("          - name: UCX_TLS\n"
                                     "            valueFrom:\n"
                                     "              configMapKeyRef: {name: m, key: tls}\n");
    const ManifestFolder folder({{"a/deploy.yaml", user},
                                 {"a/map.yaml", config_map("m", "  tls: rc\n")},
                                 {"b/map.yaml", config_map("m", "  tls: tcp\n")},
                                 {"c/deploy.yaml", user}});
    CHECK(value(component(folder.read("a"), "Prefill"), "UCX_TLS") == "rc");
    const auto all = folder.read();
    REQUIRE(all.components.size() == 2);
    CHECK(value(all.components[0], "UCX_TLS") == "rc");
    CHECK(value(all.components[1], "UCX_TLS") ==
          "? from ConfigMap m, of which several lie equally near");
}

} // namespace di::test
