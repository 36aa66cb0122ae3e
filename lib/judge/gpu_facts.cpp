#include "judge/gpu_facts.hpp"

#include "base/strings.hpp"
#include "judge/used_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace di::judge {
namespace {

using model::GpuFabric;
using model::GpuTopology;
using model::NvlinkGpu;
using model::SkipReason;
using model::Status;
using model::Value;

/// NVLinks between the GPUs of one matrix.
struct Mesh {
    std::size_t pairs = 0;
    std::optional<std::int64_t> least;
    std::optional<std::int64_t> most;
    std::vector<std::string> without; ///< "GPU0-GPU2"
    std::set<std::string> others;     ///< how those are linked: SYS, PIX, ...

    [[nodiscard]] bool none() const { return !least; }

    [[nodiscard]] bool full() const { return without.empty() && least == most; }
};

/// "NV18": 18.
std::optional<std::int64_t> links_in(std::string_view cell) {
    const auto number =
        cell.starts_with("NV") ? parse_unsigned(cell.substr(2)) : std::optional<std::uint64_t>();
    return number && *number > 0 && *number < 1000 ? std::optional<std::int64_t>(*number)
                                                   : std::nullopt;
}

Mesh mesh_of(const GpuTopology& topology) {
    Mesh mesh;
    for (std::size_t row = 0; row < topology.cells.size(); ++row) {
        for (std::size_t column = row + 1; column < topology.cells[row].size(); ++column) {
            ++mesh.pairs;
            const auto& cell = topology.cells[row][column];
            if (const auto links = links_in(cell)) {
                mesh.least = std::min(mesh.least.value_or(*links), *links);
                mesh.most = std::max(mesh.most.value_or(*links), *links);
            } else {
                mesh.without.push_back(fmt::format("GPU{}-GPU{}", row, column));
                mesh.others.insert(cell);
            }
        }
    }
    return mesh;
}

Value nvlink_value(const GpuTopology& topology, const Mesh& mesh) {
    const auto number = [](const std::optional<std::int64_t>& links) {
        return links ? Value(*links) : Value();
    };
    auto value = Value::object();
    value.set("present", topology.gpus > 1 ? Value(!mesh.none()) : Value())
        .set("min", number(mesh.least))
        .set("max", number(mesh.most));
    return value.set("pairs_without",
                     mesh.none() && mesh.pairs > 0 ? Value("all") : Value(mesh.without));
}

Finding mesh_finding(const GpuTopology& topology, const Mesh& mesh) {
    const std::vector<std::string> others(mesh.others.begin(), mesh.others.end());
    if (topology.gpus == 0) {
        return warn("nvidia-smi shows no GPU");
    }
    if (topology.gpus == 1) {
        return skipped(SkipReason::not_applicable, "one GPU: there is no pair to judge");
    }
    if (mesh.none()) {
        return warn("no NVLink: GPU pairs are linked by " + join(others, ", "));
    }
    if (!mesh.without.empty()) {
        return warn(fmt::format("{} of {} GPU pairs have no NVLink ({})",
                                mesh.without.size(),
                                mesh.pairs,
                                join(others, ", ")));
    }
    if (!mesh.full()) {
        return warn(fmt::format("GPU pairs have from {} to {} NVLinks", *mesh.least, *mesh.most));
    }
    return ok(fmt::format("NV{} on each pair of {} GPUs", *mesh.least, topology.gpus));
}

/// How many NVLinks a product uses, by the words of its name; the first match counts. Some cards
/// list more links than their board connects. Source: NVIDIA data sheets and NVLink bridges.
struct ProductLinks {
    std::string_view family;
    std::string_view variant; ///< another word that must be there; empty: any
    int links;
};

constexpr std::array k_products = {
    ProductLinks{"V100", "", 6},
    ProductLinks{"A800", "", 8},
    ProductLinks{"A100", "", 12},
    ProductLinks{"H800", "", 8},
    ProductLinks{"H100", "NVL", 12},
    ProductLinks{"H100", "PCIe", 12},
    ProductLinks{"H100", "", 18},
    ProductLinks{"H200", "", 18},
    ProductLinks{"H20", "", 18},
    ProductLinks{"B200", "", 18},
    ProductLinks{"B300", "", 18},
    ProductLinks{"GB200", "", 18},
    ProductLinks{"GB300", "", 18},
};

std::optional<int> links_of_product(std::string_view product) {
    std::string spaced(product);
    std::replace(spaced.begin(), spaced.end(), '-', ' ');
    const auto parts = words(spaced);
    const auto has = [&](std::string_view word) {
        return word.empty() || std::find(parts.begin(), parts.end(), word) != parts.end();
    };
    const auto known = std::find_if(k_products.begin(), k_products.end(), [&](const auto& entry) {
        return has(entry.family) && has(entry.variant);
    });
    return known == k_products.end() ? std::nullopt : std::optional(known->links);
}

int active_links(const NvlinkGpu& gpu) {
    return gpu.links - static_cast<int>(gpu.inactive.size());
}

/// Links that the product uses and that are not up; with the product unknown, every inactive one.
int missing_links(const NvlinkGpu& gpu) {
    const auto expected = links_of_product(gpu.product).value_or(gpu.links);
    return gpu.links == 0 ? 0 : std::max(0, expected - active_links(gpu));
}

Value gpu_value(const NvlinkGpu& gpu, bool whole) {
    auto value = Value::object();
    value.set("index", gpu.index).set("links", gpu.links).set("active", active_links(gpu));
    if (whole && gpu.gbytes_per_s) { // while links are down, no rate speaks for the GPU
        value.set("gbytes_per_s", *gpu.gbytes_per_s);
    }
    return value;
}

Finding links_finding(const std::vector<NvlinkGpu>& gpus, int links) {
    std::vector<std::string> down;
    for (const auto& gpu : gpus) {
        if (gpu.all_inactive) {
            down.push_back(fmt::format("all links of GPU {}", gpu.index));
        } else if (missing_links(gpu) > 0) {
            down.push_back(fmt::format("{} of {} links of GPU {}",
                                       missing_links(gpu),
                                       missing_links(gpu) + active_links(gpu),
                                       gpu.index));
        }
    }
    if (links == 0 && down.empty()) {
        return warn("the GPUs have no NVLink");
    }
    const auto bare = std::find_if(gpus.begin(), gpus.end(), [](const auto& gpu) {
        return gpu.links == 0 && !gpu.all_inactive;
    });
    if (bare != gpus.end()) {
        return warn(fmt::format("GPU {} has no NVLink, others have", bare->index));
    }
    return down.empty() ? ok(fmt::format("{} links up on {} GPUs", links, gpus.size()))
                        : warn("inactive: " + join(down, ", "));
}

/// Items of the health section that slow the fabric down and do not stop it.
bool is_limitation(std::string_view health_item) {
    return contains(health_item, "Limited") || health_item.starts_with("Bandwidth:") ||
           health_item.starts_with("Route Recovery in progress:");
}

bool is_limited(std::string_view health) {
    auto items = split(health, ',');
    return std::all_of(
        items.begin(), items.end(), [](auto item) { return is_limitation(trim(item)); });
}

Value fabric_value(const GpuFabric& gpu) {
    auto value = Value::object();
    const auto set = [&](std::string_view key, const std::string& text) {
        if (!text.empty() && text != "N/A") {
            value.set(key, text);
        }
    };
    set("pci", gpu.pci);
    value.set("state", gpu.state.empty() ? Value() : Value(gpu.state));
    set("status", gpu.status);
    if (gpu.clique) {
        value.set("clique", static_cast<std::int64_t>(*gpu.clique));
    }
    set("cluster_uuid", gpu.cluster_uuid);
    set("health", gpu.health);
    return value;
}

} // namespace

