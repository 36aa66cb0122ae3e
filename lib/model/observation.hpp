// Typed facts of one container, as the parsers read them. No judgement lives here.
#pragma once

#include "model/environment.hpp"
#include "model/inventory.hpp"
#include "model/seen.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace di::model {

// ---- RDMA devices (Linux ABI sysfs-class-infiniband; rdma-core's ibstat and ibv_devinfo) ----

/// IB spec 1.4 table 146 (PortState): 1..5 in sysfs.
enum class PortState : std::uint8_t { unknown, down, initializing, armed, active, active_defer };

/// "Down", "Initializing", "Armed", "Active", "ActiveDefer", "unknown".
std::string_view to_string(PortState state);

/// IB spec PortPhysicalState: 1..7 in sysfs.
enum class PhysState : std::uint8_t {
    unknown,
    sleep,
    polling,
    disabled,
    training,
    link_up,
    link_error_recovery,
    phy_test,
};

std::string_view to_string(PhysState state); ///< "LinkUp", "Polling", ...

enum class LinkLayer : std::uint8_t { unknown, infiniband, ethernet, unspecified };

std::string_view to_string(LinkLayer layer); ///< "InfiniBand", "Ethernet", ...

enum class GidType : std::uint8_t { unknown, ib_or_roce_v1, roce_v2 };

/// One non-empty entry of a port's GID table.
struct Gid {
    int index = 0;
    std::string text; ///< eight groups of four hex digits
    GidType type = GidType::unknown;
    std::optional<std::string> netdev; ///< absent when unreadable: none, or in another netns
};

struct Port {
    int number = 1;
    PortState state = PortState::unknown;
    PhysState phys_state = PhysState::unknown;
    LinkLayer link_layer = LinkLayer::unknown;
    std::optional<double> rate_gbps; ///< Gb/s, all lanes together (2.5 exists)
    std::optional<std::uint32_t> lid;
    std::optional<std::uint32_t> sm_lid;
    std::vector<Gid> gids;            ///< non-empty ones among the first 16
    bool gids_readable = false;       ///< at least one slot of the table could be read
    std::optional<int> active_mtu;    ///< bytes of an RDMA packet: 256 ... 4096
    std::vector<std::uint16_t> pkeys; ///< non-zero ones; bit 15 = full member
};

struct RdmaDevice {
    std::string name;   ///< mlx5_0, rdmap16s27, ...
    std::string driver; ///< kernel driver: mlx5_core, efa, ...; empty when not readable
    std::string pci;    ///< PCI address of the function; may be empty
    std::optional<int> numa_node;
    std::string uverbs; ///< node that opens it, such as uverbs0; empty when not mapped
    std::vector<Port> ports;
    std::string hca_type;  ///< MT4129, or 0x1d0f:61345 for other vendors; empty when not shown
    std::string transport; ///< of ibv_devinfo: InfiniBand (RoCE too), iWARP, unspecified (EFA)
    bool cut = false;      ///< the tool's output ended inside this record; name may be empty
};

/// A character device of the container.
struct DeviceNode {
    std::string path;
    bool openable = false; ///< read and write permission for the probing user
};

// ---- GPUDirect (kernel modules, driver) ----

enum class DriverFlavour : std::uint8_t { unknown, open, proprietary };

struct GpuDriver {
    std::string version; ///< 570.86.15
    DriverFlavour flavour = DriverFlavour::unknown;
};

struct KernelRelease {
    int major = 0;
    int minor = 0;
    std::string text; ///< as uname -r prints it
};

/// Which peer-memory registrations the kernel shows. Modules are host-wide.
struct PeerMemory {
    bool nvidia_peermem = false;
    bool nv_peer_mem = false;  ///< legacy, out of tree
    bool memory_peers = false; ///< /sys/kernel/mm/memory_peers/nv_mem*: registered with OFED
    bool efa_nv_peermem = false;
    bool gdrdrv = false;
};

/// One row of /proc/modules or lsmod.
struct KernelModule {
    std::string name;
    std::vector<std::string> users; ///< modules that use it
    bool live = true;               ///< false while loading or unloading
};

/// What `ls` showed of one path.
struct Listing {
    bool exists = true;
    std::vector<std::string> names;
};

// ---- the engine process ----

struct Memlock {
    bool unlimited = false;
    std::uint64_t bytes = 0; ///< soft limit, when not unlimited
};

struct MappedLibrary {
    std::string path; ///< /usr/local/ucx/lib/libucp.so.0.0.0
};

struct EngineProcess {
    int pid = 0;
    int processes = 1;                    ///< how many processes map the transfer libraries
    std::optional<unsigned> uid;          ///< effective
    std::optional<std::uint64_t> cap_eff; ///< effective capability mask
    Seen<Memlock> memlock;
    Seen<EnvMap> environment;                    ///< allow-listed names of /proc/<pid>/environ
    Seen<std::vector<MappedLibrary>> libraries;  ///< transfer and fabric libraries only
    Seen<std::vector<std::string>> open_devices; ///< targets under /dev/infiniband, gdrdrv, imex
};

