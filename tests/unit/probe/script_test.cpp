#include "container.hpp"
#include "model/env_names.hpp"
#include "parse/observe.hpp"
#include "parse/sections.hpp"
#include "probe/script.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cctype>

namespace di::probe {
namespace {

using model::PodObservation;
using model::SkipReason;

/// Of this process: with one nonce, tests that run side by side and see the kernel's /proc would
/// end each other's tools.
const std::string k_nonce = fmt::format("5f1d0c7ab2e94c3d8a6b7e0f{:08x}", getpid());

/// As the API server's request line carries it: all but unreserved characters, space as "+".
std::string query_encoded(std::string_view text) {
    constexpr std::string_view k_hex = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 ||
            std::string_view("-_.~/:").find(c) != std::string_view::npos) {
            encoded += c;
        } else if (c == ' ') {
            encoded += '+';
        } else {
            encoded += {'%', k_hex[byte >> 4U], k_hex[byte & 15U]};
        }
    }
    return encoded;
}

#define NEEDS_CONTAINERS()                                                                         \
    if (!Container::why_not().empty()) {                                                           \
        WARN("not tried: " << Container::why_not());                                               \
        return;                                                                                    \
    }

PodObservation observed(const Ran& ran, const model::Worker& worker = {}) {
    model::RawResult result;
    result.outcome = model::ExecOutcome::completed;
    result.exit_code = ran.code;
    result.out = ran.out;
    result.err = ran.err;
    return parse::observe(worker, result, k_nonce);
}

std::string text_of(const Ran& ran, std::string_view section) {
    const auto sections = parse::read_sections(ran.out, k_nonce);
    const auto* const found = sections.find(section);
    return found == nullptr ? "<missing>" : std::string(found->text);
}

std::optional<int> code_of(const Ran& ran, std::string_view section) {
    const auto sections = parse::read_sections(ran.out, k_nonce);
    const auto* const found = sections.find(section);
    return found == nullptr ? std::nullopt : found->code;
}

void add_port(Container& container, const std::string& device, const std::string& gid3) {
    const std::string port = "/sys/class/infiniband/" + device + "/ports/1/";
    const std::string empty = "0000:0000:0000:0000:0000:0000:0000:0000\n";
    container.file(port + "state", "4: ACTIVE\n")
        .file(port + "phys_state", "5: LinkUp\n")
        .file(port + "rate", "400 Gb/sec (4X NDR)\n")
        .file(port + "link_layer", "Ethernet\n")
        .file(port + "lid", "0x0\n")
        .file(port + "sm_lid", "0x0\n")
        .file(port + "gids/0", "fe80:0000:0000:0000:a288:c2ff:fe45:1a30\n")
        .file(port + "gids/1", empty)
        .file(port + "gids/3", gid3)
        .file(port + "gid_attrs/types/0", "IB/RoCE v1\n")
        .file(port + "gid_attrs/types/3", "RoCE v2\n")
        .file(port + "gid_attrs/ndevs/3", "net1\n")
        .file(port + "pkeys/0", "0xffff\n")
        .file(port + "pkeys/1", "0x0000\n");
}

/// A worker on a RoCE node, with a fake /proc: two openable HCAs, and a third one of the host.
void add_worker(Container& container) {
    const std::string hca = "/sys/class/infiniband/mlx5_0/device/";
    add_port(container, "mlx5_0", "0000:0000:0000:0000:0000:ffff:0a90:0415\n");
    add_port(container, "mlx5_1", "0000:0000:0000:0000:0000:ffff:0a91:0415\n");
    container
        .file(hca + "uevent", "DRIVER=mlx5_core\nPCI_CLASS=20700\nPCI_SLOT_NAME=0000:1a:00.0\n")
        .file(hca + "numa_node", "1\n")
        .file("/sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n")
        .file("/sys/class/infiniband_verbs/uverbs1/ibdev", "mlx5_1\n")
        .file("/sys/module/nvidia_peermem/version", "570.86.15\n")
        .file("/sys/kernel/mm/memory_peers/nv_mem/version", "1.3\n")
        .null_device("/dev/infiniband/uverbs0")
        .null_device("/dev/infiniband/uverbs1", 0600)
        .null_device("/dev/infiniband/issm0")
        .null_device("/dev/nvidia-caps-imex-channels/channel0")
        .file("/proc/sys/kernel/osrelease", "5.15.0-1057-aws\n")
        .file("/proc/uptime", "1234.56 99.0\n")
        .file("/proc/driver/nvidia/version",
              "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build\n"
              "GCC version:  gcc version 11.4.0\n")
        .file("/proc/modules",
              "nvidia_peermem 16384 0 - Live 0x0000000000000000 (OE)\n"
              "nvidia 61513728 812 nvidia_uvm,nvidia_peermem, Live 0x0 (OE)\n"
              "ib_core 491520 8 rdma_cm,nvidia_peermem, Live 0x0 (OE)\n")
        .file("/proc/net/dev",
              "Inter-|   Receive                |  Transmit\n"
              " face |bytes    packets errs     |bytes\n"
              "    lo: 1 2 3\n  eth0:4 5 6\n  net1: 0 0 0\n");
}

