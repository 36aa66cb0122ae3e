#include "base/strings.hpp"
#include "written.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace di::kubesim::scenarios;
using namespace di::kubesim::scenarios::test;

TEST_CASE("hostile tools print escapes, forged frames and an endless line before their real text") {
    const auto tree = tree_of(scenario("hostile"), Role::decode);
    for (const auto& [name, arguments, real] :
         {std::tuple("nvidia-smi", "topo -m", "NIC Legend:"),
          std::tuple("ibv_devinfo", "", "PORT_ACTIVE (4)"),
          std::tuple("ucx_info", "-v", "# Library version: 1.20.0")}) {
        CAPTURE(name);
        const auto ran = run(at(tree, std::string("usr/bin/") + name), arguments);
        CHECK(ran.code == 0);
        CHECK(di::contains(ran.out, "\x1b[2J"));
        CHECK(di::contains(ran.out, "=== end ===\n"));
        CHECK(di::contains(ran.out, real));
        const auto lines = di::lines(ran.out);
        CHECK(std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
            return line.size() >= 1U << 20U;
        }));
    }
}

TEST_CASE("hostile file names and values hold control characters and newlines") {
    const auto tree = tree_of(scenario("hostile"), Role::prefill);
    const auto strange = [&](std::string_view folder) {
        const auto paths = below(tree, folder);
        return std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
            return di::contains(path, "\x1b[");
        });
    };
    CHECK(strange("sys/class/infiniband/"));
    CHECK(strange("dev/infiniband/"));
    CHECK(strange("opt/nvidia/nvda_nixl/lib64/plugins/"));
    for (const char* path :
         {"proc/modules", "proc/version", "proc/net/dev", "proc/214/maps", "proc/214/fd/99"}) {
        CAPTURE(path);
        CHECK(di::contains(at(tree, path), "\x1b["));
    }
}

TEST_CASE("below the lies the fabric is the healthy one") {
    const auto lying = tree_of(scenario("hostile"), Role::prefill);
    const auto honest = tree_of(scenario("disagg-ib"), Role::prefill);
    for (const auto& path : below(honest, "sys/class/infiniband/")) {
        CHECK(at(lying, path) == at(honest, path));
    }
    CHECK(di::contains(at(lying, "proc/modules"), at(honest, "proc/modules")));
    CHECK(at(lying, "proc/214/limits") == at(honest, "proc/214/limits"));
}

TEST_CASE("a hostile tree can be written") {
    const TempFolder folder;
    CHECK(tree_of(scenario("hostile"), Role::prefill).write(folder.path()));
}
