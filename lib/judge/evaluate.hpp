// From typed facts to rows: every rule on every worker, and every prefill worker against every
// decode worker. Pure.
#pragma once

#include "judge/next_step.hpp"
#include "model/finding.hpp"
#include "model/inventory.hpp"
#include "model/observation.hpp"
#include "model/report.hpp"

#include <cstdint>
#include <vector>

namespace di::judge {

struct Judgement {
    std::vector<model::Check> checks; ///< pod by pod in the inventory's order, then the pairs
    std::vector<model::Pair> pairs;
};

/// What is judged: everything, or the settings alone, which is all that a manifest shows.
enum class Scope : std::uint8_t { all, settings };

/// Judges what was observed. A worker without an observation is judged as one whose exec gave
/// nothing; observations of unknown workers are left aside. Rows of `inventory.checks` are not
/// repeated.
Judgement evaluate(const model::Inventory& inventory,
                   const std::vector<model::PodObservation>& observations,
                   const Context& context,
                   Scope scope = Scope::all);

/// The workers whose exec did not complete, as the report's coverage lists them.
std::vector<model::NotProbed> failed_execs(const model::Inventory& inventory,
                                           const std::vector<model::PodObservation>& observations);

} // namespace di::judge
