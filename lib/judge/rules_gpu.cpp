// GPUDirect RDMA, GDRCopy, NVLink.
#include "base/strings.hpp"
#include "judge/catalogue/gpu.hpp"
#include "judge/gpu_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace di::judge::gpu {
namespace {

using model::DriverFlavour;
using model::GpuFabric;
using model::SkipReason;

bool has_peer_memory(const PodView& view) {
    if (!view.seen.peer_memory) {
        return false;
    }
    const auto& modules = *view.seen.peer_memory;
    // With an inbox RDMA stack nvidia_peermem loads as a stub that nothing uses.
    const bool peermem = modules.nvidia_peermem && modules.bound.value_or(true);
    const bool mellanox = peermem || modules.nv_peer_mem || modules.memory_peers;
    return view.path.kind == PathKind::libfabric ? modules.efa_nv_peermem : mellanox;
}

/// DMA-BUF import by the RDMA core came with Linux 5.12.
bool kernel_has_dmabuf(const model::KernelRelease& kernel) {
    return kernel.major > 5 || (kernel.major == 5 && kernel.minor >= 12);
}

bool is_open(const PodView& view) {
    return view.seen.driver && view.seen.driver->flavour == DriverFlavour::open;
}

bool has_dmabuf(const PodView& view) {
    return is_open(view) && view.seen.kernel && kernel_has_dmabuf(*view.seen.kernel);
}

std::string driver_text(const PodView& view) {
    static constexpr std::array<std::string_view, 3> k_flavours = {
        "of unknown flavour", "open", "proprietary"};
    return std::string(k_flavours.at(static_cast<std::size_t>(view.seen.driver->flavour)));
}

std::string peer_memory_text(const PodView& view) {
    const bool stub = view.seen.peer_memory && view.seen.peer_memory->nvidia_peermem;
    return stub ? "nvidia_peermem is loaded, but the RDMA core does not use it"
                : "no peer-memory module";
}

Finding no_gpudirect(const PodView& view) {
    const auto demanded =
        read_switch(setting(view.worker, view.seen, "UCX_IB_GPU_DIRECT_RDMA")) == Switch::yes;
    if (view.seen.driver->flavour == DriverFlavour::unknown) {
        return warn(peer_memory_text(view) +
                    "; whether DMA-BUF works is not known (driver of unknown flavour)");
    }
    const auto cause =
        is_open(view) ? fmt::format("kernel {} has no DMA-BUF for RDMA", view.seen.kernel->text)
                      : std::string("the GPU driver is proprietary, so there is no DMA-BUF");
    if (demanded) {
        return fail("UCX_IB_GPU_DIRECT_RDMA demands GPUDirect, but no peer-memory module is loaded "
                    "and " +
                    cause + ": UCX gives up the RDMA device");
    }
    return warn(peer_memory_text(view) + ", and " + cause + ": KV is staged in host memory");
}

Finding judge_cluster(const std::vector<GpuFabric>& gpus) {
    std::set<std::string> cliques;
    for (const auto& gpu : gpus) {
        if (!names_cluster(gpu.cluster_uuid)) {
            return fail("the cluster UUID is zero: NVSwitch inside one box, no NVLink to another "
                        "node");
        }
        cliques.insert(fmt::format("{}/{}", gpu.cluster_uuid, gpu.clique.value_or(0)));
    }
    if (cliques.size() > 1) {
        return warn(fmt::format("the pod's GPUs are in {} different cliques", cliques.size()));
    }
    return ok(fmt::format("{} GPUs in NVLink clique {}", gpus.size(), *cliques.begin()));
}

Finding fabric_finding(const PodView& view) {
    const auto& gpus = *view.seen.fabric;
    const bool on_path = view.path.kind == PathKind::nvlink;
    if (std::none_of(gpus.begin(), gpus.end(), has_fabric)) {
        return on_path ? fail("the GPUs have no NVLink fabric, but the settings rest on it")
                       : skipped(SkipReason::not_applicable, "GPUs without an NVSwitch fabric");
    }
    if (auto trouble = worst_trouble(gpus)) {
        return trouble->status == model::Status::fail ? fail(std::move(trouble->text))
                                                      : warn(std::move(trouble->text));
    }
    return on_path ? judge_cluster(gpus)
                   : ok(fmt::format("fabric Completed on {} GPUs", gpus.size()));
}

} // namespace

