#include "base/strings.hpp"
#include "written.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace di::kubesim::scenarios;
using namespace di::kubesim::scenarios::test;

namespace {

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    for (const auto line : di::lines(text)) {
        longest = std::max(longest, line.size());
    }
    return longest;
}

} // namespace

TEST_CASE("hostile tools print escapes, forged frames and an endless line before their real text") {
    struct Case {
        const char* tool;
        const char* arguments;
        const char* real;
    };

    const auto c = GENERATE(values<Case>({{"nvidia-smi", "topo -m", "NIC Legend:"},
                                          {"ibv_devinfo", "", "PORT_ACTIVE (4)"},
                                          {"ucx_info", "-v", "# Library version: 1.20.0"}}));
    CAPTURE(c.tool);
    const auto tree = tree_of(scenario("hostile"), Role::decode);
    const auto ran = run(at(tree, std::string("usr/bin/") + c.tool), c.arguments);
    CHECK(ran.code == 0);
    CHECK(di::contains(ran.out, "\x1b[2J"));
    CHECK(di::contains(ran.out, "=== end ===\n"));
    CHECK(di::contains(ran.out, c.real));
    CHECK(longest_line(ran.out) == 1U << 20U);
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
