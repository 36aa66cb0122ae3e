// Which way KV is meant to leave a worker: decided by settings, arguments and devices together.
#pragma once

#include "model/inventory.hpp"
#include "model/observation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::judge {

enum class PathKind : std::uint8_t {
    none,      ///< no KV leaves this worker: aggregated, encode, mocker
    ucx,       ///< UCX over RDMA devices (InfiniBand, RoCE; EFA as a stopgap)
    nvlink,    ///< UCX over multi-node NVLink: cuda_ipc with fabric handles, no RDMA
    libfabric, ///< NIXL's LIBFABRIC backend, normally over EFA
    mooncake,  ///< Mooncake's transfer engine
};

struct UsedPath {
    PathKind kind = PathKind::ucx;
    std::string plugin = "UCX";       ///< NIXL backend; empty without NIXL
    std::string chosen_by;            ///< the setting that chose it; empty for the engine's default
    std::vector<std::string> devices; ///< HCAs named by an engine argument; empty: all
    std::string why_none;             ///< for `none`
};

/// `no_split` says why no KV leaves the worker as far as the inventory knows; empty if it does.
UsedPath
used_path(const model::Worker& worker, const model::PodObservation& seen, std::string no_split);

/// The value of a transport variable as the engine has it, as far as seen (else the pod's spec);
/// nullptr when unset.
const std::string*
setting(const model::Worker& worker, const model::PodObservation& seen, std::string_view name);

/// Does UCX_TLS leave this transport in? Everything is left in while the variable is unset.
bool allows(const std::optional<model::UcxTls>& tls, std::string_view transport);

/// Does UCX_TLS leave any RDMA transport in?
bool allows_rdma(const std::optional<model::UcxTls>& tls);

/// Transports of UCX that cross nodes (openucx/ucx src/ucp/core/ucp_context.c); tcp is the last.
const std::vector<std::string_view>& network_transports();

/// UCX's reading of a yes, no or try variable (ucs/config/parser.c), in any letter case.
enum class Switch : std::uint8_t { unset, yes, no, automatic, invalid };
Switch read_switch(const std::string* value);

/// This GPU is registered with a multi-node NVLink fabric.
bool in_nvlink_cluster(const model::GpuFabric& gpu);

/// All GPUs registered with a multi-node NVLink fabric: Completed, Success, a non-zero cluster.
bool in_nvlink_domain(const model::PodObservation& seen);

/// Is this cluster UUID more than zeros? Zeros mean NVSwitch inside one box.
bool names_cluster(std::string_view uuid);

} // namespace di::judge