struct FakeProcess {
    std::string pid;
    std::string cmdline;
    std::string comm = "python3";
    std::string environ_text;
    std::string maps;
};

void add_process(Container& container, const FakeProcess& process) {
    const std::string folder = "/proc/" + process.pid + "/";
    container.file(folder + "cmdline", process.cmdline)
        .file(folder + "comm", process.comm + "\n")
        .file(folder + "environ", process.environ_text)
        .file(folder + "maps", process.maps)
        .file(folder + "status",
              "Name:\t" + process.comm + "\nPPid:\t1\nUid:\t0\t1000\t0\t0\n" +
                  "CapEff:\t0000000000004000\n")
        .file(folder + "limits",
              "Limit                     Soft Limit           Hard Limit           Units     \n"
              "Max locked memory         unlimited            unlimited            bytes     \n");
}

std::string mapped(const std::string& path) {
    return "7f10a0000000-7f10a0040000 r--p 00000000 08:01 1234  " + path + "\n" +
           "7f10a0040000-7f10a0080000 r-xp 00040000 08:01 1234  " + path + "\n";
}

std::string nul_separated(const std::vector<std::string>& entries) {
    std::string text;
    for (const auto& entry : entries) {
        text += entry + '\0';
    }
    return text;
}

void add_engine(Container& container) {
    FakeProcess engine;
    engine.pid = "4711";
    engine.cmdline = nul_separated({"python3", "-m", "dynamo.vllm", "--api-key", "sk-in-argv"});
    engine.environ_text = nul_separated({"PATH=/bin",
                                         "UCX_TLS=rc,cuda",
                                         "HF_TOKEN=hf_planted",
                                         "NIXL_LIBFABRIC_SECRET=planted_too",
                                         "MC_HOST_10=planted_three",
                                         "BANNER=first\nUCX_NET_DEVICES=forged",
                                         "UCX_IB_PKEY=0x8001"});
    engine.maps = mapped("/usr/bin/python3.12") + mapped("/usr/lib/libm.so.6") +
                  mapped("/opt/nvidia/nvda_nixl/lib64/libnixl.so") +
                  mapped("/opt/nvidia/nvda_nixl/lib64/plugins/libplugin_UCX.so") +
                  mapped("/usr/local/ucx/lib/libucp.so.0.0.0 (deleted)");
    add_process(container, engine);
    container.link("/proc/4711/fd/0", "/dev/null")
        .link("/proc/4711/fd/17", "/dev/infiniband/uverbs0")
        .link("/proc/4711/fd/18", "socket:[1234]")
        .file("/opt/nvidia/nvda_nixl/lib64/plugins/libplugin_UCX.so", "")
        .file("/opt/nvidia/nvda_nixl/lib64/plugins/libplugin_POSIX.so", "")
        .directory("/opt/dynamo/venv/lib/python3.12/site-packages/nixl-0.10.1.dist-info");
    add_process(container, {"12", nul_separated({"/bin/sh", "-c", "exec vllm"}), "sh", "", ""});
    add_process(container,
                {"5000",
                 nul_separated({"sh", "-c", std::string(script()), "another"}),
                 "sh",
                 nul_separated({"UCX_TLS=tcp"}),
                 mapped("/usr/local/ucx/lib/libplugin_UCX.so")});
}

const model::Port& only_port(const model::RdmaDevice& device) {
    REQUIRE(device.ports.size() == 1);
    return device.ports.front();
}

