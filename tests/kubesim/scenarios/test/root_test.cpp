#include "base/strings.hpp"
#include "kubesim/scenarios/root.hpp"
#include "written.hpp"

#include <catch2/catch.hpp>

using namespace di::kubesim::scenarios;
using namespace di::kubesim::scenarios::test;

namespace {

/// The path of a device behind its class link: "sys/devices/.../infiniband/mlx5_0".
std::string behind(const Tree& tree, const std::string& link) {
    return "sys/" + at(tree, link).substr(std::string("../../").size());
}

std::string port(const Tree& tree, const std::string& device, const std::string& file) {
    return at(tree, behind(tree, "sys/class/infiniband/" + device) + "/ports/1/" + file);
}

} // namespace

TEST_CASE("a port's files hold what the kernel prints") {
    struct Case {
        const char* scenario;
        const char* file;
        const char* text;
    };

    const Case cases[] = {
        {"disagg-ib", "state", "4: ACTIVE\n"},
        {"disagg-ib", "phys_state", "5: LinkUp\n"},
        {"disagg-ib", "rate", "400 Gb/sec (4X NDR)\n"},
        {"disagg-ib", "link_layer", "InfiniBand\n"},
        {"disagg-ib", "sm_lid", "0x1\n"},
        {"disagg-ib", "pkeys/0", "0xffff\n"},
        {"disagg-ib", "pkeys/1", "0x0000\n"},
        {"disagg-ib", "gid_attrs/types/0", "IB/RoCE v1\n"},
        {"disagg-ib", "gid_attrs/types/1", "(absent)"},
        {"disagg-ib", "gids/15", "0000:0000:0000:0000:0000:0000:0000:0000\n"},
        {"disagg-roce", "link_layer", "Ethernet\n"},
        {"disagg-roce", "lid", "0x0\n"},
        {"disagg-roce", "gid_attrs/types/3", "RoCE v2\n"},
        {"disagg-roce", "gid_attrs/ndevs/3", "net1\n"},
        {"no-sm", "state", "2: INIT\n"},
        {"no-sm", "phys_state", "5: LinkUp\n"},
        {"no-sm", "sm_lid", "0x0\n"},
        {"no-sm", "lid", "0xffff\n"},
        {"no-sm", "counters/port_xmit_data", "0\n"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.scenario, c.file);
        CHECK(port(tree_of(scenario(c.scenario), Role::decode), "mlx5_0", c.file) == c.text);
    }
}

TEST_CASE("devices in sysfs, their verbs and their nodes agree") {
    struct Case {
        const char* scenario;
        std::size_t devices;
        std::size_t nodes;
    };

    const Case cases[] = {{"disagg-ib", 8, 8},
                          {"disagg-roce", 8, 8},
                          {"disagg-efa", 32, 16},
                          {"disagg-gb200", 4, 4},
                          {"no-tools", 8, 8}};
    for (const auto& c : cases) {
        CAPTURE(c.scenario);
        const auto tree = tree_of(scenario(c.scenario), Role::prefill);
        const auto devices = below(tree, "sys/class/infiniband/");
        CHECK(devices.size() == c.devices);
        CHECK(below(tree, "dev/infiniband/uverbs").size() == c.nodes);
        for (const auto& verbs : below(tree, "sys/class/infiniband_verbs/uverbs")) {
            const std::string text = at(tree, behind(tree, verbs) + "/ibdev");
            CHECK(has(tree, "sys/class/infiniband/" + std::string(di::trim(text))));
        }
    }
}

TEST_CASE("links in sysfs lead to what they name") {
    const auto tree = tree_of(scenario("disagg-ib"), Role::prefill);
    const TempFolder folder;
    REQUIRE(tree.write(folder.path()));
    const auto sys = folder.path() / "sys";
    for (const auto& path : below(tree, "sys/")) {
        if (tree.entries().at(path).kind == Tree::Kind::link) {
            CAPTURE(path);
            CHECK(std::filesystem::exists(folder.path() / path));
        }
    }
    const auto device = std::filesystem::canonical(sys / "class/infiniband/mlx5_0/device");
    CHECK(device.filename() == "0000:18:00.0");
    CHECK(std::filesystem::canonical(device / "driver").filename() == "mlx5_core");
    CHECK(read(device / "numa_node") == "0\n");
    CHECK(di::contains(read(device / "uevent"), "PCI_SLOT_NAME=0000:18:00.0\n"));
}

