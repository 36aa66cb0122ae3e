// Captured pods: the roll-up of each, what overrules what, and their pairs.
#include "base/strings.hpp"
#include "judge/pods.hpp"
#include "parse/tools.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>

namespace di::test {
namespace {

using judge::CapturedPod;
using model::Check;
using model::Role;
using model::Status;
using model::Tool;
using model::Value;

const std::string k_nodes = "rdma_cm\nuverbs0\n";
const std::string k_no_nodes = "ls: cannot access '/dev/infiniband': No such file or directory\n";
const std::string k_rdma_env = "UCX_TLS=rc,cuda_copy,cuda_ipc\n";
const std::string k_nvlink_env = "UCX_TLS=cuda_copy,cuda_ipc,tcp\nUCX_CUDA_IPC_ENABLE_MNNVL=y\n";
const std::string k_link_local = "fe80:0000:0000:0000:a288:c2ff:fe45:1a30";

/// One port in sysfs; GIDs and their types by index.
std::string port(const std::string& layer,
                 const std::vector<std::string>& types = {},
                 const std::string& prefix = "fe80:0000:0000:0000") {
    const std::string path = "/sys/class/infiniband/mlx5_0/ports/1/";
    std::string text = path + "state:4: ACTIVE\n" + path + "phys_state:5: LinkUp\n" + path +
                       "rate:400 Gb/sec (4X NDR)\n" + path + "link_layer:" + layer + "\n" + path +
                       "pkeys/0:0xffff\n" + path + "gids/0:" + prefix + ":a288:c203:0045:1a30\n";
    for (std::size_t i = 0; i < types.size(); ++i) {
        const auto index = std::to_string(i);
        text += path + "gids/" + index + ":" + k_link_local + "\n" + path + "gid_attrs/types/" +
                index + ":" + types[i] + "\n";
    }
    return text;
}

std::string fabric(const std::string& clique) {
    return "GPU 00000008:01:00.0\n    Product Name : NVIDIA GB200\n    Fabric\n"
           "        State : Completed\n        Status : Success\n        CliqueId : " +
           clique + "\n        ClusterUUID : 7a1d1f3e-5b0c-4c2a-9d6e-0f1e2d3c4b5a\n";
}

std::string ucx(const std::string& memory_types) {
    const auto cuda = [](const std::string& name) {
        return "# Memory domain: " + name + "\n#     Component: " + name +
               "\n#         memory types: cuda (access)\n#      Transport: " + name +
               "\n#         Device: cuda\n";
    };
    return cuda("cuda_copy") + cuda("cuda_ipc") +
           "# Memory domain: mlx5_0\n#     Component: ib\n"
           "#             register: unlimited, dmabuf, cost: 0 nsec\n#         memory types: " +
           memory_types + "\n#      Transport: rc_mlx5\n#         Device: mlx5_0:1\n";
}

class Pod {
public:
    explicit Pod(Role role, std::string name = "pod-0") {
        pod_.worker.role = role;
        pod_.worker.pod = std::move(name);
    }

    Pod&& shows(Tool tool, const std::string& out, const std::string& err = "", int rc = 0) && {
        pod_.readings.insert_or_assign(tool, parse::read_tool(tool, {out, err, rc}));
        return std::move(*this);
    }

    Pod&& lacks(Tool tool) && {
        pod_.readings.erase(tool);
        return std::move(*this);
    }

