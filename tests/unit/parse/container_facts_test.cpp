// Module lists, device listings, memlock and NIXL on disk.
#include "parse/listing.hpp"
#include "parse/memlock.hpp"
#include "parse/modules.hpp"
#include "parse/nixl.hpp"
#include "unit/parse/captured.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::KernelModule;
using model::SkipReason;
using Lines = std::vector<std::string>;

const KernelModule* find_module(const std::vector<KernelModule>& modules, const std::string& name) {
    const auto found = std::find_if(
        modules.begin(), modules.end(), [&](const auto& module) { return module.name == name; });
    return found == modules.end() ? nullptr : &*found;
}

/// Whether `user` registered with the InfiniBand core: what "peermem is bound" means.
bool uses_ib_core(const std::vector<KernelModule>& modules, const std::string& user) {
    return std::any_of(modules.begin(), modules.end(), [&](const auto& module) {
        const bool core = module.name == "ib_core" || module.name == "ib_uverbs";
        return core && std::count(module.users.begin(), module.users.end(), user) > 0;
    });
}

TEST_CASE("modules: loaded, bound and absent are three different things") {
    struct Case {
        Captured output;
        bool loaded;
        bool bound;
        bool gdrdrv;
    };

    const auto& [output, loaded, bound, gdrdrv] = GENERATE(values<Case>({
        {captured("lsmod-peermem-bound"), true, true, true},
        {captured("procmod-peermem-unbound"), true, false, false},
        {captured("lsmod-grep-no-match"), false, false, false},
        {printed("nvidia_peermem         16384  0\r\n"
                 "ib_uverbs             184320  3 nvidia_peermem,rdma_ucm,mlx5_ib\r\n"),
         true,
         true,
         false},
        {printed("Module                  Size  Used by    Tainted: P  \n"
                 "nvidia_peermem         16384  0 \n"),
         true,
         false,
         false},
        {printed("Module                  Size  Used by\n"), false, false, false},
        {printed("nvidia_peermem 16384 - - Live 0x0 (OE)\ngdrdrv 24576 2 [permanent], Live 0x0\n"),
         true,
         false,
         true},
    }));
    CAPTURE(output.out);
    const auto modules = parse_modules(output.view());
    REQUIRE(modules);
    CHECK((find_module(*modules, "nvidia_peermem") != nullptr) == loaded);
    CHECK(uses_ib_core(*modules, "nvidia_peermem") == bound);
    CHECK((find_module(*modules, "gdrdrv") != nullptr) == gdrdrv);
}

TEST_CASE("modules: one that is on its way out or in is not live") {
    struct Case {
        std::string row;
        bool live;
    };

    const auto& [row, live] = GENERATE(values<Case>({
        {"nvidia_peermem 16384 0 - Live 0x0000000000000000 (OE)\n", true},
        {"nvidia_peermem 16384 -1 - Unloading 0x0000000000000000 (OE-)\n", false},
        {"nvidia_peermem 16384 0 - Loading 0x0000000000000000 (OE+)\n", false},
        {"nvidia_peermem         16384  -1\n", false},
        {"nvidia_peermem         16384  0\n", true},
    }));
    CAPTURE(row);
    const auto modules = parse_modules(printed(row).view());
    REQUIRE(modules);
    REQUIRE(modules->size() == 1);
    CHECK(modules->front().live == live);
}

TEST_CASE("modules: an unreadable list is not an empty one") {
    struct Case {
        Captured output;
        SkipReason reason;
    };

    const auto& [output, reason] = GENERATE(values<Case>({
        {captured("lsmod-missing-in-pipeline"), SkipReason::tool_missing},
        {failed(1, "cat: /proc/modules: Permission denied"), SkipReason::no_permission},
        {failed(2, "grep: /proc/modules: No such file or directory"), SkipReason::unreadable},
        {failed(1, "lsmod: ERROR: could not open /proc/modules"), SkipReason::unreadable},
        {printed(k_foreign), SkipReason::unreadable},
        {failed(143, ""), SkipReason::timed_out},
    }));
    CAPTURE(output.err);
    const auto modules = parse_modules(output.view());
    REQUIRE(modules.unseen() != nullptr);
    CHECK(modules.unseen()->reason == reason);
}

TEST_CASE("modules: cut anywhere, no module or user appears that is not in the whole") {
    const std::string out = "nvidia_peermem_x 16384 0\nib_core 491520 9 ib_cm,nvidia_peermem_x\n"
                            "mlx5_core 99 1 mlx5_ib, Live 0x0\n";
    const auto whole = parse_modules(printed(out).view());
    for_each_prefix(out, [&](const Captured& cut) {
        const auto part = parse_modules(cut.view());
        for (std::size_t i = 0; part && i < part->size(); ++i) {
            REQUIRE(i < whole->size());
            CHECK(part->at(i).name == whole->at(i).name);
            for (const auto& user : part->at(i).users) {
                CHECK(std::count(whole->at(i).users.begin(), whole->at(i).users.end(), user) == 1);
            }
        }
    });
}

