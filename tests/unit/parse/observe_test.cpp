#include "parse/engine_process.hpp"
#include "parse/host_facts.hpp"
#include "parse/nixl_section.hpp"
#include "parse/observe.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <map>

namespace di::parse {
namespace {

using model::ExecOutcome;
using model::PodObservation;
using model::RawResult;
using model::SkipReason;

const std::string k_nonce = "5f1d0c7ab2e94c3d";

const std::vector<std::string> k_names = {"host",
                                          "nodes",
                                          "rdma",
                                          "net",
                                          "engine",
                                          "environ",
                                          "ranks",
                                          "session",
                                          "nixl",
                                          "ibstat",
                                          "ibv_devinfo",
                                          "ucx_info",
                                          "topo",
                                          "nvlink",
                                          "fabric"};

struct Part {
    std::string text;
    std::string codes = "0";
};

/// A healthy worker, part by part.
std::map<std::string, Part> healthy() {
    const std::string port = "mlx5_0/ports/1/";
    return {
        {"host",
         {"/proc/sys/kernel/osrelease:6.8.0-45-generic\n"
          "/proc/driver/nvidia/version:NVRM version: NVIDIA UNIX Open Kernel Module for x86_64 "
          "570.86.15 Release Build\n+/sys/module/nvidia_peermem\n-/sys/module/nv_peer_mem\n"
          "-/sys/module/efa_nv_peermem\n+/sys/module/gdrdrv\n"
          "?/sys/kernel/mm/memory_peers/nv_mem\n"}},
        {"nodes",
         {"+/dev/infiniband\n+/dev/gdrdrv\n/dev/infiniband/uverbs0:open\n/dev/gdrdrv:open\n"}},
        {"rdma",
         {"+/sys/class/infiniband\n+mlx5_0\nmlx5_0/uevent:DRIVER=mlx5_core\n" + port +
          "state:4: ACTIVE\n" + port + "phys_state:5: LinkUp\n" + port +
          "rate:400 Gb/sec (4X NDR)\n" + port + "link_layer:InfiniBand\n" + port + "lid:0x12\n" +
          "uverbs0/ibdev:mlx5_0\n"}},
        {"net", {"lo\n eth0\n"}},
        {"engine",
         {"4711 /proc/4711 /proc/4712\nUid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000004000\n"
          "Max locked memory         65536                65536                bytes     \nmaps:\n"
          "/usr/local/ucx/lib/libucp.so.0\n/dev/infiniband/uverbs0\nfds:\n"}},
        {"environ", {"UCX_TLS=rc,cuda\n"}},
        {"ranks", {"UCX_TLS=rc,cuda\nUCX_TLS=rc,cuda\n"}},
        {"session", {"UCX_TLS=tcp\n"}},
        {"nixl",
         {"+/opt/nixl/plugins\n/opt/nixl/plugins/libplugin_UCX.so\n+/l/"
          "nixl_cu12-1.1.0.dist-info\n"}},
        {"ibstat", {"", "127"}},
        {"ibv_devinfo", {"", "127"}},
        {"ucx_info",
         {"# Library version: 1.19.0\n# Configured with: --with-cuda=/usr/local/cuda\n"}},
        {"topo", {"", "127"}},
        {"nvlink", {"", "125"}},
        {"fabric", {"", "124 0"}},
    };
}

std::string framed(const std::map<std::string, Part>& parts) {
    std::string out;
    for (const auto& name : k_names) {
        if (const auto found = parts.find(name); found != parts.end()) {
            const auto& part = found->second;
            out +=
                fmt::format("\n{0}<{1}\n{2}\n{0}>{1} {3}\n", k_nonce, name, part.text, part.codes);
        }
    }
    return out + "\n" + k_nonce + ".\n";
}

PodObservation
observed(std::string out, ExecOutcome outcome = ExecOutcome::completed, int code = 0) {
    RawResult result;
    result.outcome = outcome;
    result.exit_code = code;
    result.out = std::move(out);
    result.detail = "as the transport says";
    return observe({}, result, k_nonce);
}

PodObservation with(const std::string& name, const Part& part) {
    auto parts = healthy();
    parts[name] = part;
    return observed(framed(parts));
}

/// The reason of every field that has none: each is given by name.
std::map<std::string, std::optional<SkipReason>> reasons(const PodObservation& seen) {
    std::map<std::string, std::optional<SkipReason>> all;
    const auto note = [&](const char* name, const auto& fact) {
        all[name] = fact ? std::nullopt : std::optional(fact.unseen()->reason);
    };
    note("exec", seen.exec);
    note("sysfs", seen.sysfs);
    note("verbs_nodes", seen.verbs_nodes);
    note("ibstat", seen.ibstat);
    note("ibv_devinfo", seen.ibv_devinfo);
    note("netdevs", seen.netdevs);
    note("kernel", seen.kernel);
    note("driver", seen.driver);
    note("peer_memory", seen.peer_memory);
    note("gdrdrv", seen.gdrdrv);
    note("imex_channels", seen.imex_channels);
    note("engine", seen.engine);
    note("exec_environment", seen.exec_environment);
    note("environment", seen.environment);
    note("topology", seen.topology);
    note("nvlink", seen.nvlink);
    note("fabric", seen.fabric);
    note("ucx", seen.ucx);
    note("nixl_plugins", seen.nixl_plugins);
    note("nixl_version", seen.nixl_version);
    return all;
}

} // namespace

TEST_CASE("observe: a healthy worker, field by field") {
    const auto seen = observed(framed(healthy()));
    CHECK(*seen.exec == 0);
    REQUIRE(seen.sysfs);
    CHECK(seen.sysfs->front().ports.front().lid == 0x12U);
    CHECK(seen.sysfs->front().driver == "mlx5_core");
    CHECK(seen.sysfs->front().uverbs == "uverbs0");
    CHECK(seen.verbs_nodes->front().openable);
    CHECK(*seen.netdevs == std::vector<std::string>{"lo", "eth0"});
    CHECK(seen.kernel->major == 6);
    CHECK(seen.driver->flavour == model::DriverFlavour::open);
    CHECK(seen.peer_memory->nvidia_peermem);
    CHECK(seen.peer_memory->gdrdrv);
    CHECK(!seen.peer_memory->bound);
    CHECK(seen.gdrdrv->value().path == "/dev/gdrdrv");
    CHECK(seen.imex_channels->empty());
    REQUIRE(seen.engine);
    CHECK(seen.engine->processes == 2);
    CHECK(seen.engine->memlock->bytes == 65536);
    CHECK(seen.engine->libraries->front().path == "/usr/local/ucx/lib/libucp.so.0");
    CHECK(seen.engine->open_devices->front() == "/dev/infiniband/uverbs0");
    CHECK(seen.environment->source == model::EnvSource::engine);
    CHECK(seen.environment->tls->transports.count("rc_mlx5") == 1);
    CHECK(seen.exec_environment->at("UCX_TLS") == "tcp");
    CHECK(seen.ucx->version == "1.19.0");
    CHECK(seen.nixl_plugins->front().plugins == std::vector<std::string>{"UCX"});
    CHECK(*seen.nixl_version == "1.1.0");
    CHECK(seen.ibstat.unseen()->reason == SkipReason::tool_missing);
    CHECK(seen.topology.unseen()->reason == SkipReason::tool_missing);
    CHECK(seen.nvlink.unseen()->reason == SkipReason::tool_missing);
    CHECK(seen.fabric.unseen()->reason == SkipReason::timed_out);
}

TEST_CASE("observe: an exec that showed nothing says why in every field") {
    struct Case {
        std::string name;
        RawResult result;
        SkipReason reason;
    };

    const auto make = [](ExecOutcome outcome, int code, std::string err, SkipReason refusal) {
        RawResult result;
        result.outcome = outcome;
        result.exit_code = code;
        result.err = std::move(err);
        result.refusal = refusal;
        result.detail = "detail";
        result.out = outcome == ExecOutcome::refused ? framed(healthy()) : "";
        return result;
    };
    const auto c = GENERATE_COPY(values<Case>({
        {"forbidden",
         make(ExecOutcome::refused, 0, "", SkipReason::no_permission),
         SkipReason::no_permission},
        {"no such program",
         make(ExecOutcome::refused, 0, "", SkipReason::tool_missing),
         SkipReason::tool_missing},
        {"out of time",
         make(ExecOutcome::timed_out, 0, "", SkipReason::unreadable),
         SkipReason::timed_out},
        {"cancelled",
         make(ExecOutcome::cancelled, 0, "", SkipReason::unreadable),
         SkipReason::timed_out},
        {"lost",
         make(ExecOutcome::truncated, 0, "", SkipReason::unreadable),
         SkipReason::truncated},
        {"no sh, by exit code",
         make(ExecOutcome::completed, 127, "", SkipReason::unreadable),
         SkipReason::tool_missing},
        {"sh cannot be run",
         make(ExecOutcome::completed, 126, "", SkipReason::unreadable),
         SkipReason::tool_missing},
        {"no sh, in the runtime's words",
         make(ExecOutcome::completed,
              1,
              "OCI runtime exec failed: exec failed: exec: \"sh\": executable file not found in "
              "$PATH",
              SkipReason::unreadable),
         SkipReason::tool_missing},
        {"sh refuses the script",
         make(ExecOutcome::completed, 2, "sh: syntax error", SkipReason::unreadable),
         SkipReason::unreadable},
        {"nothing at all",
         make(ExecOutcome::completed, 0, "", SkipReason::unreadable),
         SkipReason::truncated},
    }));
    CAPTURE(c.name);
    model::Worker worker;
    worker.spec.env_unresolved = {"UCX_TLS"};
    for (const auto& [field, reason] : reasons(observe(worker, c.result, k_nonce))) {
        CAPTURE(field);
        if (field == "environment" && reason == SkipReason::unreadable) {
            continue; // the pod's spec was asked, and did not know either
        }
        CHECK(reason == c.reason);
    }
}

TEST_CASE("observe: what a marker closed stays evidence when the rest is lost") {
    const auto whole_text = framed(healthy());
    const auto whole = reasons(observed(whole_text));
    const auto outcome =
        GENERATE(ExecOutcome::truncated, ExecOutcome::timed_out, ExecOutcome::completed);
    const auto lost =
        outcome == ExecOutcome::timed_out ? SkipReason::timed_out : SkipReason::truncated;
    for (std::size_t size = 0; size < whole_text.size(); ++size) {
        CAPTURE(size);
        const auto seen = observed(whole_text.substr(0, size), outcome);
        REQUIRE(!seen.exec);
        CHECK(seen.exec.unseen()->reason == lost);
        for (const auto& [field, reason] : reasons(seen)) {
            CAPTURE(field);
            if (field == "environment") {
                continue; // falls back to weaker sources
            }
            CHECK((reason == whole.at(field) || reason == lost));
        }
        if (seen.sysfs) {
            CHECK(seen.sysfs->front().ports.front().lid == 0x12U);
        }
    }
}

TEST_CASE("observe: the effective environment comes from the strongest source that was seen") {
    auto parts = healthy();
    CHECK(observed(framed(parts)).environment->source == model::EnvSource::engine);
    parts["environ"] = {"", "13"};
    CHECK(observed(framed(parts)).environment->source == model::EnvSource::exec);
    parts.erase("session");
    RawResult result;
    result.outcome = ExecOutcome::completed;
    result.out = framed(parts);
    model::Worker worker;
    worker.spec.env = {{"UCX_TLS", "dc"}, {"HF_TOKEN", "x"}};
    worker.spec.env_unresolved = {"HF_TOKEN", "POD_IP"};
    const auto spec = observe(worker, result, k_nonce);
    REQUIRE(spec.environment);
    CHECK(spec.environment->source == model::EnvSource::spec);
    CHECK(spec.environment->values == model::EnvMap{{"UCX_TLS", "dc"}});
    CHECK(spec.exec_environment.unseen()->reason == SkipReason::unreadable);
    worker.spec.env_unresolved.emplace_back("UCX_NET_DEVICES");
    CHECK(observe(worker, result, k_nonce).environment.unseen()->reason == SkipReason::unreadable);
}

TEST_CASE("observe: RDMA in sysfs, absent and unseen") {
    const auto reason = [](const PodObservation& seen) { return seen.sysfs.unseen()->reason; };
    CHECK(with("rdma", {"-/sys/class/infiniband\n", "1"}).sysfs->empty());
    CHECK(with("rdma", {"+/sys/class/infiniband\n+*\n", "1"}).sysfs->empty());
    CHECK(reason(with("rdma", {"?/sys/class/infiniband\n", "1"})) == SkipReason::unreadable);
    CHECK(reason(with("rdma", {"!/sys/class/infiniband\n", "1"})) == SkipReason::no_permission);
    CHECK(reason(with("rdma", {"", "0"})) == SkipReason::unreadable);
    CHECK(reason(with("rdma", {healthy()["rdma"].text, ""})) == SkipReason::truncated);
    CHECK(reason(with("rdma", {"+/sys/class/infiniband\n" + std::string(70'000, 'x'), "0"})) ==
          SkipReason::truncated);
}

TEST_CASE("observe: a section that is printed twice decides nothing") {
    const auto out = framed(healthy());
    const auto seen = observed(framed({{"rdma", healthy()["rdma"]}}) + out);
    CHECK(seen.sysfs.unseen()->reason == SkipReason::unreadable);
    CHECK(seen.kernel);
}

TEST_CASE("engine: a value that another process of it has is a variant, one at a time") {
    CHECK(observed(framed(healthy())).engine->variants.empty());
    const auto seen =
        with("ranks", {"UCX_TLS=rc,cuda\nUCX_TLS=tcp\nUCX_IB_PKEY=0x1\nHF_TOKEN=x\n"});
    const auto& variants = seen.engine->variants;
    REQUIRE(variants.size() == 2);
    CHECK(variants[0].values == model::EnvMap{{"UCX_IB_PKEY", "0x1"}, {"UCX_TLS", "rc,cuda"}});
    CHECK(variants[1].values == model::EnvMap{{"UCX_TLS", "tcp"}});
    CHECK(variants[1].tls->transports.count("rc_mlx5") == 0);
    CHECK(seen.environment->values == model::EnvMap{{"UCX_TLS", "rc,cuda"}});
}

TEST_CASE("engine: what cannot be read says so, and is never empty") {
    const auto engine_of = [](const Part& part) { return with("engine", part).engine; };
    CHECK(engine_of({"\n", "1"}).unseen()->reason == SkipReason::not_running);
    CHECK(engine_of({"4711 1", ""})->libraries.unseen()->reason == SkipReason::truncated);
    const auto closed = engine_of({"4711 0\nUid:\t0\t0\t0\t0\n\n", "0"});
    REQUIRE(closed);
    CHECK(closed->libraries.unseen()->reason == SkipReason::no_permission);
    CHECK(closed->open_devices.unseen()->reason == SkipReason::no_permission);
    CHECK(closed->memlock.unseen()->reason == SkipReason::no_permission);
    CHECK(closed->uid == 0U);
    const auto loading = engine_of({"4711 0\nmaps:\n\nfds:\n", "0"});
    REQUIRE(loading->libraries);
    CHECK(loading->libraries->empty());
    CHECK(loading->open_devices->empty());
    CHECK(!engine_of({"not a number\n", "0"}));
    CHECK(!engine_of({"-1 4\n", "0"}));
}

TEST_CASE("engine: libraries by name, from paths or from lines of maps, each once") {
    const auto engine =
        with("engine",
             {"7 1\nmaps:\n7f00-7f01 r-xp 00000000 08:01 12 /usr/lib/libuct_ib.so.0\n"
              "7f01-7f02 r--p 00000000 08:01 12 /usr/lib/libuct_ib.so.0\n"
              "/a/libcuda.so.1\n/a/libcudart.so\n/a/libm.so\n/b/libmlx5.so (deleted)\n"
              "7f00-7f01 rw-p 00000000 00:00 0\nfds:\n"})
            .engine;
    std::vector<std::string> paths;
    for (const auto& library : *engine->libraries) {
        paths.push_back(library.path);
    }
    CHECK(paths ==
          std::vector<std::string>{"/usr/lib/libuct_ib.so.0", "/a/libcuda.so.1", "/b/libmlx5.so"});
}

TEST_CASE("engine: an environment with a reason") {
    const auto environ_of = [](const Part& part) {
        return with("environ", part).engine->environment;
    };
    CHECK(environ_of({"\n", "0"})->empty());
    CHECK(environ_of({"", "127"}).unseen()->reason == SkipReason::tool_missing);
    CHECK(environ_of({"", "61"}).unseen()->reason == SkipReason::unreadable);
    CHECK(environ_of({"", "2"}).unseen()->reason == SkipReason::no_permission);
    CHECK(environ_of({"UCX_TLS=rc", ""}).unseen()->reason == SkipReason::truncated);
}

TEST_CASE("host: kernel releases") {
    CHECK(parse_kernel("/proc/sys/kernel/osrelease:5.14.0-427.el9.x86_64\n")->minor == 14);
    CHECK(parse_kernel("/proc/sys/kernel/osrelease:4.4.0\n")->major == 4); // gVisor
    for (const std::string text : {"", "6", "x.y", "6.", ".8", "999999999999.1", "6.8888"}) {
        CAPTURE(text);
        CHECK(!parse_kernel("/proc/sys/kernel/osrelease:" + text + "\n"));
    }
    CHECK(!parse_kernel(""));
    CHECK(parse_kernel("/proc/sys/kernel/osrelease:\n").unseen()->why ==
          "/proc/sys/kernel/osrelease reads \"\"");
}

TEST_CASE("host: drivers") {
    const std::string start = "/proc/driver/nvidia/version:NVRM version: NVIDIA UNIX ";
    const auto open = parse_driver(start + "Open Kernel Module for aarch64 580.65.06 Release\n");
    CHECK(open->flavour == model::DriverFlavour::open);
    CHECK(open->version == "580.65.06");
    const auto closed = parse_driver(start + "x86_64 Kernel Module 535.161.08 Sat Feb 17\n");
    CHECK(closed->flavour == model::DriverFlavour::proprietary);
    CHECK(closed->version == "535.161.08");
    const auto module_only = parse_driver("/sys/module/nvidia/version:570.86.15\n");
    CHECK(module_only->flavour == model::DriverFlavour::unknown);
    CHECK(module_only->version == "570.86.15");
    CHECK(!parse_driver("/proc/driver/nvidia/version:hello 1.2\n"));
    CHECK(!parse_driver(""));
}

TEST_CASE("host: peer memory from /sys/module, else from /proc/modules") {
    const std::string absent = "-/sys/module/nvidia_peermem\n-/sys/module/nv_peer_mem\n";
    const std::string hidden = "?/sys/module/nvidia_peermem\n?/sys/module/nv_peer_mem\n";
    const std::string first = "/proc/modules:nvidia_uvm 4935680 16 - Live 0x0 (OE)\n";
    const std::string loaded = "nvidia_peermem 16384 0 - Live 0x0 (OE)\n";
    CHECK(!parse_peer_memory(absent)->nvidia_peermem);
    CHECK(!parse_peer_memory(absent)->bound);
    CHECK(!parse_peer_memory(hidden));
    CHECK(!parse_peer_memory(""));
    CHECK(!parse_peer_memory(hidden + first)->nvidia_peermem);
    const auto unbound = parse_peer_memory(hidden + first + loaded +
                                           "nvidia 6 8 nvidia_uvm,nvidia_peermem, Live 0x0\n");
    CHECK(unbound->nvidia_peermem);
    CHECK(unbound->bound == false);
    const auto bound =
        parse_peer_memory(first + "+/sys/module/nvidia_peermem\n" + loaded +
                          "ib_uverbs 184320 3 nvidia_peermem,mlx5_ib, Live 0x0 (OE)\n");
    CHECK(bound->bound == true);
    CHECK(parse_peer_memory("!/sys/module/nvidia_peermem\n")->nvidia_peermem);
    CHECK(parse_peer_memory(absent + "+/sys/kernel/mm/memory_peers/nv_mem_nc\n")->memory_peers);
}

TEST_CASE("nodes: absent, closed and unseen are three things") {
    CHECK(parse_verbs_nodes("-/dev/infiniband\n")->empty());
    CHECK(parse_verbs_nodes("+/dev/infiniband\n")->empty());
    CHECK(parse_verbs_nodes("!/dev/infiniband\n").unseen()->reason == SkipReason::no_permission);
    CHECK(parse_verbs_nodes("?/dev/infiniband\n").unseen()->reason == SkipReason::unreadable);
    CHECK(!parse_verbs_nodes(""));
    const auto nodes =
        parse_verbs_nodes("+/dev/infiniband\n/dev/infiniband/uverbs0:closed\n"
                          "/dev/infiniband/uverbs10:open\n/dev/infiniband/uverbs2\n");
    REQUIRE(nodes->size() == 2);
    CHECK(!nodes->at(0).openable);
    CHECK(nodes->at(1).path == "/dev/infiniband/uverbs10");
    CHECK(!parse_gdrdrv("-/dev/gdrdrv\n")->has_value());
    CHECK(!parse_gdrdrv("!/dev/gdrdrv\n/dev/gdrdrv:closed\n")->value().openable);
    CHECK(!parse_gdrdrv("?/dev/gdrdrv\n"));
    CHECK(!parse_imex_channels("?/dev/gdrdrv\n"));
    CHECK(parse_imex_channels("-/dev/gdrdrv\n")->empty());
    CHECK(parse_imex_channels("/dev/nvidia-caps-imex-channels/channel0:open\n")->front() ==
          "/dev/nvidia-caps-imex-channels/channel0");
    CHECK(!parse_netdevs("\n"));
}

TEST_CASE("nixl: directories, plugins and the package") {
    const auto found = parse_nixl_directories("+/a/plugins\n/a/plugins/libplugin_UCX.so\n"
                                              "/a/plugins/libplugin_UCX.so\n+/b\n"
                                              "/c/libplugin_.so\n/c/libplugin_X.so.bak\n");
    REQUIRE(found);
    REQUIRE(found->size() == 3);
    CHECK(found->at(0).plugins == std::vector<std::string>{"UCX"});
    CHECK(found->at(1).plugins.empty());
    CHECK(!parse_nixl_directories(""));
    CHECK(!parse_nixl_directories("+/l/nixl-1.0.dist-info\n"));
    CHECK(!parse_nixl_directories("?/own/plugins\n+/opt/nixl/plugins\n"));
    CHECK(parse_nixl_directories("-/own/plugins\n+/opt/nixl/plugins\n")->size() == 1);
    CHECK(*parse_nixl_version("+/l/nixl-0.10.1.dist-info\n") == "0.10.1");
    CHECK(!parse_nixl_version("+/l/nixl.dist-info\n+/l/nixl-.dist-info\n"));
}

} // namespace di::parse