TEST_CASE("the engine's ranks map the transfer libraries; their launcher does not") {
    const auto tree = tree_of(scenario("disagg-ib"), Role::decode);
    CHECK(at(tree, "proc/214/cmdline") == std::string("VLLM::Worker_TP0") + '\0');
    for (const char* library : {"/usr/local/ucx/lib/libucp.so.0.0.0\n",
                                "/ucx/libuct_ib.so",
                                "/ucx/libuct_cuda.so",
                                "/lib64/libnixl.so\n",
                                "/plugins/libplugin_UCX.so\n",
                                "/libibverbs.so.1",
                                "/libmlx5.so.1",
                                "/libcuda.so.570"}) {
        CAPTURE(library);
        CHECK(di::contains(at(tree, "proc/214/maps"), library));
        CHECK_FALSE(di::contains(at(tree, "proc/1/maps"), "libnixl"));
    }
    CHECK(below(tree, "proc/217/").size() > 6);
    CHECK_FALSE(has(tree, "proc/218/maps"));
    const auto launcher = at(tree, "proc/1/cmdline");
    CHECK(launcher.substr(0, 11) == std::string("/bin/sh\0-c\0", 11));
    CHECK(di::contains(launcher, "python3 -m dynamo.vllm"));
}

TEST_CASE("an EFA engine maps libfabric instead of UCX") {
    const auto tree = tree_of(scenario("disagg-efa"), Role::prefill);
    CHECK(di::contains(at(tree, "proc/214/maps"), "/plugins/libplugin_LIBFABRIC.so\n"));
    CHECK(di::contains(at(tree, "proc/214/maps"), "/opt/amazon/efa/lib/libfabric.so.1"));
    CHECK_FALSE(di::contains(at(tree, "proc/214/maps"), "libucp"));
    CHECK(variable(at(tree, "proc/214/environ"), "FI_PROVIDER") == "efa");
    CHECK(has(tree, "sys/module/efa_nv_peermem/refcnt"));
    CHECK_FALSE(has(tree, "sys/module/nvidia_peermem/refcnt"));
}

TEST_CASE("an engine holds its HCAs open where UCX uses them, and only there") {
    struct Case {
        const char* scenario;
        std::size_t open;
    };

    for (const auto& c : {Case{"disagg-ib", 8},
                          Case{"disagg-efa", 16},
                          Case{"tcp-fallback", 0},
                          Case{"no-sm", 0},
                          Case{"disagg-gb200", 0}}) {
        CAPTURE(c.scenario);
        const auto tree = tree_of(scenario(c.scenario), Role::decode);
        std::size_t open = 0;
        for (const auto& fd : below(tree, "proc/214/fd/")) {
            open += di::contains(at(tree, fd), "/dev/infiniband/uverbs") ? 1 : 0;
        }
        CHECK(open == c.open);
    }
}

TEST_CASE("the effective environment is the spec's, the image's and the launcher's") {
    const auto plain = at(tree_of(scenario("disagg-ib"), Role::decode), "proc/214/environ");
    CHECK(variable(plain, "UCX_TLS") == "(absent)");
    CHECK(variable(plain, "UCX_NET_DEVICES") == "(absent)");
    CHECK(variable(plain, "POD_NAME") == "the-pod");
    CHECK(variable(plain, "NIXL_PLUGIN_DIR") == "/opt/nvidia/nvda_nixl/lib64/plugins");
    // Read line by line, the same bytes show a variable that nobody set.
    CHECK(di::contains(plain, "\nUCX_TLS=tcp\n"));

    const auto tcp = tree_of(scenario("tcp-fallback"), Role::prefill);
    CHECK(variable(at(tcp, "proc/214/environ"), "UCX_TLS") == "tcp,cuda_copy");

    const auto hostile = tree_of(scenario("hostile"), Role::prefill);
    CHECK(variable(at(hostile, "proc/214/environ"), "NIXL_ETCD_ENDPOINTS") != "(absent)");
    CHECK(variable(at(hostile, "proc/1/environ"), "NIXL_ETCD_ENDPOINTS") == "(absent)");
}

TEST_CASE("status and limits have the lines that judging needs") {
    const auto tree = tree_of(scenario("disagg-ib"), Role::decode);
    CHECK(di::contains(at(tree, "proc/214/status"), "Uid:\t1000\t1000\t1000\t1000\n"));
    CHECK(di::contains(at(tree, "proc/214/status"), "CapEff:\t0000000000000000\n"));
    CHECK(
        di::contains(at(tree, "proc/214/limits"),
                     "Max locked memory         unlimited            unlimited            bytes"));
}

