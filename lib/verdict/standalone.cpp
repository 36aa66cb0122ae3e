#include "verdict/standalone.hpp"

#include <fmt/format.h>

#include <array>

namespace di::verdict {
namespace {

using model::Check;
using model::SkipReason;
using model::State;
using model::Status;

/// Larger is worse.
int badness(State state) {
    static constexpr std::array<int, 5> k_badness = {1, 2, 3, 4, 0};
    return k_badness.at(static_cast<std::size_t>(state));
}

State state_of(Status status, bool not_applicable) {
    if (status == Status::skipped) {
        return not_applicable ? State::not_applicable : State::inconclusive;
    }
    return status == Status::fail   ? State::blocked
           : status == Status::warn ? State::degraded
                                    : State::ready;
}

int exit_code(State state) {
    return state == State::blocked ? 1 : state == State::inconclusive ? 3 : 0;
}

/// What decides so far.
struct Worst {
    State state = State::not_applicable;
    std::string subject;
    std::string detail;

    void take(State other, const std::string& of, const std::string& why) {
        if (badness(other) > badness(state)) {
            state = other;
            subject = of;
            detail = why;
        }
    }
};

std::string line_of(const Worst& worst) {
    switch (worst.state) {
    case State::ready:
        return "ready: capable as far as these outputs show, not yet proven by traffic";
    case State::not_applicable:
        return "not applicable: nothing in this set decides anything";
    default:
        return fmt::format("{}: {}: {}", to_string(worst.state), worst.subject, worst.detail);
    }
}

} // namespace

model::Counts count_rows(const std::vector<Check>& checks) {
    model::Counts counts;
    for (const auto& check : checks) {
        switch (check.status) {
        case Status::ok:
            ++counts.ok;
            break;
        case Status::warn:
            ++counts.warn;
            break;
        case Status::fail:
            ++counts.fail;
            break;
        case Status::skipped:
            ++counts.skipped;
            break;
        }
    }
    return counts;
}

model::Verdict verdict_of_row(const Check& check) {
    model::Verdict verdict;
    auto& readiness = verdict.readiness;
    readiness.state = state_of(check.status, check.reason == SkipReason::not_applicable);
    readiness.exit_code = exit_code(readiness.state);
    verdict.line = fmt::format("{}: {}{}: {}",
                               check.name,
                               to_string(check.status),
                               check.reason ? fmt::format(" ({})", to_string(*check.reason)) : "",
                               check.detail);
    return verdict;
}

model::Verdict verdict_of_pods(const std::vector<Check>& checks,
                               const std::vector<model::Pair>& pairs) {
    Worst worst;
    for (const auto& check : checks) {
        if (check.name == "pod") {
            worst.take(state_of(check.status, check.reason == SkipReason::not_applicable),
                       check.subject.name,
                       check.detail);
        }
    }
    for (const auto& pair : pairs) {
        worst.take(state_of(pair.status, pair.reason == to_string(SkipReason::not_applicable)),
                   pair.prefill + " -> " + pair.decode,
                   pair.detail);
    }
    model::Verdict verdict;
    verdict.readiness.state = worst.state;
    verdict.readiness.exit_code = exit_code(worst.state);
    const bool proven = worst.state == State::ready || worst.state == State::degraded;
    verdict.readiness.tier =
        proven && !pairs.empty() ? model::Tier::capable : model::Tier::configured;
    verdict.line = line_of(worst);
    return verdict;
}

} // namespace di::verdict
