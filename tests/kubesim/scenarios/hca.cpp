#include "kubesim/scenarios/hca.hpp"

#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

#include <array>

namespace di::kubesim::scenarios {
namespace {

/// A PCIe switch of an HGX board: one GPU and one HCA below the same bridge.
struct Switch {
    const char* root;
    const char* bridge;
    const char* hca;
    const char* gpu;
};

constexpr std::array<Switch, 8> k_hgx = {{
    {"15", "16", "18", "1b"},
    {"37", "38", "40", "43"},
    {"48", "49", "4f", "52"},
    {"59", "5a", "5e", "61"},
    {"97", "98", "9a", "9d"},
    {"bd", "be", "c0", "c3"},
    {"c7", "c8", "ce", "d1"},
    {"d7", "d8", "dc", "df"},
}};

// A GB200 tray: a PCI domain for each GPU and each rail.
constexpr std::array<const char*, 4> k_tray_gpus = {"0008", "0009", "0018", "0019"};
constexpr std::array<const char*, 4> k_tray_rails = {"0000", "0002", "0010", "0012"};

PciPlace on_switch(const Switch& board, const char* bus, std::size_t index) {
    return {fmt::format("pci0000:{0}/0000:{0}:01.0/0000:{1}:00.0", board.root, board.bridge),
            fmt::format("0000:{}:00.0", bus),
            index < 4 ? 0 : 1};
}

PciPlace on_tray(const char* domain, const char* bus, std::size_t index) {
    return {fmt::format("pci{0}:00/{0}:00:00.0", domain),
            fmt::format("{}:{}:00.0", domain, bus),
            index < 2 ? 0 : 1};
}

bool is_tray(const Host& host) {
    return host.arch == "aarch64";
}

/// p5.48xlarge: four EFA devices and a GPU on neighbouring buses, the first at 0x4f.
constexpr int k_efa_per_gpu = 4;
constexpr int k_efa_first_bus = 0x4f;
constexpr int k_efa_stride = 17;

int efa_bus(int index) {
    return k_efa_first_bus + index / k_efa_per_gpu * k_efa_stride + index % k_efa_per_gpu;
}

PciPlace in_efa_group(int group, int bus) {
    const int bridge = k_efa_first_bus - 11 + group * k_efa_stride;
    return {fmt::format("pci0000:{0:02x}/0000:{0:02x}:01.0", bridge),
            fmt::format("0000:{:02x}:00.0", bus),
            group < 4 ? 0 : 1};
}

PciPlace hca_place(const Host& host, int index) {
    const auto i = static_cast<std::size_t>(index);
    if (host.rdma.fabric == Fabric::efa) {
        return in_efa_group(index / k_efa_per_gpu, efa_bus(index));
    }
    return is_tray(host) ? on_tray(k_tray_rails.at(i % 4), "03", i % 4)
                         : on_switch(k_hgx.at(i % 8), k_hgx.at(i % 8).hca, i % 8);
}

PciPlace gpu_place(const Host& host, int index) {
    const auto i = static_cast<std::size_t>(index);
    if (host.rdma.fabric == Fabric::efa) {
        return in_efa_group(index, efa_bus(index * k_efa_per_gpu) + k_efa_per_gpu);
    }
    return is_tray(host) ? on_tray(k_tray_gpus.at(i % 4), "01", i % 4)
                         : on_switch(k_hgx.at(i % 8), k_hgx.at(i % 8).gpu, i % 8);
}

std::string grouped(const std::string& digits) {
    std::string text;
    for (std::size_t i = 0; i < digits.size(); i += 4) {
        text += (i == 0 ? "" : ":") + digits.substr(i, 4);
    }
    return text;
}

/// RoCE: each address once as version 1 and once as version 2; the last one is what UCX takes.
std::vector<GidEntry> roce_gids(const Hca& hca, int rail, std::string_view seed) {
    const std::string mac = hca.guid.substr(0, 6) + hca.guid.substr(10, 6);
    const std::string local =
        fmt::format("fe80:0000:0000:0000:{}", grouped(mac.substr(0, 6) + "fffe" + mac.substr(6)));
    const std::string routed =
        fmt::format("0000:0000:0000:0000:0000:ffff:0a90:{:02x}{:02x}", rail, hash(seed) % 200 + 10);
    return {{local, "IB/RoCE v1", hca.netdev},
            {local, "RoCE v2", hca.netdev},
            {routed, "IB/RoCE v1", hca.netdev},
            {routed, "RoCE v2", hca.netdev}};
}

void be_mlx5(Hca& hca, int index, const Rdma& rdma, std::string_view seed) {
    hca.name = fmt::format("mlx5_{}", index);
    hca.driver = "mlx5_core";
    // 58a2e1 is a vendor prefix of Mellanox.
    hca.guid = "58a2e10300" + hex(fmt::format("{}/{}", seed, hca.name), 5) + "0";
    if (rdma.fabric == Fabric::roce) {
        hca.netdev = fmt::format("net{}", index + 1);
        hca.gids = roce_gids(hca, index, seed);
        return;
    }
    // An INIT port has the permissive LID until a subnet manager gives it one.
    const int first_lid = 17 + static_cast<int>(hash(seed) % 64) * 16;
    hca.lid = rdma.managed ? first_lid + index : 0xffff;
    hca.sm_lid = rdma.managed ? 1 : 0;
    hca.gids = {{rdma.subnet_prefix + ":" + grouped(hca.guid), "IB/RoCE v1", ""}};
}

/// EFA has a GID, but neither LIDs nor a GUID.
void be_efa(Hca& hca, int index, std::string_view seed) {
    hca.name = fmt::format("rdmap{}s0", efa_bus(index));
    hca.driver = "efa";
    hca.guid = std::string(16, '0');
    const std::string own = "0a" + hex(fmt::format("{}/{}", seed, hca.name), 14);
    hca.gids = {{"fe80:0000:0000:0000:" + grouped(own), "IB/RoCE v1", ""}};
}

} // namespace

std::vector<Hca> hcas(const Host& host, std::string_view seed) {
    std::vector<Hca> found;
    for (int i = 0; i < host.rdma.devices; ++i) {
        Hca hca;
        hca.pci = hca_place(host, i);
        hca.uverbs = fmt::format("uverbs{}", i);
        hca.granted = i < host.rdma.granted;
        if (host.rdma.fabric == Fabric::efa) {
            be_efa(hca, i, seed);
        } else {
            be_mlx5(hca, i, host.rdma, seed);
        }
        found.push_back(std::move(hca));
    }
    return found;
}

std::vector<PciPlace> gpu_places(const Host& host) {
    std::vector<PciPlace> places;
    places.reserve(static_cast<std::size_t>(host.gpus.count));
    for (int i = 0; i < host.gpus.count; ++i) {
        places.push_back(gpu_place(host, i));
    }
    return places;
}

std::string gpu_uuid(std::string_view seed, int index) {
    return "GPU-" + uuid(fmt::format("{}/gpu{}", seed, index));
}

std::string link_layer(Fabric fabric) {
    constexpr const char* k_names[] = {"InfiniBand", "Ethernet", "Unspecified"};
    return k_names[static_cast<std::size_t>(fabric)];
}

} // namespace di::kubesim::scenarios
