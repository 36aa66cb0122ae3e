#include "verdict/roll_up.hpp"

#include "verdict/graph_tally.hpp"
#include "verdict/standalone.hpp"
#include "verdict/verdict_line.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::verdict {
namespace {

using model::Capability;
using model::Check;
using model::Role;
using model::State;
using model::Status;
using model::SubjectKind;
using model::Tier;

/// Why a graph cannot be called ready even where each row is good; empty when nothing is missing.
std::string gap(const GraphTally& tally, const Basis& basis, const Options& options) {
    if (basis.inventory.one_sided_filter) {
        return *basis.inventory.one_sided_filter + " leaves one side of the split out";
    }
    if (!tally.not_probed.empty()) {
        return describe_not_probed(tally);
    }
    if (const auto causes = undecided(tally); !causes.empty()) {
        return describe(causes.front(), tally);
    }
    if (options.question == Question::rows) {
        return "";
    }
    if (const auto cause = unjudged(tally)) {
        return describe(*cause, tally);
    }
    if (tally.has_split() && tally.pairs.empty()) {
        return tally.count(Role::prefill) == 0  ? "no prefill worker was seen"
               : tally.count(Role::decode) == 0 ? "no decode worker was seen"
                                                : "no prefill worker has a decode worker of its "
                                                  "own generation";
    }
    return "";
}

/// Devices, a link, transport and library positively there.
bool is_capable(const GraphTally& tally, const model::Worker& worker) {
    const auto found = tally.subjects.find({SubjectKind::pod, worker.pod});
    if (found == tally.subjects.end()) {
        return false;
    }
    const auto& subject = found->second;
    return subject.of(Capability::devices).positive && subject.of(Capability::transport).positive &&
           subject.of(Capability::library).positive &&
           (subject.of(Capability::link).positive || subject.of(Capability::nvlink).positive);
}

Tier reached_tier(const GraphTally& tally, const Options& options) {
    const bool paired = !tally.pairs.empty() &&
                        std::all_of(tally.pairs.begin(), tally.pairs.end(), [](const auto* pair) {
                            return pair->status == Status::ok || pair->status == Status::warn;
                        });
    const bool capable =
        std::all_of(tally.workers.begin(), tally.workers.end(), [&](const auto* worker) {
            const bool plays = worker->role == Role::prefill || worker->role == Role::decode;
            return !plays || is_capable(tally, *worker);
        });
    const bool both = tally.count(Role::prefill) > 0 && tally.count(Role::decode) > 0;
    return options.question == Question::transfer && paired && capable && both ? Tier::capable
                                                                               : Tier::configured;
}

GraphVerdict weigh(const GraphTally& tally, const Basis& basis, const Options& options) {
    GraphVerdict verdict;
    verdict.tally = &tally;
    if (tally.listed && !tally.graph.disagg) {
        return verdict;
    }
    verdict.tier = reached_tier(tally, options);
    if (!tally.fails.empty()) {
        verdict.state = State::blocked;
        verdict.cause = describe(tally.fails.front(), tally);
        return verdict;
    }
    verdict.cause = gap(tally, basis, options);
    if (!verdict.cause.empty()) {
        verdict.state = State::inconclusive;
    } else if (!tally.warns.empty()) {
        verdict.state = State::degraded;
        verdict.cause = describe(tally.warns.front(), tally);
    } else {
        verdict.state = State::ready;
    }
    return verdict;
}

/// What the verdict leaves out at the user's wish; empty when nothing.
std::string waiver_note(const std::vector<Check>& checks, const Options& options) {
    const auto waived = std::count_if(checks.begin(), checks.end(), [&](const Check& check) {
        return check.status != Status::ok && check.reason != model::SkipReason::not_applicable &&
               (check.waived || options.waived.count(check.code) != 0);
    });
    return waived == 0 ? "" : fmt::format(" ({} {} waived)", waived, waived == 1 ? "row" : "rows");
}

/// Larger is worse; a graph without a split has no say.
int badness(State state) {
    constexpr int k_badness[] = {1, 2, 3, 4, 0}; // ready, degraded, inconclusive, blocked, n/a
    return k_badness[static_cast<std::size_t>(state)];
}

} // namespace

int exit_code(const model::Readiness& readiness, const Options& options) {
    const bool short_of =
        options.require && readiness.state != State::blocked &&
        (readiness.state == State::not_applicable || readiness.tier < *options.require);
    switch (readiness.state) {
    case State::blocked:
        return 1;
    case State::inconclusive:
        return options.fail_on == FailOn::fail && !short_of ? 0 : 3;
    case State::degraded:
        return options.fail_on == FailOn::warn ? 1 : short_of ? 3 : 0;
    default:
        return short_of ? 3 : 0;
    }
}

RollUp roll_up(const Basis& basis, const Options& options) {
    RollUp result;
    result.counts = count_rows(basis.checks);
    const auto tallies = tally(basis, options);
    GraphVerdict worst;
    auto weakest = Tier::payload;
    for (const auto& graph : tallies) {
        const auto verdict = weigh(graph, basis, options);
        result.graphs.push_back({graph.graph, verdict.state, verdict.tier});
        if (verdict.state != State::not_applicable) {
            weakest = std::min(weakest, verdict.tier);
        }
        if (worst.tally == nullptr || badness(verdict.state) > badness(worst.state)) {
            worst = verdict;
        }
    }
    auto& readiness = result.verdict.readiness;
    readiness.state = worst.state;
    readiness.tier = worst.state == State::not_applicable ? Tier::configured : weakest;
    readiness.exit_code = exit_code(readiness, options);
    result.verdict.line =
        verdict_line(worst, tallies.size(), options.question) + waiver_note(basis.checks, options);
    result.verdict.prove = proof(worst, options);
    return result;
}

} // namespace di::verdict