    operator CapturedPod() const { return pod_; }

private:
    CapturedPod pod_;
};

/// A healthy InfiniBand pod.
Pod infiniband(Role role, const std::string& name = "pod-0") {
    return Pod(role, name)
        .shows(Tool::ib_devices, k_nodes)
        .shows(Tool::ib_sysfs, port("InfiniBand"))
        .shows(Tool::ucx_devices, ucx("host (access), cuda (access)"))
        .shows(Tool::memlock, "unlimited\n")
        .shows(Tool::env, k_rdma_env);
}

Check row(const judge::Judgement& judgement, std::string_view name) {
    const auto found = std::find_if(judgement.checks.begin(),
                                    judgement.checks.end(),
                                    [&](const auto& check) { return check.name == name; });
    REQUIRE(found != judgement.checks.end());
    return *found;
}

Check pod_row(const Pod& pod) {
    return row(judge::judge_pods({pod}), "pod");
}

model::Pair pair_of(const Pod& prefill, const Pod& decode) {
    const auto pairs = judge::judge_pods({prefill, decode}).pairs;
    REQUIRE(pairs.size() == 1);
    return pairs.front();
}

} // namespace

TEST_CASE("a pod is as good as the rows that count") {
    struct Case {
        std::string what;
        Pod pod;
        Status status;
        std::string says;
    };

    const auto test = GENERATE(values<Case>({
        {"healthy", infiniband(Role::worker), Status::ok, ""},
        {"GDRCopy is optional",
         infiniband(Role::worker)
             .shows(Tool::gdrcopy, "", "ls: /dev/gdrdrv: No such file or directory\n", 1),
         Status::ok,
         ""},
        {"no NVLink between its GPUs",
         infiniband(Role::worker)
             .shows(Tool::gpu_topology, "\tGPU0\tGPU1\nGPU0\t X \tPHB\nGPU1\tPHB\t X \n"),
         Status::ok,
         ""},
        {"its GPUs are gone",
         infiniband(Role::worker)
             .shows(Tool::gpu_topology, "Failed to initialize NVML: Unknown Error\n", "", 255),
         Status::fail,
         "NVL-001"},
        {"a real limit of locked memory",
         infiniband(Role::worker).shows(Tool::memlock, "8192\n"),
         Status::warn,
         "UCX-004"},
        {"a limit that could not be read",
         infiniband(Role::worker).shows(Tool::memlock, "", "sh: not found\n", 127),
         Status::warn,
         "not seen: memlock"},
        {"no ibstat, but sysfs",
         infiniband(Role::worker).shows(Tool::ib_link, "", "sh: 1: ibstat: not found\n", 127),
         Status::ok,
         ""},
        {"nothing could be read",
         Pod(Role::worker).shows(Tool::ib_link, "", "sh: 1: ibstat: not found\n", 127),
         Status::skipped,
         "ib-link"},
        {"multi-node NVLink needs no RDMA device",
         Pod(Role::worker)
             .shows(Tool::ib_devices, "", k_no_nodes, 2)
             .shows(Tool::gpu_fabric, fabric("7"))
             .shows(Tool::env, k_nvlink_env),
         Status::ok,
         ""},
    }));
    CAPTURE(test.what);
    const auto check = pod_row(test.pod);
    CAPTURE(check.detail);
    CHECK(check.status == test.status);
    CHECK(contains(check.detail, test.says));
    CHECK(check.code == "POD-010");
    CHECK(check.next.has_value() == (check.status != Status::ok));
}

TEST_CASE("GPU memory that UCX registers on an HCA overrules a missing peer-memory module") {
    const auto no_module = [](const std::string& memory_types) {
        return infiniband(Role::worker)
            .shows(Tool::gpudirect_modules, "", "", 1)
            .shows(Tool::ucx_devices, ucx(memory_types));
    };
    const auto overruled = judge::judge_pods({no_module("host (access), cuda (access)")});
    CHECK(row(overruled, "gpudirect-modules").status == Status::warn);
    CHECK(row(overruled, "gpudirect-modules").overridden_by == "UCX-005");
    CHECK(row(overruled, "pod").status == Status::ok);
    CHECK(*row(overruled, "pod").facts.find("gpudirect")->find("via") == Value("dmabuf"));

    const auto upheld = judge::judge_pods({no_module("host (access)")});
    CHECK_FALSE(row(upheld, "gpudirect-modules").overridden_by);
    CHECK(row(upheld, "pod").status == Status::warn);
}

TEST_CASE("what the container cannot open overrules the host's Active ports") {
    const auto closed = GENERATE(true, false);
    CAPTURE(closed);
    auto pod = infiniband(Role::worker).lacks(Tool::ucx_devices);
    const auto judgement = judge::judge_pods(
        {closed ? std::move(pod).shows(Tool::ibv_devinfo_list, "0 HCAs found:\n\n")
                : std::move(pod).shows(Tool::ib_devices, "", k_no_nodes, 2)});
    CHECK(row(judgement, "ib-sysfs").status == Status::ok);
    CHECK(row(judgement, "ib-sysfs").overridden_by == (closed ? "IB-013" : "IB-001"));
    const auto roll_up = row(judgement, "pod");
    CHECK(roll_up.status == Status::fail);
    CHECK(*roll_up.facts.find("rdma_usable") == Value(false));
    CHECK(*roll_up.facts.find("hca_openable") == Value(0));
    CHECK(*roll_up.facts.find("host_ports_active") == Value(1));
}

TEST_CASE("pairs of captured pods get the reason that stands between them") {
    struct Case {
        std::string what;
        Pod prefill;
        Pod decode;
        Status status;
        std::optional<std::string> reason;
    };

    const auto ib = infiniband(Role::prefill, "p");
    const auto decode = [] { return infiniband(Role::decode, "d"); };
    const auto roce = [](Role role, const std::vector<std::string>& types) {
        return infiniband(role).shows(Tool::ib_sysfs, port("Ethernet", types));
    };
    const auto rack = [](Role role, const std::string& clique) {
        return Pod(role).shows(Tool::gpu_fabric, fabric(clique)).shows(Tool::env, k_nvlink_env);
    };
    const std::string v1 = "IB/RoCE v1";
    const std::string v2 = "RoCE v2";
    const auto test = GENERATE_COPY(values<Case>({
        {"alike", ib, decode(), Status::ok, std::nullopt},
        {"InfiniBand and RoCE",
         ib,
         roce(Role::decode, {v1, v2}),
         Status::fail,
         "link-layer-mismatch"},
        {"two subnets",
         ib,
         decode().shows(Tool::ib_sysfs, port("InfiniBand", {}, "fe80:0000:0000:0002")),
         Status::fail,
         "subnet-prefix-mismatch"},
        {"RoCE on both sides",
         roce(Role::prefill, {v1, v2}),
         roce(Role::decode, {v1, v2}),
         Status::ok,
         std::nullopt},
        {"UCX takes RoCE v2 on the side that has it",
         roce(Role::prefill, {v1, v2}),
         roce(Role::decode, {v1}),
         Status::fail,
         "roce-version-mismatch"},
        {"rc against dc",
         ib,
         decode().shows(Tool::env, "UCX_TLS=dc,cuda\n"),
         Status::fail,
         "ucx-tls-disjoint"},
        {"one clique", rack(Role::prefill, "7"), rack(Role::decode, "7"), Status::ok, std::nullopt},
        {"two cliques",
         rack(Role::prefill, "7"),
         rack(Role::decode, "8"),
         Status::fail,
         "clique-mismatch"},
        {"cuda_ipc on one side",
         rack(Role::prefill, "7"),
         rack(Role::decode, "7").shows(Tool::env, "UCX_TLS=cuda_copy,tcp\n"),
         Status::fail,
         "cuda-ipc-missing"},
        {"an environment that was not captured",
         ib,
         decode().lacks(Tool::env),
         Status::skipped,
         "unreadable"},
    }));
    CAPTURE(test.what);
    const auto pair = pair_of(test.prefill, test.decode);
    CAPTURE(pair.detail);
    CHECK(pair.status == test.status);
    CHECK(pair.reason == test.reason);
}

TEST_CASE("pods of one role have no pairs") {
    const auto judgement =
        judge::judge_pods({infiniband(Role::prefill, "p-0"), infiniband(Role::prefill, "p-1")});
    CHECK(judgement.pairs.empty());
    CHECK(row(judgement, "pod").status == Status::ok);
}

} // namespace di::test
