// Settings alone, as a manifest shows them: the rules about environment and arguments, asked of
// components instead of pods.
#pragma once

#include "judge/evaluate.hpp"
#include "judge/pairs.hpp"
#include "judge/rules.hpp"

#include <vector>

namespace di::judge {

/// Is this a rule about settings?
bool is_setting(const RuleInfo& info);

/// Rows where the settings of two sides of one graph stand against each other; no pairs, since
/// which way KV takes shows only in a cluster. A row that only repeats what one side fails by
/// itself is overridden by that.
Judgement judge_setting_pairs(const std::vector<PairInput>& workers, const Context& context);

/// What is made of one variable of a worker whose rows these are: the worst row that names it; what
/// nothing in use reads is not applicable; everything else allows the fast path.
struct VariableVerdict {
    model::Status status = model::Status::ok;
    std::optional<model::SkipReason> reason;
};

VariableVerdict judge_variable(std::string_view name,
                               const model::Worker& worker,
                               const model::PodObservation& seen,
                               const std::vector<model::Check>& rows);

/// A row for variables that are set to values which nobody knows and that no other row names; none
/// when there are none.
std::vector<model::Check> judge_unknown_values(const model::Worker& worker,
                                               const model::PodObservation& seen,
                                               const std::vector<model::Check>& rows);

} // namespace di::judge
