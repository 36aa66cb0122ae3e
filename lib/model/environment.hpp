// The transport environment of an engine, by value: what UCX, NIXL and the engine will make of it.
#pragma once

#include "model/inventory.hpp"
#include "model/seen.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace di::model {

/// UCX_TLS as UCX reads it (openucx/ucx src/ucp/core/ucp_context.c): aliases expanded, unknown
/// names dropped.
struct UcxTls {
    std::string text;                 ///< the value as given
    bool deny = false;                ///< a leading ^ turns the whole list into a deny list
    bool all = false;                 ///< `all`, or a deny list that denies nothing known
    std::vector<std::string> tokens;  ///< as given, without the leading ^
    std::vector<std::string> unknown; ///< tokens that UCX drops with a warning
    std::set<std::string> transports; ///< transports left for data: rc_mlx5, tcp, cuda_copy, ...
    std::set<std::string> auxiliary;  ///< transports left for wire-up only
    friend bool operator==(const UcxTls&, const UcxTls&) = default;
};

/// One entry of UCX_NET_DEVICES.
struct UcxNetDevice {
    std::string text;        ///< as given, after range expansion
    std::string device;      ///< mlx5_0, or a network interface such as eth0
    std::optional<int> port; ///< absent: matches nothing before UCX 1.21, unless a netdev
    friend bool operator==(const UcxNetDevice&, const UcxNetDevice&) = default;
};

struct UcxNetDevices {
    std::string text;
    bool all = false;
    bool deny = false;   ///< leading ^, UCX 1.21 and newer
    bool ranges = false; ///< mlx5_[0-3]:1, UCX 1.22 and newer
    std::vector<UcxNetDevice> entries;
    friend bool operator==(const UcxNetDevices&, const UcxNetDevices&) = default;
};

/// Where the environment was read, strongest first: the engine's own /proc/<pid>/environ, the exec
/// session (no script exports), or the pod's spec (no image defaults either). A manifest is no
/// evidence of what runs, but of what was asked for.
enum class EnvSource : std::uint8_t { engine, exec, spec, manifest };

/// "engine process", "exec session", "pod spec", "manifest"
std::string_view to_string(EnvSource source);

struct Environment {
    EnvSource source = EnvSource::engine;
    EnvMap values;             ///< allow-listed names only; a name that is absent is unset
    std::optional<UcxTls> tls; ///< set when UCX_TLS is
    std::optional<UcxNetDevices> net_devices; ///< set when UCX_NET_DEVICES is
    /// Variables that are set, to values that nobody here knows.
    std::map<std::string, Unseen, std::less<>> unknown;
    friend bool operator==(const Environment&, const Environment&) = default;
};

} // namespace di::model
