// From rows to one honest verdict: state, tier and exit code. Pure.
#pragma once

#include "model/finding.hpp"
#include "model/inventory.hpp"
#include "model/report.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace di::verdict {

/// The weakest outcome that fails a run.
enum class FailOn : std::uint8_t {
    fail,         ///< blockers only
    inconclusive, ///< blockers (exit 1) and what could not be seen (exit 3)
    warn,         ///< these and warnings (exit 1)
};

/// What the rows were meant to answer.
enum class Question : std::uint8_t {
    transfer, ///< can KV travel: both sides, and their pairs, must have been judged
    rows,     ///< just these rows (`node`, `nixl`, `env`): no pair is missed, no tier is reached
};

struct Options {
    FailOn fail_on = FailOn::inconclusive;
    std::optional<model::Tier> require;        ///< a weaker tier is exit 3
    std::set<std::string, std::less<>> waived; ///< codes that move nothing
    Question question = Question::transfer;
    /// How the user reaches the cluster, for the command that would prove the next tier.
    std::vector<std::string> kubectl = {"kubectl"};
};

/// Everything a verdict rests on.
struct Basis {
    const model::Inventory& inventory;
    /// Those of the inventory and those whose exec failed.
    const std::vector<model::NotProbed>& not_probed;
    const std::vector<model::Check>& checks; ///< all rows, those of the inventory included
    const std::vector<model::Pair>& pairs;
};

struct RollUp {
    model::Verdict verdict;
    std::vector<model::GraphState> graphs;
    model::Counts counts; ///< of all rows, advisory and waived ones too
};

/// What a script gets to see of a verdict.
int exit_code(const model::Readiness& readiness, const Options& options);

/// Is the row one that moves a verdict?
bool moves(const model::Check& check, const Options& options);

/// Could something that matters not be seen?
bool is_gap(const model::Check& check);

/// Weighs the rows: the worst graph wins, a graph without a prefill/decode split has no say. Rows
/// that are advisory, overridden or waived move nothing; a skipped row lowers the verdict only
/// where no other row decided its capability for the same subject.
RollUp roll_up(const Basis& basis, const Options& options);

} // namespace di::verdict
