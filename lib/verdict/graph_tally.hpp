// What the rows say about one graph, counted.
#pragma once

#include "model/finding.hpp"
#include "model/report.hpp"
#include "verdict/roll_up.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace di::verdict {

inline constexpr std::size_t k_capabilities = static_cast<std::size_t>(model::Capability::pair) + 1;

/// One subject's standing in one capability.
struct Standing {
    bool decided = false;                 ///< some row gave an answer
    bool positive = false;                ///< and it was ok or warn
    const model::Check* unseen = nullptr; ///< a row that could not tell
};

struct SubjectTally {
    std::array<Standing, k_capabilities> standings;

    [[nodiscard]] const Standing& of(model::Capability capability) const {
        return standings.at(static_cast<std::size_t>(capability));
    }
};

/// The same trouble on several subjects.
struct Cause {
    std::string code;
    std::string detail; ///< of the first subject
    model::SubjectKind kind = model::SubjectKind::pod;
    std::size_t subjects = 0;
};

/// One graph: its members and what was found on them.
struct GraphTally {
    model::Graph graph;
    bool listed = false; ///< by the inventory; else implied by its workers
    std::vector<const model::Worker*> workers;
    std::vector<const model::NotProbed*> not_probed; ///< those that lower the verdict
    std::vector<const model::Pair*> pairs;
    std::map<std::pair<model::SubjectKind, std::string>, SubjectTally> subjects;
    std::vector<Cause> fails; ///< in the order of the rows; those of pods first
    std::vector<Cause> warns;

    [[nodiscard]] std::size_t count(model::Role role) const;
    /// Does KV have to travel between two sides here?
    [[nodiscard]] bool has_split() const;
};

/// The graphs of the inventory, and those that only workers imply, each with its rows. Rows about
/// nothing in particular count for every graph.
std::vector<GraphTally> tally(const Basis& basis, const Options& options);

/// Capabilities that no row decided though one tried, as causes.
std::vector<Cause> undecided(const GraphTally& tally);

/// The same for the pods without a single good deciding row: nothing is known of them.
std::optional<Cause> unjudged(const GraphTally& tally);

} // namespace di::verdict
