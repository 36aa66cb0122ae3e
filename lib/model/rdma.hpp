// RDMA devices and their ports: Linux ABI sysfs-class-infiniband, rdma-core's ibstat and
// ibv_devinfo.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::model {

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
    friend bool operator==(const Gid&, const Gid&) = default;
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
    bool first_gid_empty = false;     ///< slot 0 could be read, and is all zeros
    std::optional<int> active_mtu;    ///< bytes of an RDMA packet: 256 ... 4096
    std::vector<std::uint16_t> pkeys; ///< non-zero ones; bit 15 = full member
    friend bool operator==(const Port&, const Port&) = default;
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
    friend bool operator==(const RdmaDevice&, const RdmaDevice&) = default;
};

/// A character device of the container.
struct DeviceNode {
    std::string path;
    bool openable = false; ///< read and write permission for the probing user
    friend bool operator==(const DeviceNode&, const DeviceNode&) = default;
};

} // namespace di::model
