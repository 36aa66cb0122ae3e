// Typed facts of one container, as the parsers read them. No judgement lives here.
#pragma once

#include "model/environment.hpp"
#include "model/gpu.hpp"
#include "model/inventory.hpp"
#include "model/rdma.hpp"
#include "model/seen.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace di::model {

// ---- the engine process ----

struct Memlock {
    bool unlimited = false;
    std::uint64_t bytes = 0; ///< soft limit, when not unlimited
    friend bool operator==(const Memlock&, const Memlock&) = default;
};

struct MappedLibrary {
    std::string path; ///< /usr/local/ucx/lib/libucp.so.0.0.0
    friend bool operator==(const MappedLibrary&, const MappedLibrary&) = default;
};

struct EngineProcess {
    int pid = 0;
    int processes = 1;                    ///< how many processes map the transfer libraries
    std::optional<unsigned> uid;          ///< effective
    std::optional<std::uint64_t> cap_eff; ///< effective capability mask
    Seen<Memlock> memlock;
    Seen<EnvMap> environment; ///< allow-listed names of /proc/<pid>/environ
    /// The environment with a value that another process of the engine has: one for each of them.
    std::vector<Environment> variants;
    Seen<std::vector<MappedLibrary>> libraries;  ///< transfer and fabric libraries only
    Seen<std::vector<std::string>> open_devices; ///< targets under /dev/infiniband, gdrdrv, imex
    friend bool operator==(const EngineProcess&, const EngineProcess&) = default;
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
    friend bool operator==(const UcxBuild&, const UcxBuild&) = default;
};

struct UcxTransport {
    std::string name;   ///< rc_mlx5, tcp, cuda_ipc, ...
    std::string device; ///< mlx5_0:1, eth0, cuda, ...
    friend bool operator==(const UcxTransport&, const UcxTransport&) = default;
};

/// One `# Memory domain:` of `ucx_info -d`.
struct UcxMemoryDomain {
    std::string name;                      ///< mlx5_0, cuda_cpy, ...
    std::string component;                 ///< ib, cuda_ipc, tcp, ...
    std::vector<std::string> memory_types; ///< host, cuda, ... that it can register or access
    bool dmabuf = false;                   ///< registers by DMA-BUF
    bool opened = true;                    ///< false: UCX failed to open it
    std::vector<UcxTransport> transports;
    friend bool operator==(const UcxMemoryDomain&, const UcxMemoryDomain&) = default;
};

struct UcxDevices {
    std::vector<UcxMemoryDomain> domains;
    bool cut = false; ///< the last line has no end: domains may be missing
    friend bool operator==(const UcxDevices&, const UcxDevices&) = default;
};

struct PluginDirectory {
    std::string path;                 ///< empty when the listing does not say
    std::vector<std::string> plugins; ///< UCX, LIBFABRIC, ...: from libplugin_<NAME>.so
    friend bool operator==(const PluginDirectory&, const PluginDirectory&) = default;
};

/// What `command -v <tools>; ls <prefix>` found.
struct NixlTools {
    std::vector<std::string> programs;  ///< absolute paths: .../bin/nixlbench
    std::vector<std::string> directory; ///< names in the prefix
    friend bool operator==(const NixlTools&, const NixlTools&) = default;
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
/// How a pod was entered.
enum class ExecRoute : std::uint8_t {
    websocket,
    kubectl, ///< `kubectl exec`, for a role that grants create on pods/exec and not get
};

struct PodObservation {
    std::size_t worker = 0; ///< index in Inventory::workers
    Seen<int> exec;         ///< exit code of the probe script, or why there is none
    ExecRoute route = ExecRoute::websocket;

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
    friend bool operator==(const PodObservation&, const PodObservation&) = default;
};

} // namespace di::model
