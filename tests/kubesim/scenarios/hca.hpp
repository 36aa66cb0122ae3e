// The single devices of a host, as sysfs, the device nodes and the tools all name them.
#pragma once

#include "kubesim/scenarios/vocabulary.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace di::kubesim::scenarios {

/// Where a PCI function sits: sysfs's /sys/devices/<bridge>/<address>.
struct PciPlace {
    std::string bridge;  ///< pci0000:15/0000:15:01.0/0000:16:00.0
    std::string address; ///< 0000:18:00.0
    int numa = 0;
};

struct GidEntry {
    std::string text;   ///< eight groups of four hex digits
    std::string type;   ///< "IB/RoCE v1" or "RoCE v2"
    std::string netdev; ///< empty: none in the container's network namespace
};

struct Hca {
    std::string name;   ///< mlx5_0, rdmap79s0
    std::string uverbs; ///< uverbs0
    std::string driver; ///< mlx5_core, efa
    PciPlace pci;
    bool granted = true; ///< the container has its device node
    std::string guid;    ///< 16 hex digits
    int lid = 0;
    int sm_lid = 0;
    std::vector<GidEntry> gids; ///< the used slots, from 0 on
    std::string netdev;         ///< of RoCE, in the container's namespace
};

/// `seed` keeps the GUIDs and addresses of different hosts apart.
std::vector<Hca> hcas(const Host& host, std::string_view seed);

std::vector<PciPlace> gpu_places(const Host& host);

/// "GPU-5d1c...": as NVML prints it.
std::string gpu_uuid(std::string_view seed, int index);

/// "InfiniBand", "Ethernet", "Unspecified".
std::string link_layer(Fabric fabric);

} // namespace di::kubesim::scenarios