void check_devices(const PodObservation& seen, bool second_is_openable) {
    REQUIRE(seen.sysfs);
    REQUIRE(seen.sysfs->size() == 2);
    const auto& hca = seen.sysfs->front();
    CHECK(hca.name == "mlx5_0");
    CHECK(hca.driver == "mlx5_core");
    CHECK(hca.pci == "0000:1a:00.0");
    CHECK(hca.numa_node == 1);
    CHECK(hca.uverbs == "uverbs0");
    const auto& port = only_port(hca);
    CHECK(port.state == model::PortState::active);
    CHECK(port.phys_state == model::PhysState::link_up);
    CHECK(port.link_layer == model::LinkLayer::ethernet);
    CHECK(port.rate_gbps == 400);
    CHECK(port.pkeys == std::vector<std::uint16_t>{0xFFFF});
    REQUIRE(port.gids.size() == 2);
    CHECK(port.gids[1].index == 3);
    CHECK(port.gids[1].type == model::GidType::roce_v2);
    CHECK(port.gids[1].netdev == "net1");
    CHECK(seen.sysfs->at(1).driver.empty());
    REQUIRE(seen.verbs_nodes);
    REQUIRE(seen.verbs_nodes->size() == 2);
    CHECK(seen.verbs_nodes->at(0).openable);
    CHECK(seen.verbs_nodes->at(1).openable == second_is_openable);
    REQUIRE(seen.gdrdrv);
    CHECK(!seen.gdrdrv->has_value());
    REQUIRE(seen.imex_channels);
    CHECK(seen.imex_channels->size() == 1);
}

void check_host(const PodObservation& seen) {
    REQUIRE(seen.kernel);
    CHECK(seen.kernel->major == 5);
    CHECK(seen.kernel->minor == 15);
    REQUIRE(seen.driver);
    CHECK(seen.driver->version == "570.86.15");
    CHECK(seen.driver->flavour == model::DriverFlavour::open);
    REQUIRE(seen.peer_memory);
    CHECK(seen.peer_memory->nvidia_peermem);
    CHECK(seen.peer_memory->memory_peers);
    CHECK(!seen.peer_memory->nv_peer_mem);
    CHECK(seen.peer_memory->bound == true);
    REQUIRE(seen.netdevs);
    CHECK(*seen.netdevs == std::vector<std::string>{"lo", "eth0", "net1"});
}

void check_engine(const PodObservation& seen) {
    REQUIRE(seen.engine);
    CHECK(seen.engine->pid == 4711);
    CHECK(seen.engine->processes == 1);
    CHECK(seen.engine->uid == 1000U);
    CHECK(seen.engine->cap_eff == 0x4000U);
    REQUIRE(seen.engine->memlock);
    CHECK(seen.engine->memlock->unlimited);
    REQUIRE(seen.engine->libraries);
    std::vector<std::string> paths;
    for (const auto& library : *seen.engine->libraries) {
        paths.push_back(library.path);
    }
    CHECK(paths == std::vector<std::string>{"/opt/nvidia/nvda_nixl/lib64/libnixl.so",
                                            "/opt/nvidia/nvda_nixl/lib64/plugins/libplugin_UCX.so",
                                            "/usr/local/ucx/lib/libucp.so.0.0.0"});
    REQUIRE(seen.engine->open_devices);
    CHECK(*seen.engine->open_devices == std::vector<std::string>{"/dev/infiniband/uverbs0"});
    REQUIRE(seen.nixl_plugins);
    REQUIRE(!seen.nixl_plugins->empty());
    CHECK(seen.nixl_plugins->front().plugins == std::vector<std::string>{"POSIX", "UCX"});
    REQUIRE(seen.nixl_version);
    CHECK(*seen.nixl_version == "0.10.1");
}

/// Splitting the engine's environment needs `tr`; without it there is the exec session's.
void check_environment(const PodObservation& seen, Tools tools) {
    REQUIRE(seen.environment);
    const auto& values = seen.environment->values;
    CHECK(values.count("UCX_NET_DEVICES") == 0);
    if (tools == Tools::busybox) {
        CHECK(seen.environment->source == model::EnvSource::engine);
        CHECK(values.at("UCX_TLS") == "rc,cuda");
        CHECK(values.at("UCX_IB_PKEY") == "0x8001");
    } else {
        CHECK(seen.environment->source == model::EnvSource::exec);
        CHECK(seen.engine->environment.unseen()->reason == SkipReason::tool_missing);
        CHECK(values.at("UCX_TLS") == "from_session");
        CHECK(values.at("UCX_MAX_RMA_RAILS") == "4");
    }
}

