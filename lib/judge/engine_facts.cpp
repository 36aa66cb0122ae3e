#include "judge/engine_facts.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

namespace di::judge {

bool is_as_good_as_unlimited(const model::Memlock& limit) {
    constexpr std::uint64_t k_beyond_any_node = std::uint64_t{1} << 40U; // 1 TiB
    return limit.unlimited || limit.bytes >= k_beyond_any_node;
}

Finding ucx_build_finding(const model::UcxBuild& build) {
    std::vector<std::string> missing;
    if (!build.cuda) {
        missing.emplace_back("CUDA");
    }
    if (!build.verbs) {
        missing.emplace_back("verbs");
    }
    auto finding = missing.empty()
                       ? ok(fmt::format("UCX {} with CUDA and verbs", build.version))
                       : warn(fmt::format(
                             "UCX {} was built without {}", build.version, join(missing, " and ")));
    return std::move(finding)
        .with("version", build.version)
        .with("cuda", build.cuda)
        .with("verbs", build.verbs)
        .with("mlx5", build.mlx5)
        .with("efa", build.efa)
        .with("gdrcopy", build.gdrcopy)
        .because("ucx_info -v", build.version);
}

} // namespace di::judge
