// /proc/<pid> as proc(5) describes it.
#include "kubesim/scenarios/hca.hpp"
#include "kubesim/scenarios/root.hpp"
#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

namespace di::kubesim::scenarios {
namespace {

constexpr int k_engine_pid = 7;
constexpr int k_first_rank_pid = 214;

struct Process {
    int pid = 1;
    int parent = 0;
    std::string name;
    std::vector<std::string> argv;
    std::vector<std::string> libraries;
    std::vector<std::string> devices; ///< open ones
};

std::string nul_separated(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) {
        text += word;
        text += '\0';
    }
    return text;
}

std::string environ_text(const Pairs& environ) {
    std::string text;
    for (const auto& [name, value] : environ) {
        text.append(name).append("=").append(value);
        text += '\0';
    }
    return text;
}

std::string status_text(const Process& process, const Engine& engine) {
    return fmt::format(
        "Name:\t{}\nUmask:\t0022\nState:\tS "
        "(sleeping)\nTgid:\t{}\nNgid:\t0\nPid:\t{}\nPPid:\t{}\nTracerPid:\t0\n"
        "Uid:\t{uid}\t{uid}\t{uid}\t{uid}\nGid:\t{uid}\t{uid}\t{uid}\t{uid}\nFDSize:\t512\nGroups:"
        "\t1000 \n"
        "NStgid:\t{}\nNSpid:\t{}\nVmRSS:\t 9437184 kB\nThreads:\t96\nSigQ:\t0/2062935\n"
        "CapInh:\t0000000000000000\nCapPrm:\t{cap}\nCapEff:\t{cap}\nCapBnd:"
        "\t000001ffffffffff\nCapAmb:\t0000000000000000\n"
        "NoNewPrivs:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\nCpus_allowed_list:\t0-223\nMems_allowed_"
        "list:\t0-1\n",
        process.name,
        process.pid,
        process.pid,
        process.parent,
        process.pid,
        process.pid,
        fmt::arg("uid", engine.uid),
        fmt::arg("cap", engine.cap_eff));
}

std::string limits_text(const std::string& memlock) {
    const auto row =
        [](const char* name, std::string_view soft, std::string_view hard, const char* unit) {
            return fmt::format("{:<25} {:<20} {:<20} {:<10}\n", name, soft, hard, unit);
        };
    return row("Limit", "Soft Limit", "Hard Limit", "Units") +
           row("Max cpu time", "unlimited", "unlimited", "seconds") +
           row("Max file size", "unlimited", "unlimited", "bytes") +
           row("Max stack size", "8388608", "unlimited", "bytes") +
           row("Max processes", "unlimited", "unlimited", "processes") +
           row("Max open files", "1048576", "1048576", "files") +
           row("Max locked memory", memlock, memlock, "bytes") +
           row("Max address space", "unlimited", "unlimited", "bytes");
}

std::string maps_text(const std::vector<std::string>& libraries) {
    std::string text = "55d0c8a00000-55d0c8a01000 r--p 00000000 00:1f2 2097153                    "
                       "/opt/dynamo/venv/bin/python3.12\n";
    std::uint64_t at = 0x7f3a2c000000;
    constexpr std::uint64_t k_part = 0x21000;
    for (const auto& library : libraries) {
        const std::uint64_t inode = 3000000 + hash(library) % 1000000;
        std::uint64_t offset = 0;
        for (const char* mode : {"r--p", "r-xp", "rw-p"}) {
            text += fmt::format(
                "{:<73}{}\n",
                fmt::format("{:x}-{:x} {} {:08x} 00:1f2 {}", at, at + k_part, mode, offset, inode),
                library);
            at += k_part;
            offset += k_part;
        }
    }
    return text + fmt::format("{:<73}[stack]\n", "7ffe3c5e0000-7ffe3c601000 rw-p 00000000 00:00 0");
}

std::vector<std::string> transfer_libraries(const Component& component) {
    const Host& host = component.host;
    const std::string system = fmt::format("/usr/lib/{}-linux-gnu/", host.arch);
    std::vector<std::string> paths = {
        system + "libc.so.6",
        system + "libcuda.so." + host.driver_version,
        "/opt/nvidia/nvda_nixl/lib64/libnixl.so",
        "/opt/nvidia/nvda_nixl/lib64/libserdes.so",
        "/opt/nvidia/nvda_nixl/lib64/plugins/libplugin_" + component.engine.plugin + ".so",
        system + "libibverbs.so.1.14.50.0",
    };
    if (component.engine.plugin == "LIBFABRIC") {
        paths.insert(paths.end(),
                     {"/opt/amazon/efa/lib/libfabric.so.1.30.1",
                      system + "libefa.so.1.3.50.0",
                      system + "libgdrapi.so.2.5"});
        return paths;
    }
    const std::string ucx = "/usr/local/ucx/lib/";
    paths.push_back(system + "libmlx5.so.1.25.50.0");
    for (const char* library : {"libucp.so.0.0.0",
                                "libuct.so.0.0.0",
                                "libucs.so.0.0.0",
                                "libucm.so.0.0.0",
                                "ucx/libuct_ib.so.0.0.0",
                                "ucx/libuct_ib_mlx5.so.0.0.0",
                                "ucx/libuct_cuda.so.0.0.0",
                                "ucx/libuct_cuda_gdrcopy.so.0.0.0",
                                "ucx/libuct_cma.so.0.0.0",
                                "ucx/libucm_cuda.so.0.0.0"}) {
        paths.push_back(ucx + library);
    }
    paths.push_back(system + "libgdrapi.so.2.5");
    return paths;
}

std::vector<std::string> open_devices(const Component& component) {
    std::vector<std::string> paths = {"/dev/nvidiactl", "/dev/nvidia-uvm"};
    for (int i = 0; i < component.host.gpus.count; ++i) {
        paths.push_back(fmt::format("/dev/nvidia{}", i));
    }
    if (component.engine.opens_hcas) {
        for (int i = 0; i < component.host.rdma.granted; ++i) {
            paths.push_back(fmt::format("/dev/infiniband/uverbs{}", i));
        }
    }
    if (component.host.gdrdrv) {
        paths.emplace_back("/dev/gdrdrv");
    }
    if (component.host.imex) {
        paths.emplace_back("/dev/nvidia-caps-imex-channels/channel0");
    }
    return paths;
}

void add_process(Tree& tree,
                 const Process& process,
                 const Engine& engine,
                 const std::string& environ) {
    const std::string folder = fmt::format("proc/{}/", process.pid);
    tree.line(folder + "comm", process.name);
    tree.file(folder + "cmdline", nul_separated(process.argv));
    tree.file(folder + "environ", environ);
    tree.file(folder + "status", status_text(process, engine));
    tree.file(folder + "limits", limits_text(engine.memlock));
    tree.file(folder + "maps", maps_text(process.libraries));
    tree.link(folder + "fd/0", "/dev/null");
    tree.link(folder + "fd/1", "pipe:[418231]");
    tree.link(folder + "fd/2", "pipe:[418232]");
    int fd = 31;
    for (const auto& device : process.devices) {
        tree.link(fmt::format("{}fd/{}", folder, fd), device);
        fd += 2;
    }
    tree.link(fmt::format("{}fd/{}", folder, fd), "socket:[991827]");
}

} // namespace