std::size_t count_prefixed(const Lines& names, const std::string& start) {
    return static_cast<std::size_t>(std::count_if(
        names.begin(), names.end(), [&](const auto& name) { return name.rfind(start, 0) == 0; }));
}

TEST_CASE("ls: names, or the fact that the path is not there") {
    struct Case {
        Captured output;
        bool exists;
        std::size_t names;
        std::size_t uverbs;
    };

    const auto& [output, exists, names, uverbs] = GENERATE(values<Case>({
        {captured("ibdev-dgx-h100-twelve"), true, 37, 12},
        {captured("ibdev-no-uverbs"), true, 5, 0},
        {captured("ibdev-missing-gnu"), false, 0, 0},
        {captured("ibdev-missing-busybox"), false, 0, 0},
        {captured("gdr-missing"), false, 0, 0},
        {captured("gdr-busybox-missing"), false, 0, 0},
        {captured("gdr-present"), true, 1, 0},
        {printed(""), true, 0, 0},
        {printed("rdma_cm\r\nuverbs0\r\nuverbs1"), true, 3, 2},
        {printed("rdma_cm  uverbs0  uverbs1\n"), true, 3, 2},
        {failed(1, "", "uverbs0\nuverbs1"), true, 1, 1},
        {printed("total 0\n"
                 "drwxr-xr-x 2 root root      80 Oct  7 09:41 by-path\n"
                 "crw-rw-rw- 1 root root  10, 58 Oct  7 09:41 rdma_cm\n"
                 "crw-rw-rw-+ 1 root root 231, 192 Oct  7 09:41 uverbs0\n"),
         true,
         3,
         1},
        {printed("total 0\n"), true, 0, 0},
        {{"ls: cannot access /dev/gdrdrv: No such file or directory\n", "", 2}, false, 0, 0},
        {failed(2, "/usr/bin/ls: cannot access '/dev/gdrdrv': No such file or directory"),
         false,
         0,
         0},
    }));
    CAPTURE(output.out, output.err);
    const auto listing = parse_listing(output.view());
    REQUIRE(listing);
    CHECK(listing->exists == exists);
    CHECK(listing->names.size() == names);
    CHECK(count_prefixed(listing->names, "uverbs") == uverbs);
}

TEST_CASE("ls: a directory that may not be looked at is not an absent one") {
    struct Case {
        Captured output;
        SkipReason reason;
    };

    const auto& [output, reason] = GENERATE(values<Case>({
        {captured("ibdev-permission-denied"), SkipReason::no_permission},
        {captured("ibdev-distroless-no-ls"), SkipReason::tool_missing},
        {failed(1, "ls: can't open '/dev/infiniband': Permission denied"),
         SkipReason::no_permission},
        {failed(2, "ls: Zugriff auf '/dev/gdrdrv' nicht möglich"), SkipReason::unreadable},
        {failed(2, ""), SkipReason::unreadable},
    }));
    CAPTURE(output.err);
    const auto listing = parse_listing(output.view());
    REQUIRE(listing.unseen() != nullptr);
    CHECK(listing.unseen()->reason == reason);
}

TEST_CASE("ulimit -l counts KiB") {
    struct Case {
        Captured output;
        bool unlimited;
        std::uint64_t bytes;
    };

    const auto& [output, unlimited, bytes] = GENERATE(values<Case>({
        {captured("memlock-unlimited"), true, 0},
        {captured("memlock-64"), false, 65536},
        {captured("memlock-8mib"), false, 8388608},
        {printed("unlimited"), true, 0},
        {printed("65536\r\n"), false, 67108864},
        {printed("0\n"), false, 0},
        {printed("9007199254740991\n"), false, 9223372036854774784U},
        {printed("18446744073709551615\n"), false, UINT64_MAX},
        {printed("open files (-n) 1024\nmax locked memory       (kbytes, -l) 64\n"), false, 65536},
    }));
    CAPTURE(output.out);
    const auto memlock = parse_ulimit_memlock(output.view());
    REQUIRE(memlock);
    CHECK(memlock->unlimited == unlimited);
    CHECK(memlock->bytes == bytes);
}

const std::string k_limits =
    "Limit                     Soft Limit           Hard Limit           Units     \n"
    "Max cpu time              unlimited            unlimited            seconds   \n"
    "Max locked memory         8388608              unlimited            bytes     \n"
    "Max address space         unlimited            unlimited            bytes     \n";

TEST_CASE("/proc/<pid>/limits counts bytes, and the soft limit holds") {
    const auto memlock = parse_limits_memlock(printed(k_limits).view());
    REQUIRE(memlock);
    CHECK_FALSE(memlock->unlimited);
    CHECK(memlock->bytes == 8388608);
    const auto unlimited = parse_limits_memlock(
        printed("Max locked memory         unlimited            unlimited            bytes\r\n")
            .view());
    REQUIRE(unlimited);
    CHECK(unlimited->unlimited);
    for_each_prefix(k_limits, [&](const Captured& cut) {
        if (const auto part = parse_limits_memlock(cut.view())) {
            CHECK(part->bytes == 8388608);
        }
    });
}

