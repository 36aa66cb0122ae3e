// Every prefill worker against every decode worker of the same graph and generation.
#pragma once

#include "judge/evaluate.hpp"
#include "judge/pair_side.hpp"

#include <vector>

namespace di::judge {

/// Up to this many pairs of a graph are judged and listed one by one; more are judged by classes
/// of equal workers, so that 5,000 workers are a few entries and not six million.
inline constexpr std::size_t k_single_pairs = 64;

struct PairInput {
    const model::Worker* worker = nullptr;
    PairSide side;
};

/// Pairs, and a row for each that is not ok. Order: graph, prefill, decode, as in the input.
Judgement judge_pairs(const std::vector<PairInput>& workers, const Context& context);

} // namespace di::judge
