#include "cases.hpp"

namespace di::test {

using model::Role;
using model::SkipReason;
using model::Status;

namespace {

FakePod pod() {
    return infiniband_pod(Role::prefill);
}

FakePod memlock(std::uint64_t bytes, std::optional<std::uint64_t> capabilities) {
    auto changed = pod();
    changed.seen.engine->memlock = model::Memlock{false, bytes};
    changed.seen.engine->cap_eff = capabilities;
    return changed;
}

FakePod exit_code(int code) {
    return pod().change([&](FakePod& changed) { changed.seen.exec = code; });
}

FakePod no_engine(SkipReason reason) {
    return pod().change([&](FakePod& changed) { changed.seen.engine = unseen(reason); });
}

FakePod ucx_build(bool cuda, bool verbs) {
    return pod().change([&](FakePod& changed) {
        changed.seen.ucx->cuda = cuda;
        changed.seen.ucx->verbs = verbs;
    });
}

FakePod mooncake(const std::string& library) {
    auto changed = pod();
    changed.worker.backend = model::Backend::sglang;
    changed.arguments({"--disaggregation-transfer-backend", "mooncake"});
    return changed.libraries({library});
}

FakePod closed_environment() {
    return pod().change([](FakePod& changed) {
        changed.seen.engine->environment = unseen(SkipReason::no_permission);
    });
}

const std::string k_nixl = "/opt/nixl/libnixl.so";
const std::string k_ucp = "/usr/local/ucx/lib/libucp.so.0.0.0";

std::vector<RuleCase> process_cases() {
    constexpr std::uint64_t k_ipc_lock = 0x4000;
    return {
        {"EXEC-001", "the probe ended with 0", Status::ok, pod()},
        {"EXEC-001", "the probe ended with another code", Status::warn, exit_code(3), "code 3"},
        {"EXEC-001", "the probe ended with 1", Status::warn, exit_code(1), "code 1"},
        {"EXEC-001", "no shell", Status::skipped, pod().unseen_exec(SkipReason::tool_missing)},
        {"EXEC-001", "time was up", Status::skipped, pod().unseen_exec(SkipReason::timed_out)},
        {"EXEC-001",
         "nobody even tried",
         Status::skipped,
         pod().unseen_exec(SkipReason::not_requested)},

        {"UCX-002", "an engine is there", Status::ok, pod(), "214"},
        {"UCX-002", "its environment is closed", Status::warn, closed_environment()},
        {"UCX-002", "no engine", Status::skipped, no_engine(SkipReason::not_running)},

        {"UCX-004", "unlimited", Status::ok, pod(), "unlimited"},
        {"UCX-004", "2^63 is unlimited", Status::ok, memlock(1ULL << 63U, 0)},
        {"UCX-004", "a small limit with CAP_IPC_LOCK", Status::ok, memlock(65536, k_ipc_lock)},
        {"UCX-004", "exactly 1 GiB", Status::warn, memlock(1ULL << 30U, 0), "1048576 KiB"},
        {"UCX-004", "just under 1 GiB", Status::fail, memlock((1ULL << 30U) - 1, 0)},
        {"UCX-004", "all capabilities but IPC_LOCK", Status::fail, memlock(65536, ~k_ipc_lock)},
        {"UCX-004", "64 KiB, capabilities not shown", Status::warn, memlock(65536, std::nullopt)},
        {"UCX-004",
         "no engine to read it from",
         Status::skipped,
         no_engine(SkipReason::unreadable)},
        {"UCX-004", "KV goes over NVLink", Status::skipped, gb200_pod(Role::prefill)},
    };
}

std::vector<RuleCase> library_cases() {
    const auto no_plugin_dir = [](FakePod& changed) {
        changed.seen.nixl_plugins = std::vector<model::PluginDirectory>{{"/plugins", {"POSIX"}}};
        changed.env("NIXL_PLUGIN_DIR", "/plugins/");
    };
    return {
        {"NIXL-001", "NIXL and the plugin are mapped", Status::ok, pod(), "libplugin_UCX.so"},
        {"NIXL-001", "LIBFABRIC selected and mapped", Status::ok, efa_pod(Role::decode)},
        {"NIXL-001",
         "Mooncake's engine mapped",
         Status::ok,
         mooncake("/usr/lib/libtransfer_engine.so")},
        {"NIXL-001",
         "another plugin mapped",
         Status::warn,
         efa_pod(Role::decode).libraries({k_nixl, "/opt/nixl/plugins/libplugin_UCX.so"}),
         "libplugin_LIBFABRIC.so"},
        {"NIXL-001",
         "NIXL_PLUGIN_DIR lacks the plugin",
         Status::fail,
         pod().libraries({k_nixl}).change(no_plugin_dir),
         "NIXL_PLUGIN_DIR=/plugins/"},
        {"NIXL-001",
         "NIXL_PLUGIN_DIR lacks it, and there is no engine",
         Status::fail,
         no_engine(SkipReason::not_running).change(no_plugin_dir)},
        {"NIXL-001",
         "what is mapped beats NIXL_PLUGIN_DIR",
         Status::ok,
         pod().change(no_plugin_dir)},
        {"NIXL-001", "nothing mapped yet", Status::skipped, pod().libraries({}), "still loading?"},
        {"NIXL-001", "Mooncake inside a Python module", Status::skipped, mooncake("/usr/lib/x.so")},
        {"NIXL-001", "no engine", Status::skipped, no_engine(SkipReason::not_running)},

        {"NIXL-002", "one copy", Status::ok, pod(), k_ucp},
        {"NIXL-002",
         "a wheel's copy beside it",
         Status::warn,
         pod().libraries({k_nixl, k_ucp, "/usr/lib/python3/nixl_cu12.libs/libucp-0a1b.so.0"}),
         "2 copies"},
        {"NIXL-002", "none mapped yet", Status::skipped, pod().libraries({k_nixl})},
        {"NIXL-002", "LIBFABRIC needs none", Status::skipped, efa_pod(Role::decode)},
    };
}

std::vector<RuleCase> advice_cases() {
    return {
        {"UCX-001", "built with both", Status::ok, ucx_build(true, true), "1.20.0"},
        {"UCX-001", "built without verbs", Status::warn, ucx_build(true, false), "verbs"},
        {"UCX-001", "built without both", Status::warn, ucx_build(false, false), "CUDA and verbs"},
        {"UCX-001", "no ucx_info", Status::skipped, pod().change([](FakePod& changed) {
             changed.seen.ucx = unseen(SkipReason::tool_missing);
         })},

        {"UCX-003", "four HCAs open", Status::ok, pod(), "4 HCAs"},
        {"UCX-003", "only gdrdrv open", Status::warn, pod().change([](FakePod& changed) {
             changed.seen.engine->open_devices = std::vector<std::string>{"/dev/gdrdrv"};
         })},
        {"UCX-003",
         "its files are closed to us",
         Status::skipped,
         pod().change([](FakePod& changed) {
             changed.seen.engine->open_devices = unseen(SkipReason::no_permission);
         })},
    };
}

} // namespace

std::vector<RuleCase> engine_cases() {
    return joined<RuleCase>({process_cases(), library_cases(), advice_cases()});
}

} // namespace di::test
