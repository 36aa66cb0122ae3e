// UCX, NIXL and the limit of locked memory, each by one tool's output.
#include "base/strings.hpp"
#include "judge/engine_facts.hpp"
#include "judge/tools/tool_rule.hpp"
#include "judge/used_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace di::judge::tools {
namespace {

using model::UcxDevices;
using model::UcxMemoryDomain;
using model::Value;

/// Transports of UCX that put and get over a network without the peer's CPU; UD emulates both.
bool is_native_rdma(std::string_view transport) {
    const auto& names = network_transports();
    return std::find(names.begin(), names.end() - 1, transport) != names.end() - 1 &&
           !transport.starts_with("ud_");
}

bool is_rdma(std::string_view transport) {
    const auto& names = network_transports();
    return std::find(names.begin(), names.end() - 1, transport) != names.end() - 1;
}

/// KV blocks are device memory; cuda-managed alone says nothing about it.
bool is_memory(std::string_view type) {
    return type == "cuda";
}

/// A network card's memory domain: by its component, or by its transports.
bool is_of_hca(const UcxMemoryDomain& domain) {
    return domain.component == "ib" ||
           std::any_of(domain.transports.begin(),
                       domain.transports.end(),
                       [](const auto& transport) { return is_rdma(transport.name); });
}

/// Domains that did not open show nothing but their name; these belong to UCX's own transports.
bool is_host_domain(std::string_view name) {
    constexpr std::array k_names = {"self", "tcp", "sysv", "posix", "cma", "knem", "xpmem"};
    return std::find(k_names.begin(), k_names.end(), name) != k_names.end() ||
           name.starts_with("cuda") || name.starts_with("gdr") || name.starts_with("rocm") ||
           name.starts_with("ze_");
}

bool reaches_gpu(const UcxMemoryDomain& domain) {
    return std::any_of(domain.memory_types.begin(), domain.memory_types.end(), is_memory);
}

/// What the list says, counted once.
struct Reading {
    std::vector<std::string> transports; ///< each name once, in the tool's order
    std::vector<std::string> hca_ports;  ///< "mlx5_0:1"
    std::vector<const UcxMemoryDomain*> hcas;
    std::vector<std::string> closed; ///< domains of HCAs that did not open

    [[nodiscard]] bool has(std::string_view transport) const {
        return std::find(transports.begin(), transports.end(), transport) != transports.end();
    }

    [[nodiscard]] std::size_t with_gpu() const {
        return static_cast<std::size_t>(std::count_if(
            hcas.begin(), hcas.end(), [](const auto* domain) { return reaches_gpu(*domain); }));
    }
};

void add_once(std::vector<std::string>& list, const std::string& text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) {
        list.push_back(text);
    }
}

Reading read(const UcxDevices& devices) {
    Reading reading;
    for (const auto& domain : devices.domains) {
        if (!domain.opened) {
            if (!is_host_domain(domain.name)) {
                reading.closed.push_back(domain.name);
            }
            continue;
        }
        const bool of_hca = is_of_hca(domain);
        if (of_hca && !domain.transports.empty()) {
            reading.hcas.push_back(&domain);
        }
        for (const auto& transport : domain.transports) {
            add_once(reading.transports, transport.name);
            if (of_hca && !transport.device.empty()) {
                add_once(reading.hca_ports, transport.device);
            }
        }
    }
    return reading;
}

/// Why KV cannot take the fast path at all, or nothing.
std::string blocker(const Reading& reading) {
    const bool cuda = reading.has("cuda_copy") || reading.has("cuda_ipc");
    const std::string no_cuda = cuda ? "" : ", and no CUDA transport";
    if (reading.hcas.empty()) {
        return (reading.closed.empty() ? std::string("UCX has no RDMA transport here")
                                       : "UCX could not open " + join(reading.closed, ", ")) +
               no_cuda;
    }
    return cuda ? "" : "UCX has no CUDA transport: it takes GPU memory for host memory";
}

/// What slows KV down, each once.
std::vector<std::string> troubles(const Reading& reading) {
    std::vector<std::string> found;
    const auto& names = reading.transports;
    if (std::none_of(names.begin(), names.end(), is_native_rdma)) {
        found.emplace_back("only UD, which emulates reads and writes");
    }
    if (reading.with_gpu() == 0) {
        const bool types_shown =
            std::any_of(reading.hcas.begin(), reading.hcas.end(), [](const auto* hca) {
                return !hca->memory_types.empty();
            });
        found.emplace_back(types_shown ? "the HCAs register host memory only"
                                       : "whether the HCAs register GPU memory is not shown");
    } else if (reading.with_gpu() < reading.hcas.size()) {
        found.push_back(fmt::format("{} of {} HCAs register host memory only",
                                    reading.hcas.size() - reading.with_gpu(),
                                    reading.hcas.size()));
    }
    if (!reading.has("cuda_copy")) {
        found.emplace_back("no cuda_copy");
    }
    if (!reading.has("cuda_ipc")) {
        found.emplace_back("no cuda_ipc");
    }
    if (!reading.closed.empty()) {
        found.push_back("could not open " + join(reading.closed, ", "));
    }
    return found;
}

