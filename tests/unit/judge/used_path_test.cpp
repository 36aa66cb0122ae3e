#include "judge/used_path.hpp"
#include "support/observations.hpp"

#include <catch2/catch.hpp>

namespace di::test {
namespace {

using judge::PathKind;
using model::Backend;
using model::Role;

judge::UsedPath path_of(const FakePod& pod) {
    return judge::used_path(pod.worker, pod.seen, "");
}

FakePod engine(Backend backend, std::vector<std::string> words) {
    auto pod = infiniband_pod(Role::prefill);
    pod.worker.backend = backend;
    return pod.arguments(std::move(words));
}

FakePod no_fabric(FakePod pod) {
    pod.seen.fabric = model::Unseen{model::SkipReason::tool_missing, ""};
    return pod;
}

} // namespace

TEST_CASE("the path follows what the engine was told") {
    struct Case {
        std::string what;
        FakePod pod;
        PathKind kind;
        std::string plugin;
    };

    const std::vector<Case> cases = {
        {"vLLM by default", infiniband_pod(Role::prefill), PathKind::ucx, "UCX"},
        {"vLLM with LIBFABRIC", efa_pod(Role::decode), PathKind::libfabric, "LIBFABRIC"},
        {"vLLM with Mooncake",
         engine(Backend::vllm, {"--kv-transfer-config", R"({"kv_connector":"MooncakeConnector"})"}),
         PathKind::mooncake,
         ""},
        {"SGLang by default", engine(Backend::sglang, {}).libraries({}), PathKind::mooncake, ""},
        {"SGLang whose process shows NIXL", engine(Backend::sglang, {}), PathKind::ucx, "UCX"},
        {"SGLang with nixl over libfabric",
         engine(Backend::sglang, {"--disaggregation-transfer-backend", "nixl"})
             .env("SGLANG_DISAGGREGATION_NIXL_BACKEND", "LIBFABRIC"),
         PathKind::libfabric,
         "LIBFABRIC"},
        {"TensorRT-LLM by default", engine(Backend::trtllm, {}), PathKind::ucx, "UCX"},
        {"TensorRT-LLM with LIBFABRIC",
         engine(Backend::trtllm, {}).env("TRTLLM_NIXL_KVCACHE_BACKEND", "LIBFABRIC"),
         PathKind::libfabric,
         "LIBFABRIC"},
        {"a mocker", engine(Backend::mocker, {}), PathKind::none, "UCX"},
        {"an encode worker", infiniband_pod(Role::encode), PathKind::none, "UCX"},
    };
    for (const auto& test : cases) {
        CAPTURE(test.what);
        CHECK(path_of(test.pod).kind == test.kind);
        CHECK(path_of(test.pod).plugin == test.plugin);
    }
}

TEST_CASE("NVLink is the path only where RDMA is not and a clique is shown or meant") {
    const auto gb200 = [] { return gb200_pod(Role::prefill); };

    struct Case {
        std::string what;
        FakePod pod;
        PathKind kind;
    };

    const std::vector<Case> cases = {
        {"a GB200 tray", gb200(), PathKind::nvlink},
        {"without UCX_TLS, but without devices too",
         gb200().change([](FakePod& pod) { pod.seen.environment->tls.reset(); }),
         PathKind::nvlink},
        {"RDMA allowed and there",
         infiniband_pod(Role::prefill).env("UCX_CUDA_IPC_ENABLE_MNNVL", "y"),
         PathKind::ucx},
        {"meant, fabric unseen", no_fabric(gb200()), PathKind::nvlink},
        {"forbidden", gb200().env("UCX_CUDA_IPC_ENABLE_MNNVL", "n"), PathKind::ucx},
        {"cuda_ipc left out", gb200().env("UCX_TLS", "cuda_copy,tcp"), PathKind::ucx},
        {"the same list on a plain box",
         infiniband_pod(Role::prefill).env("UCX_TLS", "cuda_copy,cuda_ipc,tcp"),
         PathKind::ucx},
        {"the same list on a box that shows nothing",
         no_fabric(infiniband_pod(Role::prefill).env("UCX_TLS", "cuda_copy,cuda_ipc,tcp")),
         PathKind::ucx},
    };
    for (const auto& test : cases) {
        CAPTURE(test.what);
        CHECK(path_of(test.pod).kind == test.kind);
    }
}

TEST_CASE("no KV leaves an aggregated worker, and the reason is kept") {
    const auto pod = infiniband_pod(Role::worker);
    const auto path = judge::used_path(pod.worker, pod.seen, "aggregated");
    CHECK(path.kind == PathKind::none);
    CHECK(path.why_none == "aggregated");
}

TEST_CASE("SGLang's own device list is kept") {
    const auto pod = engine(Backend::sglang, {"--disaggregation-ib-device", "mlx5_0, mlx5_1"});
    CHECK(path_of(FakePod(pod).libraries({})).devices ==
          std::vector<std::string>{"mlx5_0", "mlx5_1"});
}

TEST_CASE("switches are read as UCX reads them") {
    using judge::Switch;
    const auto read = [](const std::string& text) { return judge::read_switch(&text); };
    CHECK(judge::read_switch(nullptr) == Switch::unset);
    for (const auto* text : {"y", "Y", "yes", "on", "1", " 1 "}) {
        CHECK(read(text) == Switch::yes);
    }
    for (const auto* text : {"n", "No", "off", "0"}) {
        CHECK(read(text) == Switch::no);
    }
    CHECK(read("try") == Switch::automatic);
    CHECK(read("") == Switch::invalid);
    CHECK(read("2") == Switch::invalid);
}

TEST_CASE("a zero cluster UUID names no cluster") {
    CHECK_FALSE(judge::names_cluster("00000000-0000-0000-0000-000000000000"));
    CHECK_FALSE(judge::names_cluster(""));
    CHECK_FALSE(judge::names_cluster("N/A"));
    CHECK(judge::names_cluster("00000000-0000-0000-0000-000000000001"));
}

} // namespace di::test
