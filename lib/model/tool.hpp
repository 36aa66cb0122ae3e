// What one tool printed, read: the probes whose output can be judged by itself.
#pragma once

#include "model/observation.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace di::model {

enum class Tool : std::uint8_t {
    ib_devices,        ///< ls /dev/infiniband
    ibv_devinfo_list,  ///< ibv_devinfo -l
    ibv_devinfo,       ///< ibv_devinfo, also -v
    ib_link,           ///< ibstat
    ib_sysfs,          ///< path:value lines of /sys/class/infiniband
    gpudirect_modules, ///< lsmod or /proc/modules, or a grep of either
    gdrcopy,           ///< ls /dev/gdrdrv
    gpu_topology,      ///< nvidia-smi topo -m
    nvlink_status,     ///< nvidia-smi nvlink --status
    gpu_fabric,        ///< the Fabric sections of nvidia-smi -q
    ucx_devices,       ///< ucx_info -d
    ucx_version,       ///< ucx_info -v
    memlock,           ///< ulimit -l
    nixl_tools,        ///< command -v nixlbench nixl_test; ls of the NIXL directory
    nixl_plugins,      ///< ls of a NIXL plugin directory
    env,               ///< lines of NAME=value
};

/// Every probe name, in the order of Tool: "ib-devices", ...
std::span<const std::string_view> tool_names();

std::string_view to_string(Tool tool);

/// The tool of that probe name, if there is one.
std::optional<Tool> tool_named(std::string_view name);

/// What `ibv_devinfo -l` found.
struct HcaList {
    std::vector<std::string> names;
    std::string error; ///< name of the errno by which the kernel refused, such as ENOSYS; or empty
};

/// A tool's answer in the types of the whole probe. The same type from different tools means the
/// same thing; a GpuFault may stand in for what any nvidia-smi command should have shown.
using ToolFacts = std::variant<Listing,
                               HcaList,
                               std::vector<RdmaDevice>,
                               std::vector<KernelModule>,
                               GpuTopology,
                               std::vector<NvlinkGpu>,
                               std::vector<GpuFabric>,
                               GpuFault,
                               UcxDevices,
                               UcxBuild,
                               Memlock,
                               NixlTools,
                               std::vector<PluginDirectory>,
                               Environment>;

using ToolReading = Seen<ToolFacts>;

/// The facts of that type, or nullptr when the tool did not show them.
template<class T> const T* facts_of(const ToolReading& reading) {
    return reading ? std::get_if<T>(reading.get()) : nullptr;
}

} // namespace di::model
