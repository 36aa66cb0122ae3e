#include "cases.hpp"

namespace di::test {

using model::Role;
using model::Status;

namespace {

FakePod with(const std::string& name, const std::string& value) {
    return infiniband_pod(Role::prefill).env(name, value);
}

FakePod roce_gid(const std::string& value) {
    return roce_pod(Role::prefill).env("UCX_IB_GID_INDEX", value);
}

FakePod blind() {
    return infiniband_pod(Role::prefill).change([](FakePod& p) { p.seen.environment = unseen(); });
}

FakePod version(FakePod pod, const std::string& text) {
    pod.seen.ucx->version = text;
    return pod;
}

std::vector<RuleCase> tls_cases() {
    const auto tls = [](const std::string& value) { return with("UCX_TLS", value); };
    return {
        {"ENV-001",
         "one process of the engine is on TCP",
         Status::fail,
         infiniband_pod(Role::prefill).change([](FakePod& p) {
             auto other = *p.seen.environment;
             other.values["UCX_TLS"] = "tcp";
             other.tls = ucx_tls("tcp");
             p.seen.engine->variants = {other};
         }),
         "one of the engine's processes"},
        {"ENV-001", "unset", Status::ok, infiniband_pod(Role::prefill), "unset"},
        {"ENV-001", "all", Status::ok, tls("all")},
        {"ENV-001", "rc and CUDA", Status::ok, tls("rc,cuda_copy,cuda_ipc")},
        {"ENV-001", "tcp beside rc", Status::ok, tls("rc_x,rc,cuda_copy,cuda_ipc,tcp")},
        {"ENV-001", "ib and cuda", Status::ok, tls("ib,cuda")},
        {"ENV-001", "only cuda_ipc denied", Status::ok, tls("^cuda_ipc")},
        {"ENV-001", "tcp denied", Status::ok, tls("^tcp")},
        {"ENV-001",
         "tcp and CUDA",
         Status::fail,
         tls("tcp,cuda_copy"),
         "UCX_TLS=tcp,cuda_copy (engine process) keeps KV on TCP"},
        {"ENV-001", "shared memory only", Status::fail, tls("sm,self,cuda_copy"), "no transport"},
        {"ENV-001", "ib denied", Status::fail, tls("^ib"), "keeps KV on TCP"},
        {"ENV-001",
         "every transport of an HCA denied by its alias",
         Status::fail,
         tls("^rc,dc,ud"),
         "keeps KV on TCP"},
        {"ENV-001", "no CUDA", Status::fail, tls("rc,tcp"), "cuda_copy"},
        {"ENV-001", "cuda_copy denied", Status::fail, tls("^cuda_copy")},
        {"ENV-001", "a misspelt RDMA name", Status::fail, tls("rc_mlx,cuda,tcp"), "rc_mlx"},
        {"ENV-001", "a misspelt name beside rc", Status::warn, tls("rc,cuda,rdmcam"), "rdmcam"},
        {"ENV-001", "ud alone", Status::warn, tls("ud,cuda"), "UD"},
        {"ENV-001", "no wire-up transport", Status::warn, tls("rc_mlx5,cuda_copy"), "wire-up"},
        {"ENV-001", "rc_mlx5 with tcp", Status::ok, tls("rc_mlx5,cuda_copy,tcp")},
        {"ENV-001", "NVLink in a clique", Status::ok, gb200_pod(Role::prefill), "NVLink"},
        {"ENV-001", "an NVLink list on a plain box", Status::fail, tls("cuda_copy,cuda_ipc,tcp")},
        {"ENV-001", "environment unseen", Status::skipped, blind()},
        {"ENV-001",
         "the spec alone proves nothing good",
         Status::skipped,
         infiniband_pod(Role::prefill).env_source(model::EnvSource::spec)},
        {"ENV-001",
         "the spec alone proves the bad",
         Status::fail,
         tls("tcp").env_source(model::EnvSource::spec),
         "pod spec"},
        {"ENV-001", "LIBFABRIC does not read it", Status::skipped, efa_pod(Role::decode)},
    };
}

std::vector<RuleCase> net_device_cases() {
    const auto list = [](const std::string& value) { return with("UCX_NET_DEVICES", value); };
    const auto no_sysfs = [](FakePod& p) { p.seen.sysfs = unseen(); };
    return {
        {"ENV-002", "unset", Status::ok, infiniband_pod(Role::prefill)},
        {"ENV-002", "all", Status::ok, list("all")},
        {"ENV-002", "two HCAs", Status::ok, list("mlx5_0:1,mlx5_1:1")},
        {"ENV-002", "an HCA and an interface", Status::ok, list("mlx5_0:1,eth0")},
        {"ENV-002", "an interface only", Status::fail, list("eth0"), "KV stays on TCP"},
        {"ENV-002", "no such HCA", Status::fail, list("mlx5_9:1")},
        {"ENV-002", "no such port", Status::fail, list("mlx5_0:2")},
        {"ENV-002", "one is missing", Status::warn, list("mlx5_0:1,mlx5_9:1"), "mlx5_9:1"},
        {"ENV-002", "no port, UCX 1.20", Status::warn, list("mlx5_0"), "1.21"},
        {"ENV-002", "no port, UCX 1.21", Status::ok, version(list("mlx5_0"), "1.21.0")},
        {"ENV-002", "no port, UCX 2.0", Status::ok, version(list("mlx5_0"), "2.0.0")},
        {"ENV-002", "no port, odd version", Status::warn, version(list("mlx5_0"), "master")},
        {"ENV-002", "a range, UCX 1.21", Status::warn, version(list("mlx5_[0-3]:1"), "1.21.0")},
        {"ENV-002", "a deny list, UCX 1.20", Status::warn, list("^mlx5_0:1")},
        {"ENV-002", "a deny list, UCX 1.22", Status::ok, version(list("^mlx5_0:1"), "1.22.1")},
        {"ENV-002", "an interface only, sysfs unseen", Status::fail, list("eth0").change(no_sysfs)},
        {"ENV-002", "HCAs, sysfs unseen", Status::skipped, list("mlx5_0:1").change(no_sysfs)},
    };
}

std::vector<RuleCase> switch_cases() {
    const auto mnnvl = [](FakePod pod, const std::string& value) {
        return pod.env("UCX_CUDA_IPC_ENABLE_MNNVL", value);
    };
    const auto hide_fabric = [](FakePod& p) { p.seen.fabric = unseen(); };
    const auto plain = infiniband_pod(Role::prefill);
    return {
        {"ENV-003", "unset", Status::ok, plain},
        {"ENV-003", "try", Status::ok, with("UCX_IB_GPU_DIRECT_RDMA", "try")},
        {"ENV-003", "yes", Status::ok, with("UCX_IB_GPU_DIRECT_RDMA", "YES")},
        {"ENV-003", "n", Status::fail, with("UCX_IB_GPU_DIRECT_RDMA", "n"), "host memory"},
        {"ENV-003", "0", Status::fail, with("UCX_IB_GPU_DIRECT_RDMA", "0")},
        {"ENV-003", "nonsense", Status::warn, with("UCX_IB_GPU_DIRECT_RDMA", "maybe")},
        {"ENV-003", "unseen", Status::skipped, blind()},

        {"ENV-004", "unset", Status::ok, plain},
        {"ENV-004", "y in a clique", Status::ok, gb200_pod(Role::prefill)},
        {"ENV-004", "y on a plain box", Status::warn, mnnvl(plain, "y")},
        {"ENV-004", "n with RDMA", Status::ok, mnnvl(plain, "n")},
        {"ENV-004", "n without RDMA", Status::fail, mnnvl(gb200_pod(Role::prefill), "n")},
        {"ENV-004", "nonsense", Status::warn, mnnvl(plain, "perhaps")},
        {"ENV-004", "y, fabric unseen", Status::skipped, mnnvl(plain, "y").change(hide_fabric)},

        {"ENV-005", "unset", Status::ok, plain},
        {"ENV-005", "auto", Status::ok, roce_gid("auto")},
        {"ENV-005", "RoCE v2", Status::ok, roce_gid("3")},
        {"ENV-005", "RoCE v1", Status::warn, roce_gid("0"), "RoCE v1"},
        {"ENV-005", "empty", Status::fail, roce_gid("5"), "empty GID of mlx5_0:1"},
        {"ENV-005", "not a number", Status::warn, roce_gid("three")},
        {"ENV-005", "beyond what was read", Status::skipped, roce_gid("40")},

        {"ENV-006", "unset", Status::ok, plain},
        {"ENV-006", "get_zcopy", Status::ok, with("UCX_RNDV_SCHEME", "get_zcopy")},
        {"ENV-006", "am without a threshold", Status::ok, with("UCX_RNDV_SCHEME", "am")},
        {"ENV-006",
         "am with a threshold",
         Status::warn,
         with("UCX_RNDV_SCHEME", "am").env("UCX_RNDV_THRESH", "0")},
        {"ENV-006", "unseen", Status::skipped, blind()},

        {"ENV-014", "unset", Status::ok, plain},
        {"ENV-014", "switched on", Status::ok, with("UCX_PROTO_ENABLE", "y")},
        {"ENV-014", "protocols off", Status::warn, with("UCX_PROTO_ENABLE", "n")},
        {"ENV-014", "unseen", Status::skipped, blind()},
    };
}

} // namespace

std::vector<RuleCase> ucx_env_cases() {
    return joined<RuleCase>({tls_cases(), net_device_cases(), switch_cases()});
}

} // namespace di::test