bool is_network_plugin(std::string_view name) {
    constexpr std::array k_names = {
        "UCX", "UCX_MO", "LIBFABRIC", "Mooncake", "MOONCAKE", "GPUNETIO", "UCCL"};
    return std::find(k_names.begin(), k_names.end(), name) != k_names.end();
}

Value path_of(const std::vector<std::string>& programs, std::string_view name) {
    const auto found = std::find_if(programs.begin(), programs.end(), [&](const auto& path) {
        return std::string_view(path).substr(path.rfind('/') + 1) == name;
    });
    return found == programs.end() ? Value() : Value(*found);
}

} // namespace

Finding judge_ucx_devices(const UcxDevices& devices) {
    const auto reading = read(devices);
    const auto blocked = blocker(reading);
    const auto wrong = blocked.empty() ? troubles(reading) : std::vector<std::string>();
    const bool unknown = !blocked.empty() && devices.cut;
    auto finding =
        unknown
            ? skipped(model::SkipReason::truncated, "the list ends too early; so far " + blocked)
        : !blocked.empty() ? fail(blocked)
        : !wrong.empty()
            ? warn(join(wrong, "; "))
            : ok(fmt::format("RDMA on {}, with GPU memory", join(reading.hca_ports, ", ")));
    const bool dmabuf = std::any_of(
        reading.hcas.begin(), reading.hcas.end(), [](const auto* hca) { return hca->dmabuf; });
    return std::move(finding)
        .with("ib", reading.hca_ports)
        .with("transports", reading.transports)
        .with("gpudirect", reading.with_gpu() > 0)
        .with("dmabuf", dmabuf)
        .with("cuda_copy", reading.has("cuda_copy"))
        .with("cuda_ipc", reading.has("cuda_ipc"))
        .with("failed_domains", reading.closed)
        .because("ucx_info -d", join(reading.transports, " "));
}

Finding judge_memlock(const model::Memlock& limit) {
    constexpr std::uint64_t k_kib = 1024;
    const auto kib = limit.bytes / k_kib;
    const auto finding = [&]() -> Finding {
        if (limit.unlimited) {
            return ok("locked memory is not limited");
        }
        if (is_as_good_as_unlimited(limit)) {
            return ok(fmt::format("locked memory up to {} KiB: more than any node has", kib));
        }
        return warn(
            fmt::format("locked memory is limited to {} KiB{}; whether CAP_IPC_LOCK lifts "
                        "the limit a shell does not show",
                        kib,
                        limit.bytes < k_small_memlock ? ", too little for a KV cache" : ""));
    };
    return finding()
        .with("unlimited", limit.unlimited)
        .with("kib", limit.unlimited ? Value() : Value(static_cast<std::int64_t>(kib)))
        .because("ulimit -l", limit.unlimited ? "unlimited" : fmt::format("{} KiB", kib));
}

Finding judge_nixl_tools(const model::NixlTools& tools) {
    auto finding = tools.programs.empty()
                       ? warn("no NIXL test tool in the pod: a transfer cannot be tried from here")
                       : ok("can be tried with " + join(tools.programs, ", "));
    return std::move(finding)
        .with("nixlbench", path_of(tools.programs, "nixlbench"))
        .with("nixl_test", path_of(tools.programs, "nixl_test"))
        .with("dir", tools.directory)
        .because("command -v", join(tools.programs, " "));
}

Finding judge_nixl_plugins(const std::vector<model::PluginDirectory>& directories) {
    std::vector<std::string> plugins;
    for (const auto& directory : directories) {
        for (const auto& plugin : directory.plugins) {
            add_once(plugins, plugin);
        }
    }
    std::vector<std::string> network;
    std::copy_if(plugins.begin(), plugins.end(), std::back_inserter(network), is_network_plugin);
    const auto has = [&](std::string_view name) {
        return std::find(network.begin(), network.end(), name) != network.end();
    };
    auto finding = directories.empty() ? warn("no such plugin directory; NIXL may keep its plugins "
                                              "elsewhere")
                   : has("UCX") || has("LIBFABRIC") ? ok("network plugins: " + join(network, ", "))
                   : !network.empty()
                       ? warn("neither UCX nor LIBFABRIC, only " + join(network, ", "))
                       : fail("no network plugin: KV cannot leave the pod through NIXL");
    return std::move(finding)
        .with("plugins", plugins)
        .with("network", network)
        .because("ls", join(plugins, " "));
}

} // namespace di::judge::tools
