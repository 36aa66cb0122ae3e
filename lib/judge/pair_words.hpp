// A pair in words: which way KV takes, why, and what would make it faster.
#pragma once

#include "judge/pair_rule.hpp"

#include <string>

namespace di::judge {

/// "KV can go over InfiniBand RDMA: one subnet, 1600 Gb/s on each side"; for a pair that nothing
/// stands between.
std::string describe_open(const PairView& pair, model::Path path);

/// What would make the pair faster, or let it work at all; empty when nothing is known.
std::string faster(const PairView& pair, const PairVerdict& verdict);

} // namespace di::judge