TEST_CASE("memlock that no shell or process told is not a limit") {
    struct Case {
        Captured output;
        SkipReason reason;
    };

    const auto& [output, reason] = GENERATE(values<Case>({
        {failed(126,
                "",
                "OCI runtime exec failed: exec failed: unable to start container process: "
                "exec: \"ulimit\": executable file not found in $PATH: unknown\n"),
         SkipReason::tool_missing},
        {failed(2, "sh: 1: ulimit: Illegal option -l"), SkipReason::unreadable},
        {failed(1, "cat: /proc/7/limits: Permission denied"), SkipReason::no_permission},
        {printed("unlim"), SkipReason::unreadable},
        {printed("-1\n"), SkipReason::unreadable},
        {printed(k_foreign), SkipReason::unreadable},
        {printed(""), SkipReason::unreadable},
    }));
    CAPTURE(output.out, output.err);
    CHECK(parse_ulimit_memlock(output.view()).unseen()->reason == reason);
    CHECK(parse_limits_memlock(output.view()).unseen()->reason == reason);
}

TEST_CASE("NIXL tools: programs on PATH, then what the prefix holds") {
    struct Case {
        Captured output;
        Lines programs;
        Lines directory;
    };

    const auto& [output, programs, directory] = GENERATE(values<Case>({
        {captured("nixl-bench-and-tree"),
         {"/usr/local/nixlbench/bin/nixlbench", "/usr/local/nixl/bin/nixl_test"},
         {"bin", "include", "lib", "share"}},
        {captured("nixl-none"), {}, {}},
        {printed("bin\r\nlib\r\n"), {}, {"bin", "lib"}},
        {failed(2, "", "/usr/local/bin/nixlbench\n"), {"/usr/local/bin/nixlbench"}, {}},
        {printed("/usr/local/bin/nixlbench\n/usr/local/bin/nixl_te"),
         {"/usr/local/bin/nixlbench"},
         {}},
    }));
    CAPTURE(output.out);
    const auto tools = parse_nixl_tools(output.view());
    REQUIRE(tools);
    CHECK(tools->programs == programs);
    CHECK(tools->directory == directory);
    CHECK(parse_nixl_tools(failed(127, "sh: 1: ls: not found").view()).unseen()->reason ==
          SkipReason::tool_missing);
    CHECK(parse_nixl_tools(printed(k_foreign).view()).unseen()->reason == SkipReason::unreadable);
}

TEST_CASE("NIXL plugins: by the names that NIXL itself would load") {
    struct Case {
        Captured output;
        std::string path;
        Lines plugins;
    };

    const auto& [output, path, plugins] = GENERATE(values<Case>({
        {captured("nixl-plugins-aarch64"), "", {"GDS", "LIBFABRIC", "POSIX", "UCX"}},
        {printed(
             "libplugin_UCX.so\r\nlibplugin_UCX_MO.so\r\nlibplugin_OBJ.so.bak\r\nlibnixl.so\r\n"),
         "",
         {"UCX", "UCX_MO"}},
        {printed("/opt/nvidia/nvda_nixl/lib/x86_64-linux-gnu/plugins:\nlibplugin_UCX.so\n"),
         "/opt/nvidia/nvda_nixl/lib/x86_64-linux-gnu/plugins",
         {"UCX"}},
        {printed("/opt/nixl/plugins/libplugin_UCX.so\n/opt/nixl/plugins/libplugin_MOONCAKE.so\n"),
         "/opt/nixl/plugins",
         {"UCX", "MOONCAKE"}},
        {printed("libplugin_POSIX.so\nlibplugin_UCX.s"), "", {"POSIX"}},
        {printed(""), "", {}},
    }));
    CAPTURE(output.out);
    const auto directories = parse_nixl_plugins(output.view());
    REQUIRE(directories);
    REQUIRE(directories->size() == 1);
    CHECK(directories->front().path == path);
    CHECK(directories->front().plugins == plugins);
}

TEST_CASE("NIXL plugins: no directory is a fact, no permission and foreign text are not") {
    const auto absent = parse_nixl_plugins(
        failed(2, "ls: cannot access '/opt/nvidia/nvda_nixl/lib': No such file or directory")
            .view());
    REQUIRE(absent);
    CHECK(absent->empty());
    const auto refused = parse_nixl_plugins(
        failed(2, "ls: cannot open directory '/opt/nvidia': Permission denied").view());
    CHECK(refused.unseen()->reason == SkipReason::no_permission);
    CHECK(parse_nixl_plugins(printed(k_foreign).view()).unseen()->reason == SkipReason::unreadable);
}

} // namespace
} // namespace di::parse