TEST_CASE("the kernel and the driver show both ways to GPUDirect RDMA") {
    const auto tree = tree_of(scenario("disagg-ib"), Role::decode);
    CHECK(at(tree, "proc/sys/kernel/osrelease") == "6.8.0-64-generic\n");
    CHECK(di::contains(at(tree, "proc/driver/nvidia/version"),
                       "NVIDIA UNIX Open Kernel Module for x86_64  570.172.08"));
    CHECK(di::contains(at(tree, "proc/modules"), "nvidia_peermem 16384 0 - Live"));
    CHECK(at(tree, "sys/module/nvidia_peermem/version") == "570.172.08\n");
    CHECK(has(tree, "dev/gdrdrv"));

    Scenario closed = scenario("disagg-ib");
    closed.components[0].host.driver = Driver::proprietary;
    CHECK(di::contains(at(tree_of(closed, Role::prefill), "proc/driver/nvidia/version"),
                       "NVIDIA UNIX x86_64 Kernel Module  570.172.08"));
}

TEST_CASE("images differ in shell and tools, not in what the kernel shows") {
    const auto full = tree_of(scenario("disagg-ib"), Role::decode);
    const auto bare = tree_of(scenario("no-tools"), Role::decode);
    const auto sealed = tree_of(scenario("no-shell"), Role::decode);
    CHECK(at(full, ".kubesim") == "shell: full\nuid: 1000\n");
    CHECK(at(bare, ".kubesim") == "shell: sh-only\nuid: 1000\n");
    CHECK(at(sealed, ".kubesim") == "shell: none\nuid: 1000\n");
    CHECK(below(full, "usr/bin/").size() == 3);
    CHECK(below(bare, "usr/bin/").empty());
    CHECK(below(bare, "sys/").size() == below(full, "sys/").size());
    CHECK(at(sealed, "proc/1/cmdline").substr(0, 8) == std::string("python3\0", 8));
}

TEST_CASE("NIXL and its plugins lie where the image keeps them") {
    const auto tree = tree_of(scenario("disagg-efa"), Role::decode);
    CHECK(has(tree, "opt/nvidia/nvda_nixl/lib64/plugins/libplugin_UCX.so"));
    CHECK(has(tree, "opt/nvidia/nvda_nixl/lib64/plugins/libplugin_LIBFABRIC.so"));
    CHECK(has(tree,
              "opt/dynamo/venv/lib/python3.12/site-packages/nixl_cu12-1.1.0.dist-info/METADATA"));
    CHECK_FALSE(has(tree_of(scenario("disagg-ib"), Role::decode),
                    "opt/nvidia/nvda_nixl/lib64/plugins/libplugin_LIBFABRIC.so"));
}

TEST_CASE("a GB200 tray shows its IMEX channel and an aarch64 system") {
    const auto tree = tree_of(scenario("disagg-gb200"), Role::decode);
    CHECK(has(tree, "dev/nvidia-caps-imex-channels/channel0"));
    CHECK(has(tree, "dev/nvidia3"));
    CHECK(di::contains(at(tree, "proc/214/maps"), "/usr/lib/aarch64-linux-gnu/libibverbs"));
    CHECK(variable(at(tree, "proc/214/environ"), "UCX_CUDA_IPC_ENABLE_MNNVL") == "y");
}

TEST_CASE("prefill and decode of the mixed fabric differ in link layer alone") {
    const auto mixed = scenario("mixed-fabric");
    CHECK(port(tree_of(mixed, Role::prefill), "mlx5_0", "link_layer") == "InfiniBand\n");
    CHECK(port(tree_of(mixed, Role::decode), "mlx5_0", "link_layer") == "Ethernet\n");
    for (const auto role : {Role::prefill, Role::decode}) {
        CHECK(port(tree_of(mixed, role), "mlx5_0", "state") == "4: ACTIVE\n");
        CHECK(port(tree_of(mixed, role), "mlx5_0", "rate") == "400 Gb/sec (4X NDR)\n");
    }
}

TEST_CASE("leader and follower of a group have trees of their own") {
    const auto grove = scenario("multinode-grove");
    CHECK(root_name(grove.components[0], 0) == "prefill-ldr");
    CHECK(root_name(grove.components[0], 1) == "prefill-wkr");
    CHECK(at(tree_of(grove, Role::decode, 0), "proc/214/comm") == "VLLM::Worker_TP\n");
    CHECK(at(tree_of(grove, Role::decode, 1), "proc/214/cmdline") ==
          std::string("VLLM::Worker_TP8") + '\0');
}
