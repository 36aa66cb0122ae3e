#include "cases.hpp"

namespace di::test {

using model::Backend;
using model::Role;
using model::Status;

namespace {

FakePod pod() {
    return infiniband_pod(Role::prefill);
}

FakePod blind(FakePod changed) {
    changed.seen.environment = unseen();
    return changed;
}

FakePod side_channel(const std::string& host) {
    return pod().env("VLLM_NIXL_SIDE_CHANNEL_HOST", host);
}

FakePod engine(Backend backend, std::vector<std::string> words) {
    auto changed = pod();
    changed.worker.backend = backend;
    return changed.arguments(std::move(words));
}

FakePod kv(const std::string& json) {
    return engine(Backend::vllm, {"--kv-transfer-config", json});
}

FakePod trtllm(model::Value config) {
    auto changed = engine(Backend::trtllm, {"--extra-engine-args", "/engine/decode.yaml"});
    changed.worker.spec.engine_config = std::move(config);
    return changed;
}

FakePod mooncake() {
    return engine(Backend::sglang, {"--disaggregation-transfer-backend=mooncake"});
}

FakePod efa(const std::string& name, const std::string& value) {
    return efa_pod(Role::decode).env(name, value);
}

FakePod group(const std::string& name, const std::string& value) {
    auto changed = pod();
    changed.worker.group = "g0";
    return name.empty() ? changed : changed.env(name, value);
}

std::vector<RuleCase> side_channel_cases() {
    return {
        {"ENV-007", "unset", Status::ok, pod()},
        {"ENV-007", "the pod's own address", Status::ok, side_channel("10.1.2.3")},
        {"ENV-007", "a host name", Status::ok, side_channel("prefill-0.svc")},
        {"ENV-007", "localhost", Status::fail, side_channel("localhost")},
        {"ENV-007", "any address", Status::fail, side_channel("0.0.0.0")},
        {"ENV-007", "another address", Status::fail, side_channel("10.9.9.9"), "10.1.2.3"},
        {"ENV-007", "another family", Status::ok, side_channel("fd00::17")},
        {"ENV-007", "not vLLM", Status::skipped, engine(Backend::trtllm, {})},
        {"ENV-007", "unseen", Status::skipped, blind(pod())},
    };
}

std::vector<RuleCase> connector_cases() {
    return {
        {"ENV-008", "NixlConnector", Status::ok, pod(), "NixlConnector"},
        {"ENV-008",
         "inside a MultiConnector, in a shell line",
         Status::ok,
         engine(Backend::vllm,
                {"sh",
                 "-c",
                 "exec python3 -m dynamo.vllm --kv-transfer-config "
                 "'{\"kv_connector\":\"MultiConnector\",\"kv_connector_extra_config\":"
                 "{\"connectors\":[{\"kv_connector\":\"NixlConnector\"}]}}'"}),
         "MultiConnector, NixlConnector"},
        {"ENV-008",
         "blocks staged in host memory",
         Status::warn,
         kv(R"({"kv_connector":"NixlConnector","kv_buffer_device":"cpu"})")},
        {"ENV-008",
         "failures hidden",
         Status::warn,
         kv(R"({"kv_connector":"NixlConnector","kv_load_failure_policy":"recompute"})")},
        {"ENV-008",
         "JSON cut short",
         Status::skipped,
         kv(R"({"kv_connector": "Nixl)"
            "\\")},
        {"ENV-008", "old --connector", Status::ok, engine(Backend::vllm, {"--connector", "nixl"})},
        {"ENV-008", "--connector none", Status::fail, engine(Backend::vllm, {"--connector=none"})},
        {"ENV-008",
         "a role without a connector",
         Status::fail,
         engine(Backend::vllm, {"--disaggregation-mode", "decode"}).libraries({})},
        {"ENV-008",
         "an old flag that brings its connector",
         Status::ok,
         engine(Backend::vllm, {"--is-prefill-worker"}).libraries({})},
        {"ENV-008",
         "vLLM's own server without a connector",
         Status::fail,
         engine(Backend::vllm, {"vllm", "serve", "m"}).libraries({})},
        {"ENV-008",
         "keys of the configuration as options of their own",
         Status::ok,
         engine(Backend::vllm, {"--kv-transfer-config.kv_connector", "NixlConnector"}),
         "NixlConnector"},
        {"ENV-008",
         "a role whose connector is elsewhere",
         Status::ok,
         engine(Backend::vllm, {"--disaggregation-mode", "decode"})},
        {"ENV-008",
         "SGLang with nixl",
         Status::ok,
         engine(Backend::sglang, {"--disaggregation-transfer-backend", "nixl"})},
        {"ENV-008", "SGLang's default", Status::ok, engine(Backend::sglang, {}).libraries({})},
        {"ENV-008",
         "SGLang with a configuration file",
         Status::skipped,
         engine(Backend::sglang, {"--config", "/cfg.yaml"}).libraries({})},
        {"ENV-008",
         "TensorRT-LLM keeps it in YAML",
         Status::skipped,
         engine(Backend::trtllm, {}).libraries({})},
        {"ENV-008",
         "TensorRT-LLM with a file that sets the transceiver",
         Status::ok,
         trtllm(model::Value().set("cache_transceiver_config",
                                   model::Value().set("backend", "DEFAULT"))),
         "DEFAULT"},
        {"ENV-008",
         "TensorRT-LLM with a file that does not",
         Status::fail,
         trtllm(model::Value().set("backend", "pytorch")),
         "cache_transceiver_config"},
        {"ENV-008",
         "TensorRT-LLM with neither file nor argument",
         Status::fail,
         engine(Backend::trtllm, {"--disaggregation-mode", "decode"}).libraries({})},
        {"ENV-008",
         "TensorRT-LLM with an argument",
         Status::ok,
         engine(Backend::trtllm, {"--trtllm.cache_transceiver_config.backend", "UCX"})
             .libraries({})},
        {"ENV-008", "TensorRT-LLM with NIXL loaded", Status::ok, engine(Backend::trtllm, {})},
        {"ENV-008",
         "TensorRT-LLM over MPI",
         Status::warn,
         engine(Backend::trtllm, {}).env("TRTLLM_USE_MPI_KVCACHE", "1")},
        {"ENV-008", "no one knows", Status::skipped, engine(Backend::unknown, {}).libraries({})},
    };
}

std::vector<RuleCase> library_setting_cases() {
    auto no_provider = efa_pod(Role::decode);
    no_provider.seen.environment->values.erase("FI_PROVIDER");
    return {
        {"ENV-009", "efa", Status::ok, efa_pod(Role::decode)},
        {"ENV-009", "no provider", Status::warn, no_provider},
        {"ENV-009", "tcp", Status::fail, efa("FI_PROVIDER", "tcp")},
        {"ENV-009", "another provider", Status::warn, efa("FI_PROVIDER", "verbs")},
        {"ENV-009", "not on this path", Status::skipped, pod()},
        {"ENV-012", "unset", Status::ok, efa_pod(Role::decode)},
        {"ENV-012", "on", Status::ok, efa("FI_EFA_USE_DEVICE_RDMA", "1")},
        {"ENV-012", "off", Status::fail, efa("FI_EFA_USE_DEVICE_RDMA", "off")},
        {"ENV-012", "not on this path", Status::skipped, pod()},

        {"ENV-010", "clean", Status::ok, mooncake()},
        {"ENV-010", "MC_FORCE_TCP=0 forces too", Status::fail, mooncake().env("MC_FORCE_TCP", "0")},
        {"ENV-013",
         "host staging",
         Status::warn,
         mooncake().env("MC_DISABLE_GPU_DIRECT_RDMA", "1")},
        {"ENV-013", "clean", Status::ok, mooncake()},
        {"ENV-013", "not on this path", Status::skipped, pod()},
        {"ENV-010", "not on this path", Status::skipped, pod().env("MC_FORCE_TCP", "1")},

        {"ENV-011", "clean", Status::ok, pod()},
        {"ENV-011", "NIXL_BACKEND on vLLM", Status::warn, pod().env("NIXL_BACKEND", "UCX")},
        {"ENV-011", "removed from UCX", Status::warn, pod().env("UCX_IB_REG_METHODS", "odp")},
        {"ENV-011", "UCX_TLS on Mooncake", Status::warn, mooncake().env("UCX_TLS", "tcp")},
        {"ENV-011", "unseen", Status::skipped, blind(pod())},

        {"NCCL-001", "clean", Status::ok, group("", "")},
        {"NCCL-001", "IB off", Status::warn, group("NCCL_IB_DISABLE", "1"), "not KV"},
        {"NCCL-001", "IB explicitly on", Status::ok, group("NCCL_IB_DISABLE", "0")},
        {"NCCL-001", "sockets", Status::warn, group("NCCL_NET", "Socket")},
        {"NCCL-001", "one pod alone", Status::skipped, pod().env("NCCL_IB_DISABLE", "1")},
    };
}

} // namespace

std::vector<RuleCase> env_cases() {
    return joined<RuleCase>({side_channel_cases(), connector_cases(), library_setting_cases()});
}

} // namespace di::test
