// GPUDirect modules, GDRCopy and the GPU fabric, each by one tool's output.
#include "base/strings.hpp"
#include "judge/gpu_facts.hpp"
#include "judge/tools/tool_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::judge::tools {
namespace {

using model::KernelModule;
using model::SkipReason;
using model::Value;

using Modules = std::vector<KernelModule>;

const KernelModule* find_module(const Modules& modules, std::string_view name) {
    const auto found = std::find_if(
        modules.begin(), modules.end(), [&](const auto& module) { return module.name == name; });
    return found == modules.end() ? nullptr : &*found;
}

std::string_view state_of(const KernelModule* module) {
    return module == nullptr ? "absent" : module->live ? "loaded" : "unloading";
}

bool is_used_by(const Modules& modules, std::string_view of, std::string_view user) {
    const auto* module = find_module(modules, of);
    return module != nullptr &&
           std::find(module->users.begin(), module->users.end(), user) != module->users.end();
}

/// A peer-memory module registers with ib_core or, on other stacks, with ib_uverbs. It uses
/// `nvidia` as well: a list that shows not even that row was filtered, and cannot tell.
std::optional<bool> is_bound(const Modules& modules, std::string_view name) {
    if (is_used_by(modules, "ib_core", name) || is_used_by(modules, "ib_uverbs", name)) {
        return true;
    }
    const bool shows_others = std::any_of(modules.begin(), modules.end(), [](const auto& module) {
        return module.name != "nvidia_peermem" && module.name != "nv_peer_mem";
    });
    return shows_others ? std::optional(false) : std::nullopt;
}

Finding peer_memory_finding(const Modules& modules,
                            const KernelModule* peermem,
                            std::optional<bool> bound) {
    constexpr std::string_view k_dmabuf = "; whether DMA-BUF works a module list cannot show";
    if (const auto* efa = find_module(modules, "efa_nv_peermem"); efa != nullptr && efa->live) {
        return ok("efa_nv_peermem is loaded: GPUDirect RDMA on EFA");
    }
    if (peermem == nullptr) {
        return warn(fmt::format("no peer-memory module is loaded{}", k_dmabuf));
    }
    if (!peermem->live) {
        return warn(fmt::format("{} is being loaded or unloaded{}", peermem->name, k_dmabuf));
    }
    if (!bound) {
        return warn(fmt::format(
            "{} is loaded; the list does not show whether the RDMA core uses it", peermem->name));
    }
    return *bound
               ? ok(fmt::format("{} is loaded, and the RDMA core uses it", peermem->name))
               : warn(fmt::format(
                     "{} is loaded, but the RDMA core does not use it{}", peermem->name, k_dmabuf));
}

} // namespace

Finding judge_modules(const Modules& modules) {
    const auto* nvidia = find_module(modules, "nvidia_peermem");
    const auto* legacy = find_module(modules, "nv_peer_mem");
    const auto* peermem = nvidia != nullptr ? nvidia : legacy;
    const auto bound = peermem == nullptr ? std::nullopt : is_bound(modules, peermem->name);
    return peer_memory_finding(modules, peermem, bound)
        .with("nvidia_peermem", state_of(nvidia))
        .with("nv_peer_mem", state_of(legacy))
        .with("efa_nv_peermem", state_of(find_module(modules, "efa_nv_peermem")))
        .with("gdrdrv", state_of(find_module(modules, "gdrdrv")))
        .with("bound_to_ib_core", bound ? Value(*bound) : Value())
        .with("dmabuf", "unknown")
        .because("modules", peermem == nullptr ? "no peer-memory module" : peermem->name);
}

Finding judge_gdrdrv(const model::Listing& listing) {
    const auto& names = listing.names;
    const auto named = std::find_if(names.begin(), names.end(), [](const auto& name) {
        return name == "gdrdrv" || name == "/dev/gdrdrv";
    });
    if (named == names.end()) {
        if (!names.empty()) {
            const auto first = excerpt(names.front(), 60);
            return skipped(SkipReason::unreadable, "not a listing of /dev/gdrdrv: " + first)
                .because("ls /dev/gdrdrv", first);
        }
        return warn(listing.exists ? "/dev/gdrdrv is an empty directory, not the device (optional: "
                                     "small messages only)"
                                   : "no /dev/gdrdrv (optional: small messages only)")
            .with("present", false)
            .because("ls /dev/gdrdrv", listing.exists ? "empty" : "absent");
    }
    const char type = listing.types.at(static_cast<std::size_t>(named - names.begin()));
    const bool device = type == 'c' || type == '?';
    auto finding = device ? ok("/dev/gdrdrv is there")
                          : warn("/dev/gdrdrv is no device (optional: small messages only)");
    return std::move(finding).with("present", device).because("ls /dev/gdrdrv", *named);
}

Finding judge_fabric(const std::vector<model::GpuFabric>& gpus) {
    const auto finding = [&]() -> Finding {
        if (auto trouble = worst_trouble(gpus)) {
            return trouble->status == model::Status::fail ? fail(std::move(trouble->text))
                                                          : warn(std::move(trouble->text));
        }
        const auto lost = std::find_if(gpus.begin(), gpus.end(), lacks_cluster);
        if (lost != gpus.end() && !lost->state.empty()) {
            return fail(fmt::format("GPU {}: fabric state {} on a {}, without cluster UUID or "
                                    "clique: no NVLink to another node",
                                    lost->pci,
                                    lost->state,
                                    lost->product));
        }
        if (std::any_of(
                gpus.begin(), gpus.end(), [](const auto& gpu) { return gpu.state.empty(); })) {
            return skipped(SkipReason::truncated, "a GPU does not show its Fabric section");
        }
        if (std::none_of(gpus.begin(), gpus.end(), has_fabric)) {
            return skipped(SkipReason::not_applicable, "GPUs without an NVSwitch fabric");
        }
        if (!std::all_of(gpus.begin(), gpus.end(), has_fabric)) {
            return warn("some GPUs have no NVSwitch fabric, others have");
        }
        return ok(fmt::format("fabric Completed, Success on {} GPUs", gpus.size()));
    };
    return with_fabric_facts(gpus, finding());
}

} // namespace di::judge::tools
