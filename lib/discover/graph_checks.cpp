#include "base/strings.hpp"
#include "discover/labels.hpp"
#include "discover/object_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace di::discover {
namespace {

using model::Capability;
using model::Check;
using model::Role;
using model::Status;

model::Subject subject_of(const GraphView& graph) {
    return {model::SubjectKind::graph, graph.ns, graph.title()};
}

model::NextStep list_pods(const GraphView& graph, std::string why) {
    std::vector<std::string> words = {"get", "pods", "--show-labels"};
    if (graph.name) {
        words = {
            "get", "pods", "-l", fmt::format("{}={}", k_graph_label, *graph.name), "-o", "wide"};
    }
    return kubectl(graph.ns, std::move(words), std::move(why));
}

model::NextStep describe(const Candidate& candidate, std::string why) {
    return kubectl(candidate.worker.ns, {"describe", "pod", candidate.worker.pod}, std::move(why));
}

/// "decode side has no running pod (2 not running: SchedulingGated, Unschedulable)"
std::string missing_side(std::string_view name, const Side& side) {
    std::set<std::string> causes;
    for (const Candidate* waiting : side.waiting) {
        causes.insert(waiting->state.cause);
    }
    const std::string why =
        !causes.empty()
            ? fmt::format("{} not running: {}", side.waiting.size(), fmt::join(causes, ", "))
        : side.seen ? std::string("completed or terminating ones only")
                    : std::string("none found");
    return fmt::format("{} side has no running pod ({})", name, why);
}

std::string generation_name(const Generation& generation) {
    return generation ? *generation : "without worker hash";
}

/// A side that does not run is a blocker, unless its pods may not have been listed.
void make_blocker(Check& check, const GraphView& graph) {
    check.status = Status::fail;
    if (graph.may_hide_pods) {
        check.status = Status::skipped;
        check.reason = model::SkipReason::not_requested;
        check.detail += "; the selector may hide pods of it";
    }
}

Check missing_sides(const GraphView& graph, const Side& prefill, const Side& decode) {
    std::vector<std::string> missing;
    const Candidate* waiting = nullptr;
    for (const auto& [name, side] :
         {std::pair("prefill", &prefill), std::pair("decode", &decode)}) {
        if (side->running.empty()) {
            missing.push_back(missing_side(name, *side));
            waiting =
                waiting == nullptr && !side->waiting.empty() ? side->waiting.front() : waiting;
        }
    }
    Check check = make_row(RuleId::discovery, Status::fail, subject_of(graph), join(missing, "; "));
    make_blocker(check, graph);
    check.next = waiting != nullptr ? describe(*waiting, "why it does not run")
                                    : list_pods(graph, "which pods the graph has");
    return check;
}

Check check_sides(const GraphView& graph) {
    if (!graph.disagg) {
        Check check = make_row(RuleId::discovery,
                               Status::skipped,
                               subject_of(graph),
                               "no prefill/decode split: no KV cache travels between pods");
        check.reason = model::SkipReason::not_applicable;
        check.next = list_pods(graph, "which components the graph has");
        return check;
    }
    const Side prefill = graph.side(Role::prefill);
    const Side decode = graph.side(Role::decode);
    const auto generations = graph.generations();
    const bool whole = std::any_of(
        generations.begin(), generations.end(), [](const auto& entry) { return entry.second; });
    Check check;
    if (prefill.running.empty() || decode.running.empty()) {
        check = missing_sides(graph, prefill, decode);
    } else if (whole) {
        check = make_row(RuleId::discovery,
                         Status::ok,
                         subject_of(graph),
                         fmt::format("running: {} prefill, {} decode",
                                     prefill.running.size(),
                                     decode.running.size()));
    } else {
        check = make_row(RuleId::discovery,
                         Status::fail,
                         subject_of(graph),
                         "no generation runs both sides: the prefill side and the decode side are "
                         "of different worker generations, which exchange no KV cache");
        make_blocker(check, graph);
        check.next = list_pods(graph, "how far the rolling update is");
    }
    check.capability = Capability::coverage;
    return check;
}

std::optional<Check> check_generations(const GraphView& graph) {
    const auto generations = graph.generations();
    if (!graph.disagg || generations.size() < 2) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    names.reserve(generations.size());
    for (const auto& [generation, whole] : generations) {
        names.push_back(generation_name(generation));
    }
    Check check = make_row(RuleId::generation,
                           Status::warn,
                           subject_of(graph),
                           fmt::format("{} worker generations at once (worker hash {}): a rolling "
                                       "update is in flight",
                                       names.size(),
                                       join(names, ", ")));
    check.facts.set("generations", names);
    check.capability = Capability::coverage;
    check.next = list_pods(graph, "wait until the old generation is gone, then check again");
    return check;
}

/// Labels that say one thing while the engine's arguments say another.
const Candidate* find_contradiction(const GraphView& graph) {
    const auto found =
        std::find_if(graph.members.begin(), graph.members.end(), [](const Candidate* member) {
            return member->label_role && member->argument_role && !member->filter &&
                   *member->label_role != *member->argument_role;
        });
    return found == graph.members.end() ? nullptr : *found;
}

std::optional<Check> check_roles(const GraphView& graph) {
    if (!graph.disagg) {
        return std::nullopt;
    }
    std::set<std::string> guessed;
    for (const Candidate* member : graph.members) {
        if (member->is_guess && !member->filter) {
            const model::Worker& worker = member->worker;
            guessed.insert(fmt::format("{} is {}",
                                       worker.component.empty() ? worker.pod : worker.component,
                                       to_string(worker.role)));
        }
    }
    const Candidate* contradiction = find_contradiction(graph);
    Check check = make_row(RuleId::role,
                           Status::ok,
                           subject_of(graph),
                           "roles are declared by labels or engine arguments");
    if (contradiction != nullptr) {
        check.status = Status::warn;
        check.detail = fmt::format("pod {} is labelled {}, its engine is told {}",
                                   contradiction->worker.pod,
                                   to_string(*contradiction->label_role),
                                   to_string(*contradiction->argument_role));
        check.next = describe(*contradiction, "its labels and arguments");
    } else if (!guessed.empty()) {
        check.status = Status::warn;
        check.detail = fmt::format("roles are guessed from names: {}", fmt::join(guessed, ", "));
        check.next = list_pods(graph, "the labels that the pods carry");
    }
    return check;
}

} // namespace

std::vector<Check> check_graph(const GraphView& graph) {
    std::vector<Check> checks;
    checks.push_back(check_sides(graph));
    for (auto& check : {check_generations(graph), check_roles(graph)}) {
        if (check) {
            checks.push_back(*check);
        }
    }
    return checks;
}

} // namespace di::discover
