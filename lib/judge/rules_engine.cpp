// The probe itself, the engine process, its limits and its libraries.
#include "base/strings.hpp"
#include "judge/catalogue/engine.hpp"
#include "judge/engine_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace di::judge::engine {
namespace {

using model::SkipReason;

constexpr std::uint64_t k_cap_ipc_lock = std::uint64_t{1} << 14U; // capabilities(7)

const model::Seen<std::vector<model::MappedLibrary>>* libraries(const PodView& view) {
    return view.seen.engine ? &view.seen.engine->libraries : nullptr;
}

std::string_view file_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

/// Mapped files whose name starts like this.
std::set<std::string> mapped(const PodView& view, std::string_view prefix) {
    std::set<std::string> paths;
    const auto* seen = libraries(view);
    if (seen == nullptr || !*seen) {
        return paths;
    }
    for (const auto& library : **seen) {
        if (file_name(library.path).substr(0, prefix.size()) == prefix) {
            paths.insert(library.path);
        }
    }
    return paths;
}

/// The library that has to be in the engine: the backend's plugin, or Mooncake's engine.
std::string wanted_library(const UsedPath& path) {
    return path.kind == PathKind::mooncake ? "libtransfer_engine"
                                           : "libplugin_" + path.plugin + ".";
}

/// NIXL_PLUGIN_DIR points at a directory that was listed and does not hold the plugin.
const std::string* plugin_dir_without(const PodView& view) {
    const auto* dir = setting(view.worker, view.seen, "NIXL_PLUGIN_DIR");
    if (dir == nullptr || !view.seen.nixl_plugins || view.path.plugin.empty()) {
        return nullptr;
    }
    const auto wanted = trim(*dir).substr(0, dir->find_last_not_of('/') + 1);
    for (const auto& listed : *view.seen.nixl_plugins) {
        const auto& plugins = listed.plugins;
        if (listed.path == wanted &&
            std::find(plugins.begin(), plugins.end(), view.path.plugin) == plugins.end()) {
            return dir;
        }
    }
    return nullptr;
}

bool has_ipc_lock(const PodView& view) {
    return view.seen.engine && (view.seen.engine->cap_eff.value_or(0) & k_cap_ipc_lock) != 0;
}

Finding not_mapped(const PodView& view, const std::string& wanted) {
    const auto others = mapped(view, "libplugin_");
    if (!others.empty()) {
        std::vector<std::string> names;
        names.reserve(others.size());
        for (const auto& path : others) {
            names.emplace_back(file_name(path));
        }
        return warn(fmt::format("the engine has {} loaded, but not {}so, which the settings select",
                                join(names, ", "),
                                wanted));
    }
    return skipped(SkipReason::not_running,
                   "the engine has not loaded its transfer library yet (still loading?)");
}

} // namespace

const Unseen* needs_exec(const PodView& view) {
    return view.seen.exec.unseen();
}

const Unseen* needs_engine(const PodView& view) {
    return view.seen.engine.unseen();
}

const Unseen* needs_libraries(const PodView& view) {
    const auto* seen = libraries(view);
    return seen == nullptr ? view.seen.engine.unseen() : seen->unseen();
}

/// A plugin directory without the plugin is proof by itself; loading is shown by the process only.
const Unseen* needs_plugin_evidence(const PodView& view) {
    return plugin_dir_without(view) != nullptr ? nullptr : needs_libraries(view);
}

const Unseen* needs_open_devices(const PodView& view) {
    return view.seen.engine ? view.seen.engine->open_devices.unseen() : view.seen.engine.unseen();
}

const Unseen* needs_ucx_build(const PodView& view) {
    return view.seen.ucx.unseen();
}

const Unseen* needs_memlock(const PodView& view) {
    if (!view.seen.engine) {
        return view.seen.engine.unseen();
    }
    return has_ipc_lock(view) ? nullptr : view.seen.engine->memlock.unseen();
}

Finding judge_exec(const PodView& view) {
    if (*view.seen.exec != 0) {
        return warn(fmt::format("the probe ended with exit code {}", *view.seen.exec));
    }
    if (view.seen.route == model::ExecRoute::kubectl) {
        return ok("the probe ran to its end, by kubectl exec: create on pods/exec is granted, get "
                  "is not")
            .with("route", "kubectl")
            .because("exec", "exit code 0");
    }
    return ok("the probe ran to its end").because("exec", "exit code 0");
}

