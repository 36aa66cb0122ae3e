// The verdict as one line for a person.
#pragma once

#include "verdict/graph_tally.hpp"

#include <optional>
#include <string>

namespace di::verdict {

/// Everything that one graph's state was drawn from.
struct GraphVerdict {
    const GraphTally* tally = nullptr;
    model::State state = model::State::not_applicable;
    model::Tier tier = model::Tier::configured;
    std::string cause; ///< why it is no better; empty when ready
};

/// "on 2 of 4 workers", as a cause with its detail.
std::string describe(const Cause& cause, const GraphTally& tally);

/// "1 of 4 workers was not probed: ...".
std::string describe_not_probed(const GraphTally& tally);

/// The line for the worst graph; names the graph when there are several.
std::string verdict_line(const GraphVerdict& worst, std::size_t graphs, Question question);

/// What would prove that bytes take the fast path; nothing where there is nobody to ask.
std::optional<model::NextStep> proof(const GraphVerdict& worst, const Options& options);

} // namespace di::verdict
