// Which RDMA devices and ports of a worker count: those that it can open and that KV may use.
#pragma once

#include "judge/used_path.hpp"
#include "model/observation.hpp"

#include <string>
#include <vector>

namespace di::judge {

struct PortRef {
    const model::RdmaDevice* device = nullptr;
    const model::Port* port = nullptr;

    [[nodiscard]] std::string id() const; ///< "mlx5_0:1"
};

struct Ports {
    std::vector<PortRef> used;
    std::vector<PortRef> ignored; ///< not openable, not listed, or unused Ethernet
};

/// Splits a device list by what the worker can open, by UCX_NET_DEVICES (or the engine's own list)
/// and by link layer: Ethernet ports beside InfiniBand ones are management or storage unless
/// listed, and so are software devices beside real ones. Of a RoCE card whose second ports are not
/// cabled the Active ports count; one dead port among many that are Active does count. Where
/// nothing can be opened, or no listed device exists, all devices count: other rows say that.
Ports select_ports(const std::vector<model::RdmaDevice>& devices,
                   const model::PodObservation& seen,
                   const UsedPath& path);

/// The strongest source of port states that was seen (sysfs, ibstat, ibv_devinfo); if none was,
/// sysfs with the reason.
const model::Seen<std::vector<model::RdmaDevice>>& port_source(const model::PodObservation& seen);

/// Device nodes that the probe or the engine could open.
std::vector<std::string> openable_nodes(const model::PodObservation& seen);

/// Can the container open this device? Yes while its nodes could not be seen.
bool can_open(const model::RdmaDevice& device, const model::PodObservation& seen);

bool is_active(const model::Port& port);           ///< Active, and LinkUp where that is shown
bool is_efa(const model::RdmaDevice& device);      ///< by driver, else by name
bool is_software(const model::RdmaDevice& device); ///< rxe or siw: RDMA emulated by the kernel
bool is_routable(const model::Gid& gid);           ///< not link-local (fe80::/10)
bool lives_in_pod(const model::Gid& gid, const model::PodObservation& seen);
std::string subnet_prefix(const model::Port& port); ///< upper 64 bits of GID 0; empty if none

} // namespace di::judge
