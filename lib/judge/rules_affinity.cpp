// How near the HCAs in use are to the pod's GPUs.
#include "base/strings.hpp"
#include "judge/catalogue/gpu.hpp"
#include "judge/hcas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace di::judge::gpu {
namespace {

using model::GpuTopology;

/// Distances of nvidia-smi topo, nearest first; those from NODE on cross a CPU interconnect.
constexpr std::string_view k_distances[] = {"PIX", "PXB", "PSB", "PHB", "NODE", "SOC", "SYS"};
constexpr std::size_t k_first_far = 4;

/// Place in the list; its end for what is not a distance.
std::size_t rank_of(std::string_view cell) {
    return static_cast<std::size_t>(
        std::find(std::begin(k_distances), std::end(k_distances), cell) - std::begin(k_distances));
}

/// Columns of the HCAs that KV may use; all of them while the ports are not known.
std::vector<std::size_t> used_columns(const PodView& view, const GpuTopology& topology) {
    std::set<std::string> used;
    if (const auto& ports = port_source(view.seen)) {
        for (const auto& port : select_ports(*ports, view.seen, view.path).used) {
            used.insert(port.device->name);
        }
    }
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < topology.nics.size(); ++i) {
        if (used.empty() || used.count(topology.nics[i]) != 0) {
            columns.push_back(i);
        }
    }
    return columns;
}

/// The nearest used HCA of each GPU, as a rank; the end of the list where none is shown.
std::vector<std::size_t> nearest_of(const GpuTopology& topology,
                                    const std::vector<std::size_t>& columns) {
    std::vector<std::size_t> nearest;
    for (const auto& row : topology.nic_cells) {
        std::size_t best = std::size(k_distances);
        for (const auto column : columns) {
            best = column < row.size() ? std::min(best, rank_of(row[column])) : best;
        }
        nearest.push_back(best);
    }
    return nearest;
}

/// All used HCAs at one distance from all GPUs: what a virtual machine without a topology shows.
bool is_flat(const GpuTopology& topology, const std::vector<std::size_t>& columns) {
    std::set<std::string> cells;
    for (const auto& row : topology.nic_cells) {
        for (const auto column : columns) {
            cells.insert(column < row.size() ? row[column] : "");
        }
    }
    return cells.size() == 1 && columns.size() > 1;
}

} // namespace

std::optional<std::string> unless_gpus_and_network(const PodView& view) {
    if (auto why = unless_network(view)) {
        return why;
    }
    const bool none = view.seen.topology && view.seen.topology->gpus == 0;
    return none ? std::optional<std::string>("nvidia-smi shows no GPU") : std::nullopt;
}

Finding judge_nic_affinity(const PodView& view) {
    const auto& topology = *view.seen.topology;
    const auto columns = used_columns(view, topology);
    const auto nearest = nearest_of(topology, columns);
    const auto worst =
        nearest.empty() ? nearest.end() : std::max_element(nearest.begin(), nearest.end());
    if (columns.empty() || nearest.empty() || *worst == std::size(k_distances)) {
        return skipped(model::SkipReason::unreadable,
                       "nvidia-smi shows no distance between GPUs and the HCAs in use");
    }
    const auto text = std::string(k_distances[*worst]);
    const auto facts = [&](Finding finding) {
        return std::move(finding).with("farthest", text).because("nvidia-smi topo -m", text);
    };
    if (*worst < k_first_far) {
        return facts(ok(fmt::format("each GPU has an HCA at {} or nearer", text)));
    }
    const bool pinned = setting(view.worker, view.seen, "UCX_NET_DEVICES") != nullptr;
    if (is_flat(topology, columns) && !pinned) {
        return facts(warn(fmt::format("all {} HCAs are {} from all GPUs, and UCX_NET_DEVICES is "
                                      "unset: which HCA belongs to which GPU cannot be seen",
                                      columns.size(),
                                      text)));
    }
    return facts(warn(fmt::format("GPU {} has no HCA nearer than {}",
                                  static_cast<std::size_t>(worst - nearest.begin()),
                                  text)));
}

} // namespace di::judge::gpu