std::optional<std::string> unless_many_gpus(const PodView& view) {
    if (view.seen.topology && view.seen.topology->gpus == 1) {
        return "one GPU: there is no pair to judge";
    }
    return std::nullopt;
}

std::optional<std::string> unless_nvlink_path(const PodView& view) {
    if (view.path.kind == PathKind::none) {
        return view.path.why_none;
    }
    if (view.path.kind != PathKind::nvlink) {
        return "KV does not rest on multi-node NVLink here";
    }
    return std::nullopt;
}

/// Either way alone proves GPUDirect; its absence is proven only when both were seen.
const Unseen* needs_gpudirect(const PodView& view) {
    if (has_peer_memory(view) || has_dmabuf(view) ||
        read_switch(setting(view.worker, view.seen, "UCX_IB_GPU_DIRECT_RDMA")) == Switch::no) {
        return nullptr;
    }
    if (view.seen.peer_memory.unseen() != nullptr) {
        return view.seen.peer_memory.unseen();
    }
    if (view.seen.driver.unseen() != nullptr) {
        return view.seen.driver.unseen();
    }
    return is_open(view) ? view.seen.kernel.unseen() : nullptr;
}

const Unseen* needs_gdrdrv(const PodView& view) {
    return view.seen.gdrdrv.unseen();
}

const Unseen* needs_topology(const PodView& view) {
    return view.seen.topology.unseen();
}

const Unseen* needs_nvlink(const PodView& view) {
    return view.seen.nvlink.unseen();
}

const Unseen* needs_fabric(const PodView& view) {
    return view.seen.fabric.unseen();
}

const Unseen* needs_imex(const PodView& view) {
    return view.seen.imex_channels.unseen();
}

Finding judge_gpudirect(const PodView& view) {
    const bool by_ucx = view.path.kind == PathKind::ucx;
    if (by_ucx &&
        read_switch(setting(view.worker, view.seen, "UCX_IB_GPU_DIRECT_RDMA")) == Switch::no) {
        return fail("switched off by UCX_IB_GPU_DIRECT_RDMA: KV is staged in host memory")
            .with("via", nullptr)
            .then(edit_graph(view.context, view.worker, "remove UCX_IB_GPU_DIRECT_RDMA"));
    }
    if (has_peer_memory(view)) {
        return ok("GPUDirect RDMA through a peer-memory module")
            .with("via", "peermem")
            .because("/sys/module", "peer-memory module loaded");
    }
    if (has_dmabuf(view)) {
        return ok("GPUDirect RDMA through DMA-BUF (open driver " + view.seen.driver->version +
                  ", kernel " + view.seen.kernel->text + ")")
            .with("via", "dmabuf")
            .because("/proc/driver/nvidia/version", view.seen.driver->version);
    }
    if (!view.seen.peer_memory) { // only an ignored "no" leads here
        return skipped(*view.seen.peer_memory.unseen(), "peer-memory modules");
    }
    if (!view.seen.driver) {
        return skipped(*view.seen.driver.unseen(), "GPU driver");
    }
    return no_gpudirect(view)
        .with("via", nullptr)
        .because("/proc/driver/nvidia/version", driver_text(view));
}

Finding judge_gdrcopy(const PodView& view) {
    const auto& node = *view.seen.gdrdrv;
    if (!node) {
        return warn("no /dev/gdrdrv (optional: small messages only)");
    }
    return node->openable ? ok("/dev/gdrdrv can be opened").because("/dev/gdrdrv", node->path)
                          : warn("/dev/gdrdrv is there, but cannot be opened (optional)");
}

Finding judge_topology(const PodView& view) {
    const auto& topology = *view.seen.topology;
    return topology.fault ? fault_finding(*topology.fault) : topology_finding(topology);
}

Finding judge_nvlink(const PodView& view) {
    return nvlink_finding(*view.seen.nvlink);
}

Finding judge_fabric(const PodView& view) {
    return with_fabric_facts(*view.seen.fabric, fabric_finding(view));
}

Finding judge_imex(const PodView& view) {
    const auto& channels = *view.seen.imex_channels;
    auto finding = channels.empty() ? fail("no IMEX channel in the container: GPU memory of other "
                                           "nodes cannot be imported")
                                    : ok(fmt::format("{} IMEX channels", channels.size()));
    return std::move(finding)
        .with("channels", channels)
        .because("/dev/nvidia-caps-imex-channels", join(channels, " "));
}

} // namespace di::judge::gpu
