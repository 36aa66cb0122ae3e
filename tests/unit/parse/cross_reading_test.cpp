// Every parser is shown every tool's output, and damaged output of its own tool.
#include "base/strings.hpp"
#include "parse/fabric.hpp"
#include "parse/ibstat.hpp"
#include "parse/ibv_devinfo.hpp"
#include "parse/listing.hpp"
#include "parse/memlock.hpp"
#include "parse/modules.hpp"
#include "parse/nixl.hpp"
#include "parse/nvlink.hpp"
#include "parse/topology.hpp"
#include "parse/ucx_info.hpp"
#include "support/damage.hpp"
#include "unit/parse/captured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace di::parse {
namespace {

struct Parser {
    std::string probe; ///< as in the corpus' index
    std::function<bool(const ToolOutput&)> sees;
    bool takes_any_name; ///< reads lists of names, which any text may be
};

template<class Parse> Parser parser(std::string probe, Parse parse, bool takes_any_name = false) {
    return {std::move(probe),
            [parse](const ToolOutput& output) { return static_cast<bool>(parse(output)); },
            takes_any_name};
}

const std::vector<Parser>& parsers() {
    static const std::vector<Parser> k_all = {
        parser("ib-link", parse_ibstat),
        parser("ibv-devinfo", parse_ibv_devinfo),
        parser("ibv-devinfo-list", parse_ibv_devinfo_list),
        parser("gpu-topology", parse_topology),
        parser("nvlink-status", parse_nvlink_status),
        parser("gpu-fabric", parse_gpu_fabric),
        parser("ucx-version", parse_ucx_version),
        parser("ucx-devices", parse_ucx_devices),
        parser("gpudirect-modules", parse_modules),
        parser("memlock", parse_ulimit_memlock),
        parser("memlock", parse_limits_memlock),
        parser("ib-devices", parse_listing, true),
        parser("nixl-tools", parse_nixl_tools, true),
        parser("nixl-plugins", parse_nixl_plugins, true),
    };
    return k_all;
}

struct CorpusCase {
    std::string name;
    std::string probe;
    Captured output;
};

std::vector<CorpusCase> single_cases() {
    std::vector<CorpusCase> cases;
    const std::string index = file_text(std::string(DI_TEST_DATA) + "/corpus/open/INDEX.tsv");
    for (const auto row : lines(index)) {
        const auto columns = split(row, '\t');
        REQUIRE(columns.size() >= 2);
        if (columns[1] != "multi") {
            const std::string name(columns[0]);
            cases.push_back({name, std::string(columns[1]), captured(name)});
        }
    }
    return cases;
}

/// The two questions to ibv_devinfo share the answer "there is no device".
bool same_tool(const std::string& a, const std::string& b) {
    return a == b || (a.rfind("ibv-devinfo", 0) == 0 && b.rfind("ibv-devinfo", 0) == 0);
}

TEST_CASE("no parser takes what another tool printed for its own") {
    const auto cases = single_cases();
    CHECK(cases.size() > 50);
    for (const auto& [name, probe, output] : cases) {
        if (trim(output.out).empty()) {
            continue; // silence means something different to each of them
        }
        for (const auto& candidate : parsers()) {
            CAPTURE(name, candidate.probe);
            if (!same_tool(candidate.probe, probe) && !candidate.takes_any_name) {
                const bool nvidia_smi_failed = output.rc != 0 && candidate.probe == "gpu-topology";
                CHECK((nvidia_smi_failed || !candidate.sees(output.view())));
            }
        }
    }
}

TEST_CASE("every case whose tool could speak gives a fact to its own parser") {
    const std::vector<std::string> k_unseen = {"ibdev-distroless-no-ls",
                                               "ibdev-permission-denied",
                                               "ibstat-not-found-busybox",
                                               "lsmod-missing-in-pipeline",
                                               "ucxd-missing-bash"};
    for (const auto& [name, probe, output] : single_cases()) {
        for (const auto& candidate : parsers()) {
            if (candidate.probe != probe || probe == "memlock") {
                continue;
            }
            CAPTURE(name, probe);
            const bool silent = std::count(k_unseen.begin(), k_unseen.end(), name) > 0;
            CHECK(candidate.sees(output.view()) == !silent);
        }
    }
}

TEST_CASE("damaged output breaks no parser") {
    for (const auto& [name, probe, output] : single_cases()) {
        CAPTURE(name);
        for (std::uint32_t seed = 1; seed <= 10; ++seed) {
            CAPTURE(seed);
            const Captured damaged = {
                test::Damage(seed).apply(output.out.substr(0, 2000)), output.err, output.rc};
            for (const auto& candidate : parsers()) {
                CHECK_NOTHROW(candidate.sees(damaged.view()));
            }
        }
    }
}

TEST_CASE("embedded NULs, endless lines and endless lists break no parser") {
    std::string many_ports = "CA 'x'\n\tNumber of ports: 255\n";
    std::string many_gpus = "\t";
    for (int i = 0; i < 300; ++i) {
        many_ports += fmt::format("\tPort {}:\n\t\tState: Active\n", i);
        many_gpus += fmt::format("GPU{}\t", i);
    }
    const std::string out = GENERATE_COPY(as<std::string>(),
                                          std::string(20000, '\0'),
                                          std::string(20000, 'x'),
                                          std::string(20000, '\n'),
                                          std::string(20000, ':'),
                                          "# Memory domain: " + std::string(20000, '('),
                                          many_ports,
                                          many_gpus + "\n");
    for (const auto& candidate : parsers()) {
        CAPTURE(candidate.probe);
        CHECK_NOTHROW(candidate.sees(printed(out).view()));
    }
}

} // namespace
} // namespace di::parse
