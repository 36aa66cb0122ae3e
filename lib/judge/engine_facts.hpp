// What limits and builds mean; shared by the live rules and by those that judge one tool's output.
#pragma once

#include "judge/pod_rule.hpp"
#include "model/observation.hpp"

#include <cstdint>

namespace di::judge {

/// Under this limit, in bytes, the registration of KV blocks is bound to fail.
inline constexpr std::uint64_t k_small_memlock = std::uint64_t{1} << 30U;

/// No limit, or one beyond the memory of any node.
bool is_as_good_as_unlimited(const model::Memlock& limit);

/// What `ucx_info -v` says of the build. Facts: version, cuda, verbs, mlx5, efa, gdrcopy.
Finding ucx_build_finding(const model::UcxBuild& build);

} // namespace di::judge
