#include "judge/pair_words.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace di::judge {
namespace {

using model::Path;

/// How a path is called, and what both sides have in common there.
struct PathWords {
    Path path;
    std::string_view name;
    std::string_view shared;
};

constexpr PathWords k_paths[] = {
    {Path::rdma_ib, "InfiniBand RDMA", "one subnet"},
    {Path::rdma_roce, "RoCE RDMA", ""},
    {Path::efa, "EFA", ""},
    {Path::nvlink_mnnvl, "multi-node NVLink", "one clique"},
};

std::string rates(const PairView& pair) {
    const auto prefill = pair.prefill.gbps;
    const auto decode = pair.decode.gbps;
    if (prefill <= 0 || decode <= 0) {
        return "";
    }
    return prefill == decode ? fmt::format("{:g} Gb/s on each side", prefill)
                             : fmt::format("{:g} and {:g} Gb/s", prefill, decode);
}

/// "prefill's GDR-001": the first warning of a side that weighs on the verdict.
std::string slowed(std::string_view role, const PairSide& side) {
    return side.slowed.empty() ? "" : fmt::format("{}'s {}", role, side.slowed);
}

bool could_use_nvlink(const PairView& pair) {
    return !pair.prefill.cliques.empty() && pair.prefill.cliques == pair.decode.cliques;
}

} // namespace

std::string describe_open(const PairView& pair, Path path) {
    const auto* words = std::find_if(
        std::begin(k_paths), std::end(k_paths), [&](const auto& row) { return row.path == path; });
    if (words == std::end(k_paths)) {
        return fmt::format("KV can go over {}", to_string(path));
    }
    std::vector<std::string> reasons;
    for (const auto& reason :
         {std::string(words->shared), path == Path::nvlink_mnnvl ? "" : rates(pair)}) {
        if (!reason.empty()) {
            reasons.push_back(reason);
        }
    }
    return fmt::format(
        "KV can go over {}{}{}", words->name, reasons.empty() ? "" : ": ", join(reasons, ", "));
}

std::string faster(const PairView& pair, const PairVerdict& verdict) {
    if (verdict.rule != nullptr) {
        return std::string(verdict.rule->info.fix);
    }
    std::vector<std::string> warnings;
    for (const auto& warning : {slowed("prefill", pair.prefill), slowed("decode", pair.decode)}) {
        if (!warning.empty()) {
            warnings.push_back(warning);
        }
    }
    if (!warnings.empty()) {
        return "mend " + join(warnings, " and ");
    }
    if (verdict.path != Path::nvlink_mnnvl && could_use_nvlink(pair)) {
        return "both are in one NVLink clique: an IMEX channel in each pod and "
               "UCX_CUDA_IPC_ENABLE_MNNVL=y would use it";
    }
    return "";
}

} // namespace di::judge