void add_processes(Tree& tree, const Component& component, const Pairs& environ, int rank) {
    const Engine& engine = component.engine;
    const std::string system = fmt::format("/usr/lib/{}-linux-gnu/", component.host.arch);
    const std::string text = environ_text(environ);
    int parent = 1;
    if (component.image.shell != Shell::none) {
        auto argv = container_command(component);
        const auto args = container_args(component, rank);
        argv.insert(argv.end(), args.begin(), args.end());
        // The launcher's environment is the spec's: what it exports, only its children have.
        Pairs inherited(environ.begin(),
                        environ.end() - static_cast<std::ptrdiff_t>(engine.exports.size()));
        add_process(
            tree, {1, 0, "sh", argv, {system + "libc.so.6"}, {}}, engine, environ_text(inherited));
        parent = k_engine_pid;
    }
    add_process(tree,
                {parent,
                 parent == 1 ? 0 : 1,
                 "python3",
                 engine_argv(component, rank),
                 {system + "libc.so.6", system + "libcuda.so." + component.host.driver_version},
                 {"/dev/nvidiactl"}},
                engine,
                text);
    for (int i = 0; i < component.host.gpus.count; ++i) {
        const std::string name =
            fmt::format("VLLM::Worker_TP{}", rank * component.host.gpus.count + i);
        add_process(tree,
                    {k_first_rank_pid + i,
                     parent,
                     name.substr(0, 15),
                     {name},
                     transfer_libraries(component),
                     open_devices(component)},
                    engine,
                    text);
    }
}

} // namespace di::kubesim::scenarios