Finding fault_finding(const model::GpuFault& fault) {
    auto finding = fail("nvidia-smi finds no usable GPU: " + fault.text)
                       .with("reason", fault.reason)
                       .because("nvidia-smi", fault.text);
    return fault.nvml_version.empty() ? std::move(finding)
                                      : std::move(finding).with("nvml_version", fault.nvml_version);
}

Finding topology_finding(const GpuTopology& topology) {
    const auto mesh = mesh_of(topology);
    auto finding = mesh_finding(topology, mesh);
    const auto excerpt = finding.detail;
    return std::move(finding)
        .with("gpus", topology.gpus)
        .with("nics", topology.nics.size())
        .with("nvlink", nvlink_value(topology, mesh))
        .because("nvidia-smi topo -m", excerpt);
}

Finding nvlink_finding(const std::vector<NvlinkGpu>& gpus) {
    int links = 0;
    std::vector<std::string> inactive;
    for (const auto& gpu : gpus) {
        links += gpu.links;
        for (const auto link : gpu.inactive) {
            inactive.push_back(fmt::format("GPU{}:{}", gpu.index, link));
        }
    }
    const bool any = std::any_of(gpus.begin(), gpus.end(), [](const auto& gpu) {
        return gpu.links > 0 || gpu.all_inactive;
    });
    Value described = Value::array();
    for (const auto& gpu : gpus) {
        described.push(gpu_value(gpu, inactive.empty()));
    }
    auto finding = links_finding(gpus, links);
    const auto excerpt = finding.detail;
    return std::move(finding)
        .with("gpus", std::move(described))
        .with("nvlink", Value::object().set("present", any))
        .with("inactive", inactive)
        .because("nvidia-smi nvlink --status", excerpt);
}

