#include "cases.hpp"

namespace di::test {

using model::DriverFlavour;
using model::Role;
using model::SkipReason;
using model::Status;

namespace {

FakePod pod() {
    return infiniband_pod(Role::prefill);
}

FakePod gb200() {
    return gb200_pod(Role::prefill);
}

FakePod no_peermem(DriverFlavour flavour, int kernel_minor = 15) {
    auto changed = pod();
    changed.seen.peer_memory = model::PeerMemory{};
    changed.seen.driver->flavour = flavour;
    changed.seen.kernel =
        model::KernelRelease{5, kernel_minor, "5." + std::to_string(kernel_minor)};
    return changed;
}

/// nvidia_peermem on an inbox RDMA stack: loaded, and used by nothing.
FakePod stub_peermem(DriverFlavour flavour) {
    auto changed = no_peermem(flavour);
    changed.seen.peer_memory->nvidia_peermem = true;
    changed.seen.peer_memory->bound = false;
    return changed;
}

FakePod unseen_modules(DriverFlavour flavour) {
    auto changed = no_peermem(flavour);
    changed.seen.peer_memory = unseen();
    return changed;
}

FakePod cells(std::vector<std::vector<std::string>> rows) {
    auto changed = pod();
    changed.seen.topology->gpus = static_cast<int>(rows.size());
    changed.seen.topology->cells = std::move(rows);
    return changed;
}

FakePod fabric(FakePod changed, const std::string& state, const std::string& status) {
    return changed.each_gpu([&](model::GpuFabric& gpu) {
        gpu.state = state;
        gpu.status = status;
    });
}

FakePod health(FakePod changed, const std::string& text) {
    return changed.each_gpu([&](model::GpuFabric& gpu) { gpu.health = text; });
}

std::vector<RuleCase> gpudirect_cases() {
    const auto hide_driver = [](FakePod& p) { p.seen.driver = unseen(); };
    const auto hide_kernel = [](FakePod& p) { p.seen.kernel = unseen(); };
    return {
        {"GDR-001", "peermem", Status::ok, pod(), "peer-memory module"},
        {"GDR-001",
         "open driver, kernel 5.12",
         Status::ok,
         no_peermem(DriverFlavour::open, 12),
         "DMA-BUF"},
        {"GDR-001", "open driver, kernel 5.11", Status::warn, no_peermem(DriverFlavour::open, 11)},
        {"GDR-001", "proprietary driver", Status::warn, no_peermem(DriverFlavour::proprietary)},
        {"GDR-001",
         "peermem as a stub, open driver",
         Status::ok,
         stub_peermem(DriverFlavour::open),
         "DMA-BUF"},
        {"GDR-001",
         "peermem as a stub, proprietary driver",
         Status::warn,
         stub_peermem(DriverFlavour::proprietary),
         "the RDMA core does not use it"},
        {"GDR-001", "flavour not known", Status::warn, no_peermem(DriverFlavour::unknown)},
        {"GDR-001",
         "demanded and impossible",
         Status::fail,
         no_peermem(DriverFlavour::proprietary).env("UCX_IB_GPU_DIRECT_RDMA", "yes")},
        {"GDR-001",
         "peermem, but switched off",
         Status::fail,
         pod().env("UCX_IB_GPU_DIRECT_RDMA", "N")},
        {"GDR-001", "EFA's own module", Status::ok, efa_pod(Role::decode).change([](FakePod& p) {
             p.seen.driver->flavour = DriverFlavour::proprietary;
         })},
        {"GDR-001",
         "modules unseen, DMA-BUF proven",
         Status::ok,
         unseen_modules(DriverFlavour::open)},
        {"GDR-001",
         "modules unseen, no DMA-BUF",
         Status::skipped,
         unseen_modules(DriverFlavour::proprietary)},
        {"GDR-001",
         "driver unseen",
         Status::skipped,
         no_peermem(DriverFlavour::open).change(hide_driver)},
        {"GDR-001",
         "kernel unseen",
         Status::skipped,
         no_peermem(DriverFlavour::open).change(hide_kernel)},
    };
}

std::vector<RuleCase> gdrcopy_cases() {
    return {
        {"GDR-002", "there", Status::ok, pod()},
        {"GDR-002", "not there", Status::warn, pod().change([](FakePod& p) {
             p.seen.gdrdrv = std::optional<model::DeviceNode>();
         })},
        {"GDR-002", "closed", Status::warn, pod().change([](FakePod& p) {
             (*p.seen.gdrdrv)->openable = false;
         })},
        {"GDR-002", "unseen", Status::skipped, pod().change([](FakePod& p) {
             p.seen.gdrdrv = unseen();
         })},
    };
}

/// Distances from each of two GPUs to the four HCAs.
FakePod nics(const std::vector<std::string>& first, const std::vector<std::string>& second) {
    auto changed = pod();
    changed.seen.topology->nic_cells = {first, second};
    return changed;
}

std::vector<RuleCase> affinity_cases() {
    const std::vector<std::string> far(4, "NODE");
    return {
        {"GDR-003", "an HCA behind each GPU's switch", Status::ok, pod(), "PXB or nearer"},
        {"GDR-003",
         "one GPU without a near HCA",
         Status::warn,
         nics({"PIX", "SYS", "SYS", "SYS"}, {"SYS", "SYS", "SYS", "NODE"}),
         "GPU 1 has no HCA nearer than NODE"},
        {"GDR-003",
         "one distance for all, as virtual machines show it",
         Status::warn,
         nics(far, far),
         "cannot be seen"},
        {"GDR-003",
         "the same with a list of HCAs",
         Status::warn,
         nics(far, far).env("UCX_NET_DEVICES", "mlx5_0:1"),
         "no HCA nearer"},
        {"GDR-003",
         "the near HCA is not among those in use",
         Status::warn,
         pod().env("UCX_NET_DEVICES", "mlx5_2:1,mlx5_3:1"),
         "SYS"},
        {"GDR-003", "no NIC column", Status::skipped, nics({}, {})},
        {"GDR-003", "no nvidia-smi", Status::skipped, pod().change([](FakePod& p) {
             p.seen.topology = unseen(SkipReason::tool_missing);
         })},
        {"GDR-003", "no GPU", Status::skipped, cells({})},
    };
}

std::vector<RuleCase> nvlink_cases() {
    return {
        {"NVL-001", "NV18 everywhere", Status::ok, pod(), "NV18"},
        {"NVL-001", "a pair over PCIe", Status::warn, cells({{"X", "PHB"}, {"PHB", "X"}})},
        {"NVL-001",
         "unequal links",
         Status::warn,
         cells({{"X", "NV18", "NV12"}, {"NV18", "X", "NV18"}, {"NV12", "NV18", "X"}})},
        {"NVL-001",
         "NVML is broken",
         Status::fail,
         pod().change([](FakePod& p) {
             p.seen.topology = model::GpuTopology{};
             p.seen.topology->fault = model::GpuFault{"nvml-driver-mismatch", "mismatch", ""};
         }),
         "mismatch"},
        {"NVL-001", "no GPU", Status::warn, cells({})},
        {"NVL-001", "one GPU", Status::skipped, cells({{"X"}}), "one GPU"},
        {"NVL-001", "no nvidia-smi", Status::skipped, pod().change([](FakePod& p) {
             p.seen.topology = unseen(SkipReason::tool_missing);
         })},
        {"NVL-002", "all links", Status::ok, pod(), "18 links"},
        {"NVL-002",
         "one inactive",
         Status::warn,
         pod().change([](FakePod& p) { p.seen.nvlink->front().inactive = {7}; }),
         "1 of 18 links of GPU 0"},
        {"NVL-002",
         "all inactive, in words",
         Status::warn,
         pod().change([](FakePod& p) {
             p.seen.nvlink->front().links = 0;
             p.seen.nvlink->front().all_inactive = true;
         }),
         "all links of GPU 0"},
        {"NVL-002", "no NVLink", Status::warn, pod().change([](FakePod& p) {
             p.seen.nvlink->clear();
         })},
        {"NVL-002", "no nvidia-smi", Status::skipped, pod().change([](FakePod& p) {
             p.seen.nvlink = unseen(SkipReason::tool_missing);
         })},
    };
}

std::vector<RuleCase> fabric_cases() {
    const auto zero = [](model::GpuFabric& gpu) {
        gpu.cluster_uuid = "00000000-0000-0000-0000-000000000000";
    };
    return {
        {"NVL-003", "NVSwitch box, zero cluster", Status::ok, pod()},
        {"NVL-003", "a clique", Status::ok, gb200(), "clique"},
        {"NVL-003", "fabric manager not ready", Status::fail, fabric(pod(), "In Progress", "N/A")},
        {"NVL-003",
         "registration failed",
         Status::fail,
         fabric(gb200(), "Completed", "Insufficient Resources")},
        {"NVL-003", "zero cluster on an NVLink path", Status::fail, gb200().each_gpu(zero)},
        {"NVL-003", "no fabric on an NVLink path", Status::fail, fabric(gb200(), "N/A", "N/A")},
        {"NVL-003", "unhealthy", Status::fail, health(gb200(), "Route Unhealthy: True")},
        {"NVL-003", "limited", Status::warn, health(gb200(), "Summary: Limited Capacity")},
        {"NVL-003", "two cliques in one pod", Status::warn, gb200().change([](FakePod& p) {
             auto second = p.seen.fabric->front();
             second.clique = 7;
             p.seen.fabric->push_back(second);
         })},
        {"NVL-003", "GPUs without a fabric", Status::skipped, fabric(pod(), "N/A", "N/A")},
        {"NVL-003", "nothing listed", Status::skipped, pod().change([](FakePod& p) {
             p.seen.fabric->clear();
         })},
        {"NVL-003", "no nvidia-smi", Status::skipped, gb200().change([](FakePod& p) {
             p.seen.fabric = unseen(SkipReason::tool_missing);
         })},
        {"NVL-004", "a channel", Status::ok, gb200()},
        {"NVL-004", "no channel", Status::fail, gb200().change([](FakePod& p) {
             p.seen.imex_channels->clear();
         })},
        {"NVL-004", "unseen", Status::skipped, gb200().change([](FakePod& p) {
             p.seen.imex_channels = unseen();
         })},
        {"NVL-004", "not on this path", Status::skipped, pod()},
    };
}

} // namespace

std::vector<RuleCase> gpu_cases() {
    return joined<RuleCase>(
        {gpudirect_cases(), gdrcopy_cases(), affinity_cases(), nvlink_cases(), fabric_cases()});
}

} // namespace di::test
