// /proc/modules (proc(5)), /sys/module, and what the NVIDIA driver shows under /proc and /dev.
#include "base/strings.hpp"
#include "kubesim/scenarios/hca.hpp"
#include "kubesim/scenarios/root.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim::scenarios {
namespace {

struct Module {
    std::string name;
    int size = 0;
    std::vector<std::string> users; ///< modules that hold it
    std::string version;            ///< empty: /sys/module/<name> has no version file
};

bool has(const Host& host, std::string_view module) {
    return std::find(host.modules.begin(), host.modules.end(), module) != host.modules.end();
}

std::vector<std::string> loaded(const Host& host, std::initializer_list<const char*> wanted) {
    std::vector<std::string> found;
    std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(found), [&](const char* name) {
        return has(host, name);
    });
    return found;
}

std::vector<Module> modules_of(const Host& host) {
    std::vector<Module> modules;
    for (const auto& name : host.modules) {
        modules.push_back({name, 16384, {}, name == "gdrdrv" ? "2.5.1" : host.driver_version});
    }
    auto nvidia_users = loaded(host, {"nvidia_peermem", "efa_nv_peermem", "gdrdrv"});
    nvidia_users.insert(nvidia_users.end(), {"nvidia_uvm", "nvidia_modeset"});
    auto verbs_users = loaded(host, {"nvidia_peermem"});
    const bool efa = host.rdma.fabric == Fabric::efa;
    const std::string provider = efa ? "efa" : "mlx5_ib";
    verbs_users.insert(verbs_users.end(), {"rdma_ucm", provider});
    modules.push_back({"nvidia_uvm", 4935680, {}, ""});
    modules.push_back({"nvidia_modeset", 1306624, {}, host.driver_version});
    modules.push_back({"nvidia", 61513728, nvidia_users, host.driver_version});
    modules.push_back({"rdma_ucm", 36864, {}, ""});
    modules.push_back({"rdma_cm", 135168, {"rdma_ucm"}, ""});
    modules.push_back({"ib_cm", 139264, {"rdma_cm"}, ""});
    modules.push_back({provider, 516096, {}, efa ? "2.15.0g" : ""});
    modules.push_back({"ib_uverbs", 184320, verbs_users, ""});
    modules.push_back(
        {"ib_core", 491520, {"rdma_cm", "ib_cm", "rdma_ucm", provider, "ib_uverbs"}, ""});
    if (!efa) {
        modules.push_back({"mlx5_core", 2441216, {"mlx5_ib"}, ""});
    }
    modules.push_back({"overlay", 192512, {}, ""});
    modules.push_back({"veth", 40960, {}, ""});
    return modules;
}

void add_modules(Tree& tree, const Host& host) {
    std::string list;
    for (const auto& module : modules_of(host)) {
        const std::string users = module.users.empty() ? "-" : join(module.users, ",") + ",";
        // NVIDIA's modules are built out of tree, and signed by nobody the kernel knows.
        const bool foreign = module.name.rfind("nvidia", 0) == 0 || module.name == "gdrdrv";
        list += fmt::format("{} {} {} {} Live 0x0000000000000000{}\n",
                            module.name,
                            module.size,
                            module.users.size(),
                            users,
                            foreign ? " (OE)" : "");
        tree.line("sys/module/" + module.name + "/refcnt", std::to_string(module.users.size()));
        tree.line("sys/module/" + module.name + "/initstate", "live");
        if (!module.version.empty()) {
            tree.line("sys/module/" + module.name + "/version", module.version);
        }
    }
    tree.file("proc/modules", list);
}

void add_gpu_driver(Tree& tree, const Host& host, std::string_view seed) {
    const std::string flavour =
        host.driver == Driver::open
            ? fmt::format("NVIDIA UNIX Open Kernel Module for {}", host.arch)
            : fmt::format("NVIDIA UNIX {} Kernel Module", host.arch);
    const std::string builder =
        host.driver == Driver::open ? "  Release Build  (dvs-builder@U22-I3-AE18-23-3)" : "";
    tree.file("proc/driver/nvidia/version",
              fmt::format("NVRM version: {}  {}{}  Thu Jul 10 22:15:40 UTC 2025\n"
                          "GCC version:  gcc version 13.3.0 (Ubuntu 13.3.0-6ubuntu2~24.04)\n",
                          flavour,
                          host.driver_version,
                          builder));
    int minor = 0;
    for (const auto& place : gpu_places(host)) {
        tree.file(fmt::format("proc/driver/nvidia/gpus/{}/information", place.address),
                  fmt::format("Model: \t\t {}\nIRQ:   \t\t {}\nGPU UUID: \t {}\n"
                              "Bus Type: \t PCIe\nBus Location: \t {}\nDevice Minor: \t {}\n",
                              host.gpus.product,
                              301 + minor,
                              gpu_uuid(seed, minor),
                              place.address,
                              minor));
        const std::string device = fmt::format("devices/{}/{}", place.bridge, place.address);
        tree.file(
            "sys/" + device + "/uevent",
            fmt::format("DRIVER=nvidia\nPCI_CLASS=30200\nPCI_ID=10DE:2330\nPCI_SLOT_NAME={}\n",
                        place.address));
        tree.line("sys/" + device + "/numa_node", std::to_string(place.numa));
        tree.link("sys/bus/pci/devices/" + place.address, "../../../" + device);
        tree.file(fmt::format("dev/nvidia{}", minor), "");
        ++minor;
    }
    tree.folder("sys/bus/pci/drivers/nvidia");
    tree.file("dev/nvidiactl", "");
    tree.file("dev/nvidia-uvm", "");
}

} // namespace

void add_kernel(Tree& tree, const Host& host, std::string_view seed) {
    tree.line("proc/sys/kernel/osrelease", host.kernel);
    tree.line("proc/sys/kernel/ostype", "Linux");
    tree.line("proc/version",
              fmt::format("Linux version {} (buildd@lcy02-amd64-100) (gcc 13.3.0, GNU ld 2.42) "
                          "#67-Ubuntu SMP PREEMPT_DYNAMIC",
                          host.kernel));
    tree.line("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
    add_modules(tree, host);
    add_gpu_driver(tree, host, seed);
    if (host.gdrdrv) {
        tree.file("dev/gdrdrv", "");
    }
    if (host.imex) {
        tree.file("dev/nvidia-caps-imex-channels/channel0", "");
    }
}

} // namespace di::kubesim::scenarios