bool has_fabric(const GpuFabric& gpu) {
    return !gpu.state.empty() && gpu.state != "N/A";
}

std::optional<FabricTrouble> fabric_trouble(const GpuFabric& gpu) {
    const auto health = gpu.health.empty() ? "" : ", health " + gpu.health;
    auto text =
        fmt::format("GPU {}: fabric state {}, status {}{}", gpu.pci, gpu.state, gpu.status, health);
    if (gpu.state != "Completed" || gpu.status != "Success") {
        return FabricTrouble{Status::fail, std::move(text)};
    }
    if (!gpu.health.empty() && gpu.health != "Healthy") {
        return is_limited(gpu.health)
                   ? FabricTrouble{Status::warn,
                                   fmt::format("GPU {}: the NVLink fabric runs at limited capacity "
                                               "({})",
                                               gpu.pci,
                                               gpu.health)}
                   : FabricTrouble{Status::fail, std::move(text)};
    }
    return std::nullopt;
}

std::optional<FabricTrouble> worst_trouble(const std::vector<GpuFabric>& gpus) {
    std::optional<FabricTrouble> worst;
    for (const auto& gpu : gpus) {
        if (!has_fabric(gpu)) {
            continue;
        }
        auto trouble = fabric_trouble(gpu);
        if (trouble && (!worst || trouble->status > worst->status)) {
            worst = std::move(trouble);
        }
    }
    return worst;
}

bool lacks_cluster(const GpuFabric& gpu) {
    const bool rack_scale = contains(gpu.product, "GB200") || contains(gpu.product, "GB300");
    return rack_scale && (!names_cluster(gpu.cluster_uuid) || gpu.clique.value_or(0) == 0);
}

Finding with_fabric_facts(const std::vector<GpuFabric>& gpus, Finding finding) {
    Value described = Value::array();
    for (const auto& gpu : gpus) {
        described.push(fabric_value(gpu));
    }
    const bool mnnvl = !gpus.empty() && std::all_of(gpus.begin(), gpus.end(), in_nvlink_cluster);
    const auto excerpt = finding.detail;
    return std::move(finding)
        .with("gpus", std::move(described))
        .with("mnnvl", mnnvl)
        .because("nvidia-smi -q", excerpt);
}

} // namespace di::judge