/// The engine's own environment is closed: what is judged in its place, and why.
std::string without_environment(const PodView& view) {
    const auto& why = view.seen.engine->environment.unseen()->why;
    return view.seen.environment
               ? fmt::format("its environment is closed ({}), that of the {} is judged",
                             why,
                             to_string(view.seen.environment->source))
               : fmt::format("its environment is closed ({})", why);
}

Finding judge_engine(const PodView& view) {
    const auto& engine = *view.seen.engine;
    auto finding =
        engine.environment
            ? ok(fmt::format("engine process {} found, {} in all", engine.pid, engine.processes))
            : warn(fmt::format(
                  "engine process {} found, but {}", engine.pid, without_environment(view)));
    return std::move(finding)
        .with("pid", engine.pid)
        .with("processes", engine.processes)
        .because("/proc", fmt::format("pid {}", engine.pid));
}

Finding judge_open_devices(const PodView& view) {
    const auto& open = *view.seen.engine->open_devices;
    const auto hcas = std::count_if(open.begin(), open.end(), [](const auto& path) {
        return contains(path, "/dev/infiniband/uverbs");
    });
    auto finding = hcas > 0 ? ok(fmt::format("the engine holds {} HCAs open", hcas))
                            : warn("the engine holds no RDMA device open");
    return std::move(finding).with("open", open).because("/proc/<pid>/fd", join(open, " "));
}

Finding judge_memlock(const PodView& view) {
    const auto& engine = *view.seen.engine;
    if (has_ipc_lock(view)) {
        return ok("CAP_IPC_LOCK is effective in the engine")
            .because("/proc/<pid>/status", fmt::format("CapEff {:016x}", *engine.cap_eff));
    }
    const auto& limit = *engine.memlock;
    if (is_as_good_as_unlimited(limit)) {
        return ok("the engine may lock unlimited memory")
            .because("/proc/<pid>/limits", "unlimited");
    }
    const auto text = fmt::format("{} KiB", limit.bytes / 1024);
    const auto facts = [&](Finding finding) {
        return std::move(finding)
            .with("bytes", static_cast<std::int64_t>(limit.bytes))
            .because("/proc/<pid>/limits", text);
    };
    if (limit.bytes >= k_small_memlock) {
        return facts(warn("the engine may lock " + text + ": enough only for a small KV cache"));
    }
    if (!engine.cap_eff) {
        return facts(warn("the engine may lock " + text + " only; its capabilities are not shown"));
    }
    return facts(fail("the engine may lock " + text +
                      " only and does not hold CAP_IPC_LOCK: registering KV memory fails"));
}

Finding judge_ucx_build(const PodView& view) {
    return ucx_build_finding(*view.seen.ucx);
}

Finding judge_plugins(const PodView& view) {
    const auto wanted = wanted_library(view.path);
    const auto paths = mapped(view, wanted);
    const bool nixl = view.path.kind == PathKind::mooncake || !mapped(view, "libnixl").empty();
    if (!paths.empty() && nixl) {
        return ok(fmt::format("the engine has loaded {}", file_name(*paths.begin())))
            .with("backend", view.path.plugin)
            .because("/proc/<pid>/maps", *paths.begin());
    }
    if (const auto* dir = plugin_dir_without(view)) {
        return fail(fmt::format(
                        "NIXL_PLUGIN_DIR={} does not hold the {} plugin", *dir, view.path.plugin))
            .then(edit_graph(view.context, view.worker, "remove or correct NIXL_PLUGIN_DIR"));
    }
    if (view.path.kind == PathKind::mooncake) { // its Python module may hold the engine itself
        return skipped(SkipReason::not_applicable,
                       "Mooncake's engine does not show in the process");
    }
    return not_mapped(view, wanted)
        .then(logs(view.context, view.worker, "see whether the engine is still loading"));
}

Finding judge_ucx_copies(const PodView& view) {
    const auto copies = mapped(view, "libucp");
    const std::vector<std::string> paths(copies.begin(), copies.end());
    if (copies.empty()) {
        return skipped(SkipReason::not_running, "the engine has not loaded UCX yet")
            .then(logs(view.context, view.worker, "see whether the engine is still loading"));
    }
    auto finding = copies.size() == 1 ? ok("one copy of UCX: " + paths.front())
                                      : warn(fmt::format("{} copies of UCX in the engine: {}",
                                                         copies.size(),
                                                         join(paths, ", ")));
    return std::move(finding).with("paths", paths).because("/proc/<pid>/maps", join(paths, " "));
}

} // namespace di::judge::engine