void check_secrets(const Ran& ran) {
    for (const char* const secret :
         {"hf_planted", "planted_too", "planted_three", "sk-in-argv", "dynamo.vllm"}) {
        CAPTURE(secret);
        CHECK(ran.out.find(secret) == std::string::npos);
        CHECK(ran.err.find(secret) == std::string::npos);
    }
}

std::vector<std::string> names_below(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        names.push_back(entry.path().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

TEST_CASE("the script fits a request line of 7,800 bytes beside long names") {
    const std::string name(63, 'n');
    const std::string line =
        "GET /k8s/clusters/c-m-abcdefgh/api/v1/namespaces/" + name + "/pods/" + name +
        "/exec?command=sh&command=-c&command=" + query_encoded(script()) + "&command=" + k_nonce +
        "&container=" + name + "&stderr=true&stdin=true&stdout=true&tty=false HTTP/1.1";
    CHECK(line.size() <= 7800);
}

TEST_CASE("the script is plain text with the lists of names and the cap of the parser in it") {
    const std::string text(script());
    CHECK(text.front() == ':');
    CHECK(text.find('@' + std::string("ALLOWED")) == std::string::npos);
    CHECK(text.find("\n#") == std::string::npos);
    CHECK(text.find("head -c " + std::to_string(parse::k_section_cap) + "\n") != std::string::npos);
    for (const auto name : model::k_env_allowed) {
        CHECK(text.find(name) != std::string::npos);
    }
    for (const auto name : model::k_env_denied) {
        CHECK(text.find(name) != std::string::npos);
    }
    CHECK(std::all_of(
        text.begin(), text.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; }));
}

TEST_CASE("every shell sees the same, with and without tools, as root and as a user") {
    NEEDS_CONTAINERS();
    for (const auto& shell : shells()) {
        for (const auto tools : {Tools::none, Tools::busybox}) {
            for (const uid_t uid : {0U, 1000U}) {
                CAPTURE(shell.name, shell.launch.front(), tools == Tools::busybox, uid);
                Container container(shell, tools);
                add_worker(container);
                add_engine(container);
                container.user(uid).environment({"UCX_TLS=from_session",
                                                 "HF_TOKEN=hf_planted",
                                                 "BANNER=x\nexport UCX_NET_DEVICES=forged",
                                                 "UCX_MAX_RMA_RAILS=4"});
                const auto before = names_below(container.path());
                const auto ran = container.probe(k_nonce);
                CHECK(ran.code == 0);
                CHECK(ran.err.empty());
                CHECK(names_below(container.path()) == before); // it writes no file
                const auto seen = observed(ran);
                REQUIRE(seen.exec);
                check_host(seen);
                check_devices(seen, uid == 0);
                check_engine(seen);
                check_secrets(ran);
                check_environment(seen, tools);
                CHECK(seen.topology.unseen()->reason == SkipReason::tool_missing);
            }
        }
    }
}

TEST_CASE("an image with nothing in it but a shell gives reasons and no facts") {
    NEEDS_CONTAINERS();
    for (const auto& shell : shells()) {
        CAPTURE(shell.name, shell.launch.front());
        const auto ran = Container(shell).probe(k_nonce);
        CHECK(ran.code == 0);
        const auto seen = observed(ran);
        REQUIRE(seen.exec);
        CHECK(seen.sysfs.unseen()->reason == SkipReason::unreadable);
        CHECK(seen.kernel.unseen()->reason == SkipReason::unreadable);
        CHECK(seen.driver.unseen()->reason == SkipReason::unreadable);
        CHECK(seen.peer_memory.unseen()->reason == SkipReason::unreadable);
        CHECK(seen.netdevs.unseen()->reason == SkipReason::unreadable);
        CHECK(seen.engine.unseen()->reason == SkipReason::not_running);
        CHECK(seen.nixl_plugins.unseen()->reason == SkipReason::unreadable);
        REQUIRE(seen.verbs_nodes); // /dev is there, and has no infiniband in it
        CHECK(seen.verbs_nodes->empty());
    }
}

TEST_CASE("what is closed to the probing user is not absent") {
    NEEDS_CONTAINERS();
    for (const auto& shell : shells()) {
        CAPTURE(shell.name, shell.launch.front());
        Container container(shell, Tools::busybox);
        add_worker(container);
        add_engine(container);
        container.directory("/dev/infiniband", 0700)
            .directory("/sys/module", 0700)
            .file("/proc/modules", "", 0600)
            .file("/proc/4711/environ", "UCX_TLS=rc", 0600)
            .file("/proc/4711/maps", "", 0600)
            .directory("/proc/4711/fd", 0700)
            .user(1000);
        const auto seen = observed(container.probe(k_nonce));
        CHECK(seen.verbs_nodes.unseen()->reason == SkipReason::no_permission);
        CHECK(seen.peer_memory.unseen()->reason == SkipReason::unreadable);
        REQUIRE(seen.engine);
        CHECK(seen.engine->environment.unseen()->reason == SkipReason::no_permission);
        CHECK(seen.engine->libraries.unseen()->reason == SkipReason::no_permission);
        CHECK(seen.engine->open_devices.unseen()->reason == SkipReason::no_permission);
        CHECK(seen.engine->memlock);
    }
}

TEST_CASE("what one of several engine processes has otherwise is a variant, in every shell") {
    NEEDS_CONTAINERS();
    for (const auto& shell : shells()) {
        CAPTURE(shell.name, shell.launch.front());
        Container container(shell, Tools::busybox);
        add_worker(container);
        const auto plugin = mapped("/usr/lib/libplugin_UCX.so") + mapped("/usr/lib/libucp.so.0");
        for (const auto& [pid, tls] :
             std::vector<std::pair<std::string, std::string>>{{"7", "rc"}, {"8", "tcp"}}) {
            add_process(container,
                        {pid,
                         nul_separated({"python3", "-m", "dynamo.vllm"}),
                         "python3",
                         nul_separated({"RANK=" + pid, "UCX_TLS=" + tls, "HF_TOKEN=hf_planted"}),
                         plugin});
        }
        const auto ran = container.probe(k_nonce);
        check_secrets(ran);
        const auto seen = observed(ran);
        REQUIRE(seen.engine);
        CHECK(seen.engine->processes == 2);
        CHECK(seen.environment->values == model::EnvMap{{"UCX_TLS", "rc"}});
        REQUIRE(seen.engine->variants.size() == 1);
        CHECK(seen.engine->variants.front().values == model::EnvMap{{"UCX_TLS", "tcp"}});
    }
}

TEST_CASE("an environment that a process title has overwritten is asked of the parent") {
    NEEDS_CONTAINERS();
    Container container(shells().front(), Tools::busybox);
    add_worker(container);
    const std::string wiped(64, '\0');
    add_process(container,
                {"7", "VLLM::Worker_TP0", "python3", wiped, mapped("/usr/lib/libplugin_UCX.so")});

    SECTION("which has it") {
        add_process(container,
                    {"1",
                     nul_separated({"python3", "-m", "dynamo.vllm"}),
                     "python3",
                     nul_separated({"UCX_TLS=rc"}),
                     ""});
        const auto seen = observed(container.probe(k_nonce));
        REQUIRE(seen.engine);
        CHECK(seen.engine->pid == 7);
        REQUIRE(seen.engine->environment);
        CHECK(seen.engine->environment->at("UCX_TLS") == "rc");
    }
    SECTION("unless that is a shell, whose exports come later") {
        add_process(
            container,
            {"1", nul_separated({"sh", "run.sh"}), "sh", nul_separated({"UCX_TLS=tcp"}), ""});
        const auto seen = observed(container.probe(k_nonce));
        REQUIRE(seen.engine);
        CHECK(seen.engine->environment.unseen()->reason == SkipReason::unreadable);
        CHECK(seen.environment->source == model::EnvSource::exec);
    }
}

TEST_CASE("the kernel's own /proc shows the engine of this container and no other process") {
    NEEDS_CONTAINERS();
    const std::string library = "/lib/x86_64-linux-gnu/libm.so.6";
    if (!std::filesystem::exists(library)) {
        WARN("not tried: no library to map");
        return;
    }
    for (const auto& shell : shells()) {
        for (const uid_t uid : {0U, 1000U}) {
            CAPTURE(shell.name, shell.launch.front(), uid);
            Container container({"dash", {"/bin/sh", "-c"}}, Tools::busybox);
            container.copy("/opt/engine", "/bin/dash")
                .copy("/usr/lib/libucp.so.0", library)
                .null_device("/dev/infiniband/uverbs0")
                .null_device("/dev/infiniband/uverbs1")
                .real_proc()
                .user(uid);
            container.start(
                {"/opt/engine", "-c", "exec 5<>/dev/infiniband/uverbs1; kill -STOP $$"},
                {"LD_PRELOAD=/usr/lib/libucp.so.0", "UCX_TLS=rc", "HF_TOKEN=hf_planted"});
            const auto ran = container.probe(k_nonce);
            check_secrets(ran);
            const auto seen = observed(ran);
            REQUIRE(seen.engine);
            REQUIRE(seen.engine->libraries);
            const std::string path = seen.engine->libraries->front().path;
            CHECK(path.substr(path.rfind('/')) == "/libucp.so.0");
            REQUIRE(seen.engine->open_devices);
            CHECK(*seen.engine->open_devices ==
                  std::vector<std::string>{"/dev/infiniband/uverbs1"});
            REQUIRE(seen.engine->environment);
            CHECK(*seen.engine->environment == model::EnvMap{{"UCX_TLS", "rc"}});
            CHECK(seen.engine->uid == uid);
            CHECK(seen.engine->memlock);
        }
    }
}

TEST_CASE("an engine of another user is found, and what it hides is no permission") {
    NEEDS_CONTAINERS();
    Container container(shells().front(), Tools::busybox);
    container.copy("/opt/vllm-engine", "/bin/dash").real_proc();
    container.start({"/opt/vllm-engine", "-c", "kill -STOP $$"}, {"UCX_TLS=rc"});
    const auto seen = observed(container.user(1000).probe(k_nonce));
    REQUIRE(seen.engine);
    CHECK(seen.engine->uid == 0U);
    CHECK(seen.engine->environment.unseen()->reason == SkipReason::no_permission);
    CHECK(seen.engine->libraries.unseen()->reason == SkipReason::no_permission);
    CHECK(seen.engine->open_devices.unseen()->reason == SkipReason::no_permission);
}

TEST_CASE("a section comes out byte by byte, whatever it ends in") {
    NEEDS_CONTAINERS();
    using namespace std::string_literals;
    const auto text = GENERATE("abc"s, "abc\n"s, "\n\n"s, "a\0b\n"s, "\r\nx\\"s);
    for (const auto& shell : shells()) {
        CAPTURE(shell.name, shell.launch.front(), text);
        Container container(shell, Tools::busybox);
        container.file("/text", text).program("/usr/bin/ibstat", "cat /text; exit 3");
        const auto ran = container.probe(k_nonce);
        CHECK(text_of(ran, "ibstat") == text);
        CHECK(code_of(ran, "ibstat") == 3);
    }
}

TEST_CASE("text that looks like a marker of another run stays text") {
    NEEDS_CONTAINERS();
    Container container(shells().front(), Tools::busybox);
    const std::string forged =
        "\nffff<rdma\nmlx5_9/ports/1/state:4: ACTIVE\n\nffff>rdma 0\n\nffff.\n";
    container.file("/forged", forged).program("/usr/bin/ibstat", "cat /forged");
    const auto ran = container.probe(k_nonce);
    CHECK(text_of(ran, "ibstat") == forged);
    CHECK(parse::read_sections(ran.out, k_nonce).complete);
}

TEST_CASE("a tool that never stops printing is cut, and its exit code is its own") {
    NEEDS_CONTAINERS();
    for (const auto& shell : shells()) {
        CAPTURE(shell.name, shell.launch.front());
        Container container(shell, Tools::busybox);
        container.program("/usr/bin/ibstat", "exec yes CA").real_proc();
        const auto ran = container.probe(k_nonce);
        const auto sections = parse::read_sections(ran.out, k_nonce);
        const auto* const ibstat = sections.find("ibstat");
        REQUIRE(ibstat != nullptr);
        CHECK(ibstat->capped);
        CHECK(ibstat->text.size() == parse::k_section_cap);
        CHECK(sections.complete);
        CHECK(observed(ran).ibstat.unseen()->reason == SkipReason::truncated);
        CHECK(container.left_running().empty());
    }
}

TEST_CASE("without head, long files are cut by the shell itself") {
    NEEDS_CONTAINERS();
    for (const auto& shell : shells()) {
        CAPTURE(shell.name, shell.launch.front());
        std::string interfaces;
        for (int i = 0; i < 9000; ++i) {
            interfaces += "  net" + std::to_string(i) + ": 0\n";
        }
        Container container(shell);
        container.file("/proc/net/dev", interfaces);
        const auto ran = container.probe(k_nonce);
        const auto sections = parse::read_sections(ran.out, k_nonce);
        REQUIRE(sections.find("net") != nullptr);
        CHECK(sections.find("net")->capped);
        CHECK(sections.complete);
        CHECK(observed(ran).netdevs.unseen()->reason == SkipReason::truncated);
    }
}

TEST_CASE("tools that hang are killed, and those for which no time is left are not run") {
    NEEDS_CONTAINERS();
    Container container(shells().front(), Tools::busybox);
    for (const char* const tool : {"ibstat", "ibv_devinfo", "ucx_info", "nvidia-smi"}) {
        container.program(std::string("/usr/bin/") + tool, "echo begun; sleep 600");
    }
    const auto ran = container.real_proc().probe(k_nonce);
    CHECK(text_of(ran, "ibstat").find("begun\n") == 0);
    CHECK(code_of(ran, "ibstat") == 137);
    // Which tool is the first without time left depends on the machine; none may run on.
    const auto seen = observed(ran);
    CHECK(seen.ibstat.unseen()->reason == SkipReason::timed_out);
    CHECK(seen.nvlink.unseen()->reason == SkipReason::timed_out);
    CHECK(seen.fabric.unseen()->reason == SkipReason::timed_out);
    CHECK(parse::read_sections(ran.out, k_nonce).complete);
    CHECK(container.left_running().empty());
}

TEST_CASE("what a tool leaves running is ended with the probe") {
    NEEDS_CONTAINERS();
    for (const auto& shell : shells()) {
        CAPTURE(shell.name, shell.launch.front());
        Container container(shell, Tools::busybox);
        container.program("/usr/bin/ibstat", "sleep 600 & echo CA; exit 0").real_proc();
        const auto ran = container.probe(k_nonce);
        CHECK(text_of(ran, "ibstat").find("CA") == 0);
        CHECK(container.left_running().empty());
    }
}

TEST_CASE("without a timeout command no tool is run") {
    NEEDS_CONTAINERS();
    for (const auto& shell : shells()) {
        CAPTURE(shell.name, shell.launch.front());
        Container container(shell);
        container.program("/usr/bin/nvidia-smi", "echo ran >/ran");
        const auto ran = container.probe(k_nonce);
        CHECK(code_of(ran, "topo").value_or(0) >=
              125); // busybox thinks it has one, and cannot run it
        CHECK(!observed(ran).topology);
    }
}

TEST_CASE("of nvidia-smi -q only the lines around the fabric leave the pod") {
    NEEDS_CONTAINERS();
    Container container(shells().front(), Tools::busybox);
    container.file("/q",
                   "\n==============NVSMI LOG==============\n\nDriver Version : 570.86.15\n\n"
                   "GPU 00000000:18:00.0\n"
                   "    Product Name                          : NVIDIA H100\n"
                   "    Serial Number                         : 165\n"
                   "    Clocks Event Reasons\n"
                   "        State                             : Active\n"
                   "    Fabric\n"
                   "        State                             : Completed\n"
                   "        Status                            : Success\n"
                   "        Health\n"
                   "            Bandwidth                     : N/A\n"
                   "    Processes\n"
                   "        Process ID                        : 4711\n");
    container.program("/usr/bin/nvidia-smi", "[ \"$1\" = -q ] && cat /q; exit 9");
    const auto ran = container.probe(k_nonce);
    const auto text = text_of(ran, "fabric");
    CHECK(code_of(ran, "fabric") == 9);
    CHECK(text.find("Product Name") != std::string::npos);
    CHECK(text.find("Completed") != std::string::npos);
    CHECK(text.find("Bandwidth") != std::string::npos);
    CHECK(text.find("Serial") == std::string::npos);
    CHECK(text.find("Active") == std::string::npos);
    CHECK(text.find("4711") == std::string::npos);
}

TEST_CASE("the script ends when nobody reads it any more") {
    NEEDS_CONTAINERS();
    for (const auto& shell : shells()) {
        CAPTURE(shell.name, shell.launch.front());
        Container container(shell, Tools::busybox);
        add_worker(container);
        container.program("/usr/bin/ibstat", "yes CA").real_proc();
        static_cast<void>(container.probe_until(k_nonce, 10)); // returns at all
        CHECK(container.left_running().empty());
    }
}

} // namespace di::probe
