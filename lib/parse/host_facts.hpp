// The sections `host`, `nodes` and `net` of the probe script: kernel, driver, modules, device
// nodes.
#pragma once

#include "model/observation.hpp"

#include <string_view>

namespace di::parse {

/// What the script's sign before a path says (see probe/script.hpp).
enum class Sign : std::uint8_t {
    unseen, ///< ?path: its directory cannot be searched; or the path was not asked for
    absent, ///< -path: its directory can be searched, and it is not there
    closed, ///< !path: there, but not for the probing user
    there,  ///< +path
};

Sign sign_of(std::string_view section, std::string_view path);

/// /proc/sys/kernel/osrelease, as `uname -r`.
model::Seen<model::KernelRelease> parse_kernel(std::string_view host);

/// /proc/driver/nvidia/version ("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64 570.86.15
/// ..."), else /sys/module/nvidia/version, which does not tell the flavour.
model::Seen<model::GpuDriver> parse_driver(std::string_view host);

/// /sys/module, else /proc/modules; unseen when neither could be read.
model::Seen<model::PeerMemory> parse_peer_memory(std::string_view host);

/// Nodes /dev/infiniband/uverbs*; an empty list when the directory or /dev proves that none is
/// there.
model::Seen<std::vector<model::DeviceNode>> parse_verbs_nodes(std::string_view nodes);

model::Seen<std::optional<model::DeviceNode>> parse_gdrdrv(std::string_view nodes);

/// Paths of /dev/nvidia-caps-imex-channels/channel*.
model::Seen<std::vector<std::string>> parse_imex_channels(std::string_view nodes);

/// Interface names of /proc/net/dev. Every network namespace has `lo`: no name is no answer.
model::Seen<std::vector<std::string>> parse_netdevs(std::string_view net);

} // namespace di::parse
