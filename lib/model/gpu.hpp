// GPUs as the container sees them: driver, GPUDirect modules, NVLink and fabric state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace di::model {

enum class DriverFlavour : std::uint8_t { unknown, open, proprietary };

struct GpuDriver {
    std::string version; ///< 570.86.15
    DriverFlavour flavour = DriverFlavour::unknown;
    friend bool operator==(const GpuDriver&, const GpuDriver&) = default;
};

struct KernelRelease {
    int major = 0;
    int minor = 0;
    std::string text; ///< as uname -r prints it
    friend bool operator==(const KernelRelease&, const KernelRelease&) = default;
};

/// Which peer-memory registrations the kernel shows. Modules are host-wide.
struct PeerMemory {
    bool nvidia_peermem = false;
    bool nv_peer_mem = false;  ///< legacy, out of tree
    bool memory_peers = false; ///< /sys/kernel/mm/memory_peers/nv_mem*: registered with OFED
    bool efa_nv_peermem = false;
    bool gdrdrv = false;
    std::optional<bool> bound; ///< ib_core or ib_uverbs names nvidia_peermem among its users
    friend bool operator==(const PeerMemory&, const PeerMemory&) = default;
};

/// One row of /proc/modules or lsmod.
struct KernelModule {
    std::string name;
    std::vector<std::string> users; ///< modules that use it
    bool live = true;               ///< false while loading or unloading
    friend bool operator==(const KernelModule&, const KernelModule&) = default;
};

/// What `ls` showed of one path.
struct Listing {
    bool exists = true;
    std::vector<std::string> names;
    /// Of each name the first letter of its mode, as `ls -l` shows it: c for a character device, d
    /// for a directory; '?' when the listing is a short one.
    std::string types;
    friend bool operator==(const Listing&, const Listing&) = default;
};

/// nvidia-smi ran, and NVML gave it no GPU to work with.
struct GpuFault {
    std::string
        reason;       ///< nvml-driver-mismatch, driver-not-loaded, nvml-unknown-error, no-gpu, ...
    std::string text; ///< the tool's own words
    std::string nvml_version; ///< 535.161, when printed
    friend bool operator==(const GpuFault&, const GpuFault&) = default;
};

/// `nvidia-smi topo -m`: the GPU rows only. Cells are X, NV#, PIX, PXB, PHB, NODE, SYS.
struct GpuTopology {
    int gpus = 0;
    std::vector<std::vector<std::string>> cells; ///< gpus x gpus
    std::vector<std::string> nics;               ///< names of the NIC legend
    /// gpus x nics: PIX, PXB, PHB, NODE, SYS; a row shorter than `nics` was cut
    std::vector<std::vector<std::string>> nic_cells;
    std::optional<GpuFault> fault; ///< then there are no GPUs and no cells
    friend bool operator==(const GpuTopology&, const GpuTopology&) = default;
};

struct NvlinkGpu {
    int index = 0;
    std::string product;
    int links = 0;
    std::vector<int> inactive; ///< link numbers
    bool all_inactive = false; ///< said in words; then nobody knows how many links there are
    std::optional<double> gbytes_per_s; ///< of each active link, GB/s; absent when they differ
    friend bool operator==(const NvlinkGpu&, const NvlinkGpu&) = default;
};

/// The Fabric section of `nvidia-smi -q`, one per GPU.
struct GpuFabric {
    std::string pci;
    std::string product;
    std::string state;  ///< Completed, In Progress, Not Started, N/A
    std::string status; ///< Success, N/A or an error text
    std::optional<std::uint32_t> clique;
    std::string cluster_uuid; ///< empty when not shown
    std::string health;       ///< Healthy, Unhealthy, ... or the bad items; else empty
    friend bool operator==(const GpuFabric&, const GpuFabric&) = default;
};

} // namespace di::model
