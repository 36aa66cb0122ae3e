// `env PATH...` from files to exit code: what an expert says of manifests beside the corpus.
#include "app.hpp"
#include "base/strings.hpp"
#include "support/manifests.hpp"

#include <sstream>

namespace di::test {
namespace {

struct Run {
    int code = 0;
    std::string out;
    std::string err;
};

Run run(const std::vector<std::string>& arguments) {
    Run result;
    const SteadyClock clock;
    app::Deps deps{.clock = clock,
                   .surroundings = {},
                   .out = [&](std::string_view text) { result.out += text; },
                   .err = [&](std::string_view text) { result.err += text; },
                   .ask = {},
                   .log_prefix = {},
                   .nonce = [] { return std::string(32, '0'); },
                   .interrupted = [] { return false; },
                   .program_name = "kubectl dynamo-interconnect",
                   .host_name = "host"};
    deps.surroundings.environment = [](const std::string&) { return std::nullopt; };
    result.code = app::run(arguments, deps);
    return result;
}

/// One side of a v1beta1 graph.
struct Side {
    std::string env;       ///< flow entries: {name: A, value: b}, ...
    std::string args;      ///< flow words behind the module
    std::string more = {}; ///< further keys of the container, in flow style
};

const std::string k_nixl = R"(--kv-transfer-config, '{"kv_connector":"NixlConnector"}')";

std::string part(const std::string& name,
                 const std::string& engine,
                 const Side& side,
                 const std::string& role) {
    return "  - name: " + name + "\n    type: " + role +
           "\n    podTemplate:\n      spec:\n        containers:\n        - name: main\n"
           "          command: [python3, -m, dynamo." +
           engine + ", --disaggregation-mode, " + role + ", " + side.args + "]\n          env: [" +
           side.env + "]\n" + (side.more.empty() ? "" : "          " + side.more + "\n");
}

std::string graph(const std::string& engine, const Side& prefill, const Side& decode) {
    return "apiVersion: nvidia.com/v1beta1\nkind: DynamoGraphDeployment\nmetadata: {name: g}\n"
           "spec:\n  components:\n" +
           part("P", engine, prefill, "prefill") + part("D", engine, decode, "decode");
}

std::string vllm(const std::string& prefill_env, const std::string& decode_env) {
    return graph("vllm", {prefill_env, k_nixl}, {decode_env, k_nixl});
}

std::string vllm_args(const std::string& prefill, const std::string& decode) {
    return graph("vllm", {"", prefill}, {"", decode});
}

std::string sglang(const std::string& backend, const std::string& env) {
    const auto args = "--disaggregation-transfer-backend, " + backend;
    return graph("sglang", {env, args}, {env, args});
}

std::string set(const std::string& name, const std::string& value) {
    return "{name: " + name + ", value: '" + value + "'}";
}

struct Verdict {
    std::string what;
    std::string manifest;
    int code;
    std::string line;      ///< that the verdict begins with
    std::string says = {}; ///< somewhere in the report
};

std::vector<Verdict> ucx_cases() {
    const auto tls = [](const std::string& prefill, const std::string& decode) {
        return vllm(set("UCX_TLS", prefill), set("UCX_TLS", decode));
    };
    const auto both = [](const std::string& name, const std::string& value) {
        return vllm(set(name, value), set(name, value));
    };
    return {
        {"nothing is set", vllm("", ""), 0, "ready: configured"},
        {"all", tls("all", "all"), 0, "ready"},
        {"an exact transport without ud",
         tls("\\rc_mlx5,cuda_copy", "\\rc_mlx5,cuda_copy"),
         0,
         "degraded",
         "wire-up may fail"},
        {"blanks in a list, which UCX does not trim",
         tls("tcp, rc,cuda_copy", "tcp, rc,cuda_copy"),
         1,
         "blocked",
         "UCX does not know  rc"},
        {"capital letters",
         tls("RC,cuda_copy,tcp", "RC,cuda_copy,tcp"),
         1,
         "blocked",
         "UCX does not know RC"},
        {"no CUDA transport", tls("rc,self", "rc,self"), 1, "blocked", "cuda_copy"},
        {"lists without a transport in common",
         tls("rc,cuda", "dc,cuda"),
         1,
         "blocked",
         "PAIR-008"},
        {"a deny list that leaves RDMA in", tls("^tcp", "^tcp"), 0, "ready"},
        {"cuda_ipc alone without a sign of NVLink between nodes",
         tls("cuda_copy,cuda_ipc,tcp", "cuda_copy,cuda_ipc,tcp"),
         1,
         "blocked"},
        {"loopback as device", both("UCX_NET_DEVICES", "lo"), 1, "blocked"},
        {"HCAs beside an interface", both("UCX_NET_DEVICES", "mlx5_0:1,eth0"), 0, "ready"},
        {"EFA device names", both("UCX_NET_DEVICES", "rdmap79s0:1"), 0, "ready"},
        {"GPUDirect off by a word", both("UCX_IB_GPU_DIRECT_RDMA", "No"), 1, "blocked"},
        {"GPUDirect left to UCX", both("UCX_IB_GPU_DIRECT_RDMA", "try"), 0, "ready"},
        {"NVLink forbidden, RDMA there", both("UCX_CUDA_IPC_ENABLE_MNNVL", "n"), 0, "ready"},
        {"a fixed GID index", both("UCX_IB_GID_INDEX", "3"), 0, "ready"},
        {"staging rendezvous",
         vllm(set("UCX_RNDV_SCHEME", "am") + ", " + set("UCX_RNDV_THRESH", "0"), ""),
         0,
         "degraded"},
        {"protocols off", both("UCX_PROTO_ENABLE", "n"), 0, "degraded"},
        {"two schemes",
         vllm(set("UCX_RNDV_SCHEME", "get_zcopy"), set("UCX_RNDV_SCHEME", "put_zcopy")),
         0,
         "degraded",
         "PAIR-016"},
        {"a variable without effect", both("UCX_IB_REG_METHODS", "odp"), 0, "ready", "ENV-011"},
        {"NCCL settings of a single node", both("NCCL_IB_DISABLE", "1"), 0, "ready"},
    };
}

std::vector<Verdict> engine_cases() {
    const std::string libfabric =
        R"(--kv-transfer-config, '{"kv_connector":"NixlConnector","kv_connector_extra_config":)"
        R"({"backends":["LIBFABRIC"]}}')";
    const std::string efa = set("FI_PROVIDER", "efa");
    return {
        {"a connector inside another",
         vllm_args(
             R"(--kv-transfer-config, '{"kv_connector":"MultiConnector",)"
             R"("kv_connector_extra_config":{"connectors":[{"kv_connector":"NixlConnector"}]}}')",
             k_nixl),
         0,
         "ready"},
        {"two connectors",
         vllm_args(k_nixl, R"(--kv-transfer-config, '{"kv_connector":"LMCacheConnectorV1"}')"),
         1,
         "blocked",
         "PAIR-018"},
        {"recomputing instead of failing",
         vllm_args(R"(--kv-transfer-config, '{"kv_connector":"NixlConnector",)"
                   R"("kv_load_failure_policy":"recompute"}')",
                   k_nixl),
         0,
         "degraded"},
        {"no connector on either side", vllm_args("-v", "-v"), 1, "blocked", "kv-transfer-config"},
        {"one backend each", vllm_args(libfabric, k_nixl), 1, "blocked", "PAIR-001"},
        {"EFA as it should be", graph("vllm", {efa, libfabric}, {efa, libfabric}), 0, "ready"},
        {"a TCP provider",
         graph("vllm", {efa, libfabric}, {set("FI_PROVIDER", "tcp"), libfabric}),
         1,
         "blocked",
         "FI_PROVIDER=tcp"},
        {"device RDMA off",
         graph("vllm",
               {efa, libfabric},
               {efa + ", " + set("FI_EFA_USE_DEVICE_RDMA", "0"), libfabric}),
         1,
         "blocked",
         "ENV-012"},
        {"Mooncake reads no UCX_TLS", sglang("mooncake", set("UCX_TLS", "tcp")), 0, "ready"},
        {"Mooncake's switch counts whatever its value",
         sglang("mooncake", set("MC_FORCE_TCP", "0")),
         1,
         "blocked",
         "MC_FORCE_TCP"},
        {"NIXL reads no Mooncake switch", sglang("nixl", set("MC_FORCE_TCP", "1")), 0, "ready"},
        {"NIXL reads UCX_TLS", sglang("nixl", set("UCX_TLS", "tcp")), 1, "blocked"},
        {"LIBFABRIC by a variable",
         sglang("nixl", set("SGLANG_DISAGGREGATION_NIXL_BACKEND", "LIBFABRIC") + ", " + efa),
         0,
         "ready"},
        {"TensorRT-LLM without any configuration",
         graph("trtllm", {"", "-v"}, {"", "-v"}),
         1,
         "blocked",
         "cache_transceiver_config"},
        {"TensorRT-LLM with a file inside the image",
         graph(
             "trtllm", {"", "--extra-engine-args, /x.yaml"}, {"", "--extra-engine-args, /x.yaml"}),
         3,
         "inconclusive",
         "/x.yaml is not among the files"},
        {"TensorRT-LLM with an argument",
         graph("trtllm",
               {"", "--trtllm.cache_transceiver_config.backend, UCX"},
               {"", "--override-engine-args, '{\"cache_transceiver_config\": {}}'"}),
         0,
         "ready"},
        {"localhost behind the node's network",
         vllm(set("VLLM_NIXL_SIDE_CHANNEL_HOST", "127.0.0.1"), ""),
         1,
         "blocked"},
    };
}

std::vector<Verdict> unknown_cases() {
    const auto from = [](const std::string& name, const std::string& source) {
        return "{name: " + name + ", valueFrom: {" + source + "}}";
    };
    const std::string absent = "configMapKeyRef: {name: m, key: k}";
    return {
        {"a list from an absent ConfigMap", vllm(from("UCX_TLS", absent), ""), 3, "inconclusive"},
        {"a log level from one", vllm(from("UCX_LOG_LEVEL", absent), ""), 0, "ready"},
        {"NCCL on one node from one", vllm(from("NCCL_IB_HCA", absent), ""), 0, "ready"},
        {"an unknown value beside a proven blocker",
         vllm(from("UCX_NET_DEVICES", absent), set("UCX_TLS", "tcp")),
         1,
         "blocked"},
        {"Mooncake's switch by reference",
         sglang("mooncake", from("MC_FORCE_TCP", "secretKeyRef: {name: s, key: k}")),
         1,
         "blocked"},
        {"the address of the node without its network",
         vllm(from("VLLM_NIXL_SIDE_CHANNEL_HOST", "fieldRef: {fieldPath: status.hostIP}"), ""),
         0,
         "degraded"},
        {"a placeholder", vllm(set("UCX_TLS", "${UCX_TLS}"), ""), 3, "inconclusive"},
        {"envFrom an absent ConfigMap",
         graph("vllm", {"", k_nixl, "envFrom: [{configMapRef: {name: m}}]"}, {"", k_nixl}),
         3,
         "inconclusive",
         "FILE-005"},
        {"envFrom a Secret",
         graph("vllm", {"", k_nixl, "envFrom: [{secretRef: {name: s}}]"}, {"", k_nixl}),
         0,
         "ready"},
    };
}

void check(const std::vector<Verdict>& cases) {
    for (const auto& test : cases) {
        CAPTURE(test.what);
        ManifestFolder folder;
        folder.add("deploy.yaml", test.manifest);
        const auto report = run({"env", folder.path().string(), "-o", "wide"});
        CAPTURE(report.out);
        CHECK(report.code == test.code);
        CHECK(contains(report.out, "\n" + test.line));
        CHECK(contains(report.out, test.says));
    }
}

} // namespace

TEST_CASE("UCX's variables are judged by value", "[env]") {
    check(ucx_cases());
}

TEST_CASE("connectors, backends and their variables are judged together", "[env]") {
    check(engine_cases());
}

TEST_CASE("what the files do not show is never healthy, where it matters", "[env]") {
    check(unknown_cases());
}

TEST_CASE("an aggregated graph has no say, beside one that is split too", "[env]") {
    const std::string aggregated =
        "apiVersion: nvidia.com/v1beta1\nkind: DynamoGraphDeployment\nmetadata: {name: a}\nspec: "
        "{components: [{name: W, type: worker, podTemplate: {spec: {containers: [{name: main, "
        "command: [python3, -m, dynamo.vllm], env: [{name: UCX_TLS, value: tcp}]}]}}}]}\n";
    ManifestFolder folder;
    folder.add("agg.yaml", aggregated);
    const auto alone = run({"env", folder.path().string()});
    CHECK(alone.code == 0);
    CHECK(contains(alone.out, "\nnot applicable"));
    folder.add("pd.yaml", vllm("", ""));
    const auto both = run({"env", folder.path().string()});
    CHECK(both.code == 0);
    CHECK(contains(both.out, "\nready"));
}

TEST_CASE("a part of a graph is judged as far as it goes", "[env]") {
    ManifestFolder folder;
    folder.add("patch.yaml",
               "apiVersion: nvidia.com/v1beta1\nkind: DynamoGraphDeployment\nmetadata: {name: g}\n"
               "spec: {components: [{name: Prefill, podTemplate: {spec: {containers: [{name: main, "
               "env: [{name: UCX_TLS, value: rc}]}]}}}, {name: Decode, podTemplate: {spec: "
               "{containers: [{name: main, env: [{name: UCX_TLS, value: 'rc,cuda'}]}]}}}]}\n");
    const auto report = run({"env", folder.path().string(), "-o", "wide"});
    CAPTURE(report.out);
    CHECK(report.code == 1); // rc without cuda_copy
    CHECK_FALSE(contains(report.out, "ENV-008"));
}

TEST_CASE("no output holds a secret, whatever variable or argument it stands in", "[env]") {
    ManifestFolder folder;
    folder.add(
        "deploy.yaml",
        graph("vllm",
              {set("UCX_TLS", "hf_abcdefghijklmnop") + ", " +
                   set("UCX_LOG_FILE", "http://user:pa55word@host/x") + ", " +
                   set("NIXL_API_KEY", "pa55word"),
               R"(--kv-transfer-config, '{"kv_connector":"NixlConnector","token":"pa55word"}', )"
               "--hf-token, pa55word"},
              {set("MC_HOST_METADATA", "pa55word"), k_nixl}));
    for (const auto* format : {"table", "wide", "json", "yaml"}) {
        const auto report = run({"env", folder.path().string(), "-o", format});
        CAPTURE(format, report.out);
        CHECK_FALSE(contains(report.out + report.err, "pa55word"));
        CHECK_FALSE(contains(report.out + report.err, "hf_abcdefghijklmnop"));
        CHECK(contains(report.out, "http://***@host/x"));
    }
}

TEST_CASE("old recipes bring their connector by older flags", "[env]") {
    ManifestFolder folder;
    folder.add(
        "deploy.yaml",
        "apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: g}\n"
        "spec:\n  services:\n"
        "    VllmDecodeWorker: {componentType: worker, extraPodSpec: {mainContainer: {command: "
        "[python3, -m, dynamo.vllm, --model, m]}}}\n"
        "    VllmPrefillWorker: {componentType: worker, extraPodSpec: {mainContainer: {command: "
        "[python3, -m, dynamo.vllm, --model, m, --is-prefill-worker]}}}\n");
    const auto report = run({"env", folder.path().string(), "-o", "wide"});
    CAPTURE(report.out);
    CHECK(report.code == 0);
    CHECK(contains(report.out, "\nready"));
}

TEST_CASE("exit codes say why a run says no more", "[env]") {
    ManifestFolder folder;
    folder.add("good/deploy.yaml", vllm("", "")).add("none/notes.txt", "UCX_TLS=tcp");
    const auto good = folder.path("good").string();
    const auto gone = folder.path("gone").string();
    CHECK(run({"env", good}).code == 0);
    CHECK(run({"env", folder.path("none").string()}).code == 4);
    CHECK(run({"env", gone}).code == 2);
    const auto beside = run({"env", good, gone});
    CHECK(beside.code == 2);
    CHECK(contains(beside.out, "KV connector NixlConnector")); // judged all the same
    CHECK(contains(beside.err, "error: cannot judge a manifest for " + gone));
    folder.add("good/broken.yaml", "a: [\n");
    CHECK(run({"env", good}).code == 3);
    folder.add("good/tcp.yaml", vllm(set("UCX_TLS", "tcp"), ""));
    CHECK(run({"env", good}).code == 1);
    CHECK(
        run({"env", good, "--skip", "ENV-001", "--skip", "PAIR-009", "--skip", "FILE-001"}).code ==
        0);
    CHECK(run({"env", folder.path("good/deploy.yaml").string(), "--require", "capable"}).code == 3);
}

TEST_CASE("every row points at a place that can be pasted", "[env]") {
    ManifestFolder folder;
    folder.add("deploy.yaml", vllm(set("UCX_TLS", "tcp"), ""));
    const auto path = folder.path("deploy.yaml").string();
    const auto report = run({"env", path});
    CHECK(contains(report.out, "vi +13 " + path));
}

} // namespace di::test
