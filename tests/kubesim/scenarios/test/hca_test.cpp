#include "kubesim/scenarios/hca.hpp"
#include "kubesim/scenarios/parts.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace di::kubesim::scenarios;

TEST_CASE("every host has its devices, each with an address of its own") {
    struct Case {
        const char* what;
        Host host;
        std::size_t devices;
        std::size_t granted;
        const char* first;
        const char* driver;
        const char* layer;
    };

    const Case cases[] = {
        {"InfiniBand", h100_infiniband(), 8, 8, "mlx5_0", "mlx5_core", "InfiniBand"},
        {"RoCE", h100_roce(), 8, 8, "mlx5_0", "mlx5_core", "Ethernet"},
        {"EFA", p5_efa(), 32, 16, "rdmap79s0", "efa", "Unspecified"},
        {"GB200", gb200_tray(), 4, 4, "mlx5_0", "mlx5_core", "InfiniBand"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.what);
        const auto found = hcas(c.host, "seed");
        REQUIRE(found.size() == c.devices);
        std::set<std::string> addresses;
        std::set<std::string> names;
        std::size_t granted = 0;
        for (const auto& hca : found) {
            addresses.insert(hca.pci.address);
            names.insert(hca.name);
            granted += hca.granted ? 1 : 0;
            CHECK(hca.driver == c.driver);
            CHECK_FALSE(hca.gids.empty());
        }
        for (const auto& gpu : gpu_places(c.host)) {
            addresses.insert(gpu.address);
        }
        CHECK(addresses.size() == c.devices + 4);
        CHECK(names.size() == c.devices);
        CHECK(granted == c.granted);
        CHECK(found.front().name == c.first);
        CHECK(link_layer(c.host.rdma.fabric) == c.layer);
    }
}

TEST_CASE("a GPU shares its bridge with the HCA beside it") {
    const auto nics = hcas(h100_infiniband(), "seed");
    const auto gpus = gpu_places(h100_infiniband());
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        CHECK(gpus[i].bridge == nics[i].pci.bridge);
    }
    CHECK(gpus[0].address == "0000:1b:00.0");
    CHECK(nics[0].pci.address == "0000:18:00.0");
}

TEST_CASE("hosts of different seeds have different GUIDs, of the same seed the same") {
    const auto one = hcas(h100_infiniband(), "one");
    std::set<std::string> guids;
    for (const auto& hca : one) {
        guids.insert(hca.guid);
    }
    CHECK(guids.size() == one.size());
    CHECK(one[0].guid == hcas(h100_infiniband(), "one")[0].guid);
    CHECK(one[0].guid != hcas(h100_infiniband(), "other")[0].guid);
    CHECK(one[0].guid.size() == 16);
}

TEST_CASE("a subnet manager gives out LIDs; without one a port keeps the permissive LID") {
    Host host = h100_infiniband();
    CHECK(hcas(host, "seed")[0].sm_lid == 1);
    CHECK(hcas(host, "seed")[0].lid != hcas(host, "seed")[1].lid);
    host.rdma.managed = false;
    CHECK(hcas(host, "seed")[0].sm_lid == 0);
    CHECK(hcas(host, "seed")[0].lid == 0xffff);
}

TEST_CASE("an InfiniBand GID is the subnet prefix and the port's GUID") {
    Host host = h100_infiniband();
    host.rdma.subnet_prefix = "fec0:0000:0000:0001";
    const auto hca = hcas(host, "seed")[0];
    REQUIRE(hca.gids.size() == 1);
    const std::string guid = hca.guid.substr(0, 4) + ":" + hca.guid.substr(4, 4) + ":" +
                             hca.guid.substr(8, 4) + ":" + hca.guid.substr(12);
    CHECK(hca.gids[0].text == "fec0:0000:0000:0001:" + guid);
    CHECK(hca.gids[0].netdev.empty());
}

TEST_CASE("a RoCE port has a version 2 GID with an IPv4 address and a netdev in the pod") {
    for (const auto& hca : hcas(h100_roce(), "seed")) {
        REQUIRE(hca.gids.size() == 4);
        CHECK(hca.gids[3].type == "RoCE v2");
        CHECK(hca.gids[3].text.substr(0, 30) == "0000:0000:0000:0000:0000:ffff:");
        CHECK(hca.gids[3].text.size() == 39);
        CHECK(hca.gids[0].text.size() == 39);
        CHECK(hca.gids[3].netdev == hca.netdev);
        CHECK(hca.lid == 0);
    }
}