// ---- NVIDIA tools ----

/// nvidia-smi ran, and NVML gave it no GPU to work with.
struct GpuFault {
    std::string
        reason;       ///< nvml-driver-mismatch, driver-not-loaded, nvml-unknown-error, no-gpu, ...
    std::string text; ///< the tool's own words
    std::string nvml_version; ///< 535.161, when printed
};

/// `nvidia-smi topo -m`: the GPU rows only. Cells are X, NV#, PIX, PXB, PHB, NODE, SYS.
struct GpuTopology {
    int gpus = 0;
    std::vector<std::vector<std::string>> cells; ///< gpus x gpus
    std::vector<std::string> nics;               ///< names of the NIC legend
    std::optional<GpuFault> fault;               ///< then there are no GPUs and no cells
};

struct NvlinkGpu {
    int index = 0;
    std::string product;
    int links = 0;
    std::vector<int> inactive; ///< link numbers
    bool all_inactive = false; ///< said in words; then nobody knows how many links there are
    std::optional<double> gbytes_per_s; ///< of each active link, GB/s; absent when they differ
};

/// The Fabric section of `nvidia-smi -q`, one per GPU.
struct GpuFabric {
    std::string pci;
    std::string product;
    std::string state;  ///< Completed, In Progress, Not Started, N/A
    std::string status; ///< Success, N/A or an error text
    std::optional<std::uint32_t> clique;
    std::string cluster_uuid; ///< empty when not shown
    std::string health;       ///< Healthy, Unhealthy, ... or the first bad item; else empty
};

// ---- UCX and NIXL on disk ----

/// Flags are what the configure line asks for; without a flag configure decides by itself.
struct UcxBuild {
    std::string version; ///< 1.19.0
    bool cuda = false;
    bool verbs = false;
    bool mlx5 = false;
    bool efa = false;
    bool gdrcopy = false;
};

struct UcxTransport {
    std::string name;   ///< rc_mlx5, tcp, cuda_ipc, ...
    std::string device; ///< mlx5_0:1, eth0, cuda, ...
};

/// One `# Memory domain:` of `ucx_info -d`.
struct UcxMemoryDomain {
    std::string name;                      ///< mlx5_0, cuda_cpy, ...
    std::string component;                 ///< ib, cuda_ipc, tcp, ...
    std::vector<std::string> memory_types; ///< host, cuda, ... that it can register or access
    bool dmabuf = false;                   ///< registers by DMA-BUF
    bool opened = true;                    ///< false: UCX failed to open it
    std::vector<UcxTransport> transports;
};

struct UcxDevices {
    std::vector<UcxMemoryDomain> domains;
};

struct PluginDirectory {
    std::string path;                 ///< empty when the listing does not say
    std::vector<std::string> plugins; ///< UCX, LIBFABRIC, ...: from libplugin_<NAME>.so
};

/// What `command -v <tools>; ls <prefix>` found.
struct NixlTools {
    std::vector<std::string> programs;  ///< absolute paths: .../bin/nixlbench
    std::vector<std::string> directory; ///< names in the prefix
};

// ---- the whole container ----

/// How the exec into the container ended.
enum class ExecOutcome : std::uint8_t {
    completed,
    timed_out,
    refused,   ///< by the API server, kubelet or runtime; `detail` says why
    truncated, ///< the connection ended before the exit status
    cancelled, ///< the run was interrupted or its time was up
};

std::string_view to_string(ExecOutcome outcome);

/// Everything one exec showed, or why it showed nothing.
struct PodObservation {
    std::size_t worker = 0; ///< index in Inventory::workers
    Seen<int> exec;         ///< exit code of the probe script, or why there is none

    Seen<std::vector<RdmaDevice>> sysfs;       ///< /sys/class/infiniband: the host's, if shared
    Seen<std::vector<DeviceNode>> verbs_nodes; ///< /dev/infiniband/uverbs*; empty: none there
    Seen<std::vector<RdmaDevice>> ibstat;      ///< second opinion
    Seen<std::vector<RdmaDevice>> ibv_devinfo; ///< second opinion: what libibverbs can open
    Seen<std::vector<std::string>> netdevs;    ///< interfaces of the pod's network namespace

    Seen<KernelRelease> kernel;
    Seen<GpuDriver> driver;
    Seen<PeerMemory> peer_memory;
    Seen<std::optional<DeviceNode>> gdrdrv; ///< /dev/gdrdrv; an empty optional is absence
    Seen<std::vector<std::string>> imex_channels;

    Seen<EngineProcess> engine;
    Seen<EnvMap> exec_environment; ///< of the exec session, when the engine's is unreadable
    Seen<Environment> environment; ///< the effective one: engine, else exec, else spec
    Seen<GpuTopology> topology;
    Seen<std::vector<NvlinkGpu>> nvlink;
    Seen<std::vector<GpuFabric>> fabric;
    Seen<UcxBuild> ucx;
    Seen<std::vector<PluginDirectory>> nixl_plugins;
    Seen<std::string> nixl_version;
};

} // namespace di::model
