#include "parse/ucx_info.hpp"
#include "unit/parse/captured.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::parse {
namespace {

using model::SkipReason;
using model::UcxDevices;
using Lines = std::vector<std::string>;

/// "1.19.0 cuda verbs"
std::string summary(const model::UcxBuild& build) {
    return build.version + (build.cuda ? " cuda" : "") + (build.verbs ? " verbs" : "") +
           (build.mlx5 ? " mlx5" : "") + (build.efa ? " efa" : "") +
           (build.gdrcopy ? " gdrcopy" : "");
}

TEST_CASE("ucx_info -v: the library's version and what configure was asked for") {
    struct Case {
        Captured output;
        std::string expected;
    };

    const auto& [output, expected] = GENERATE(values<Case>({
        {captured("ucxv-cuda-verbs"), "1.19.0 cuda verbs efa gdrcopy"},
        {printed(
             "# Library version: 1.20.0\r\n# Library path: /opt/ucx/lib/libucs.so.0\r\n"
             "# API headers version: 1.18.1\r\n# Git branch 'master', revision abc\r\n"
             "# Configured with: --with-cuda=no --without-verbs --with-mlx5 --with-gdrcopy=no\r\n"),
         "1.20.0 mlx5"},
        {printed("# Version 1.13.1\n# Git branch '', revision 09f27c0\n"
                 "# Configured with: --disable-logging --with-verbs --without-cuda\n"),
         "1.13.1 verbs"},
        {printed("# UCT version=1.9.0 revision 1d0a420\n# configured with: "
                 "--with-cuda=/usr/local/cuda\n"),
         "1.9.0 cuda"},
        {printed("# Library version: 1.17.0\n"), "1.17.0"},
        {printed("# Library version: 1.17.0\n# Configured with: --with-cuda --with-verbs"),
         "1.17.0 cuda"},
    }));
    CAPTURE(output.out);
    const auto build = parse_ucx_version(output.view());
    REQUIRE(build);
    CHECK(summary(*build) == expected);
}

/// "mlx5_0 (ib) dmabuf: host cuda; rc_mlx5/mlx5_0:1 ud_mlx5/mlx5_0:1"
std::string summary(const model::UcxMemoryDomain& domain) {
    std::string transports;
    for (const auto& transport : domain.transports) {
        transports += fmt::format(" {}/{}", transport.name, transport.device);
    }
    return fmt::format("{} ({}){}{}: {};{}",
                       domain.name,
                       domain.component,
                       domain.dmabuf ? " dmabuf" : "",
                       domain.opened ? "" : " closed",
                       fmt::join(domain.memory_types, " "),
                       transports);
}

Lines summaries(const UcxDevices& devices) {
    Lines result;
    for (const auto& domain : devices.domains) {
        result.push_back(summary(domain));
    }
    return result;
}

TEST_CASE("ucx_info -d: an H200 worker registers GPU memory with both HCAs by DMA-BUF") {
    const auto devices = parse_ucx_devices(captured("ucxd-rc-dmabuf-cuda").view());
    REQUIRE(devices);
    const auto hca = [](const std::string& name) {
        return fmt::format("{0} (ib) dmabuf: host cuda; dc_mlx5/{0}:1 rc_verbs/{0}:1 rc_mlx5/{0}:1 "
                           "ud_verbs/{0}:1 ud_mlx5/{0}:1",
                           name);
    };
    CHECK(summaries(*devices) ==
          Lines{"self (self): host; self/memory",
                "tcp (tcp): host; tcp/eth0 tcp/lo",
                "sysv (sysv): host; sysv/memory",
                "posix (posix): host; posix/memory",
                "cuda_cpy (cuda_cpy): host cuda cuda-managed; cuda_copy/cuda",
                "cuda_ipc (cuda_ipc): cuda; cuda_ipc/cuda",
                "gdr_copy (gdr_copy): cuda; gdr_copy/cuda",
                hca("mlx5_0"),
                hca("mlx5_1"),
                "cma (cma): host; cma/memory"});
}

TEST_CASE("ucx_info -d: a worker without RDMA shows TCP and shared memory only") {
    const auto devices = parse_ucx_devices(captured("ucxd-tcp-only").view());
    REQUIRE(devices);
    CHECK(summaries(*devices) == Lines{"self (self): ; self/memory0",
                                       "tcp (tcp): ; tcp/lo tcp/eth0",
                                       "sysv (sysv): ; sysv/memory",
                                       "posix (posix): ; posix/memory",
                                       "cma (cma): ; cma/memory"});
}

const std::string k_devices = "#\n"
                              "# < failed to open memory domain mlx5_2 >\n"
                              "#\n"
                              "# Memory domain: rdmap79s0\n"
                              "#     Component: ib\n"
                              "#             register: unlimited, cost: 16000 + 0.060 * N nsec\n"
                              "#         memory types: host (access,reg,cache)\n"
                              "#\n"
                              "#      Transport: srd\n"
                              "#         Device: rdmap79s0:1\n"
                              "#           Type: network\n"
                              "#\n"
                              "# Memory domain: mlx5_3\n"
                              "#     Component: ib\n"
                              "#             register: unlimited, dmabuf, cost: 0 nsec\n"
                              "#         memory types: host (reg), cuda (reg), rocm (reg)\n"
                              "#   < no supported devices found >\n"
                              "#\n"
                              "# Connection manager: rdmacm\n"
                              "#      max_conn_priv: 54 bytes\n";

TEST_CASE("ucx_info -d: EFA, domains that do not open, domains without devices") {
    const std::string out = GENERATE_COPY(as<std::string>(), k_devices, with_crlf(k_devices));
    const auto devices = parse_ucx_devices(printed(out).view());
    REQUIRE(devices);
    CHECK(summaries(*devices) == Lines{"mlx5_2 () closed: ;",
                                       "rdmap79s0 (ib): host; srd/rdmap79s0:1",
                                       "mlx5_3 (ib) dmabuf: host cuda rocm;"});
}

template<class T> bool starts_with(const std::vector<T>& whole, const std::vector<T>& part) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

TEST_CASE("ucx_info -d: cut anywhere, no domain has more than in the whole") {
    const auto whole = parse_ucx_devices(printed(k_devices).view());
    for_each_prefix(k_devices, [&](const Captured& cut) {
        const auto part = parse_ucx_devices(cut.view());
        if (!part) {
            return;
        }
        REQUIRE(part->domains.size() <= whole->domains.size());
        for (std::size_t i = 0; i < part->domains.size(); ++i) {
            CHECK(part->domains[i].name == whole->domains[i].name);
            CHECK(starts_with(whole->domains[i].memory_types, part->domains[i].memory_types));
            CHECK(part->domains[i].transports.size() <= whole->domains[i].transports.size());
            CHECK((!part->domains[i].dmabuf || whole->domains[i].dmabuf));
        }
    });
}

TEST_CASE("ucx_info -v: cut anywhere, no feature appears that was not asked for") {
    const std::string out =
        "# Library version: 1.19.0\n"
        "# Configured with: --with-cuda=no --with-verbs=no --with-efa=/opt/efa\n";
    for_each_prefix(out, [&](const Captured& cut) {
        if (const auto part = parse_ucx_version(cut.view())) {
            CHECK(part->version == "1.19.0");
            CHECK_FALSE(part->cuda);
            CHECK_FALSE(part->verbs);
        }
    });
}

TEST_CASE("ucx_info: missing, crashed or foreign is no fact") {
    struct Case {
        Captured output;
        SkipReason reason;
    };

    const auto& [output, reason] = GENERATE(values<Case>({
        {captured("ucxd-missing-bash"), SkipReason::tool_missing},
        {failed(127, "ucx_info: error while loading shared libraries: libucp.so.0"),
         SkipReason::tool_missing},
        {failed(139, "Segmentation fault"), SkipReason::unreadable},
        {printed(k_foreign), SkipReason::unreadable},
        {printed(""), SkipReason::unreadable},
        {printed("#\n"), SkipReason::unreadable},
    }));
    CAPTURE(output.out, output.err);
    CHECK(parse_ucx_version(output.view()).unseen()->reason == reason);
    CHECK(parse_ucx_devices(output.view()).unseen()->reason == reason);
}

} // namespace
} // namespace di::parse
