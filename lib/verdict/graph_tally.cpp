#include "verdict/graph_tally.hpp"

#include <algorithm>
#include <string_view>

namespace di::verdict {
namespace {

using model::Capability;
using model::Check;
using model::NotProbed;
using model::NotProbedReason;
using model::Role;
using model::SkipReason;
using model::Status;
using model::SubjectKind;

constexpr std::string_view k_pair_arrow = " -> ";

/// Pods that ended, are about to, or that nobody asked for, are no gap in the coverage.
bool lowers(const NotProbed& pod) {
    return pod.reason != NotProbedReason::completed && pod.reason != NotProbedReason::terminating &&
           pod.reason != NotProbedReason::filtered;
}

void add_cause(std::vector<Cause>& causes, const Check& check) {
    const auto known = std::find_if(causes.begin(), causes.end(), [&](const Cause& cause) {
        return cause.code == check.code && cause.kind == check.subject.kind;
    });
    if (known == causes.end()) {
        causes.push_back({check.code, check.detail, check.subject.kind, 1});
    } else {
        ++known->subjects;
    }
}

/// A pod's own trouble is nearer to the cause than that of its pairs.
void pairs_last(std::vector<Cause>& causes) {
    std::stable_partition(causes.begin(), causes.end(), [](const Cause& cause) {
        return cause.kind != SubjectKind::pair;
    });
}

void take(GraphTally& tally, const Check& check) {
    auto& subject = tally.subjects[{check.subject.kind, check.subject.name}];
    auto& standing = subject.standings.at(static_cast<std::size_t>(check.capability));
    if (check.status != Status::skipped) {
        standing.decided = true;
        standing.positive = standing.positive || check.status != Status::fail;
    } else if (is_gap(check) && standing.unseen == nullptr) {
        standing.unseen = &check;
    }
    if (check.status == Status::fail) {
        add_cause(tally.fails, check);
    } else if (check.status == Status::warn) {
        add_cause(tally.warns, check);
    }
}

/// Finds the graph that a row, a pod or a pair belongs to.
class Directory {
public:
    explicit Directory(const Basis& basis) {
        for (const auto& graph : basis.inventory.graphs) {
            auto& tally = at(graph.ns, graph.name, graph.dynamo_namespace);
            tally.listed = true;
            tally.graph.disagg = graph.disagg;
        }
        for (const auto& worker : basis.inventory.workers) {
            pods_[{worker.ns, worker.pod}] = index(worker);
            auto& tally = tallies_[index(worker)];
            tally.workers.push_back(&worker);
        }
        for (const auto& pod : basis.not_probed) {
            pods_[{pod.ns, pod.pod}] = index(pod);
            if (lowers(pod)) {
                tallies_[index(pod)].not_probed.push_back(&pod);
            }
        }
        for (const auto& pair : basis.pairs) {
            if (const auto found = pods_.find({pair.ns, pair.prefill}); found != pods_.end()) {
                tallies_[found->second].pairs.push_back(&pair);
            }
        }
    }

    /// The graphs that a row counts for.
    std::vector<GraphTally*> of(const Check& check) {
        const auto& subject = check.subject;
        if (subject.kind == SubjectKind::pod || subject.kind == SubjectKind::pair) {
            const auto pod = subject.name.substr(0, subject.name.find(k_pair_arrow));
            if (const auto found = pods_.find({subject.ns, pod}); found != pods_.end()) {
                return {&tallies_[found->second]};
            }
        }
        std::vector<GraphTally*> result;
        for (auto& tally : tallies_) {
            const bool named =
                subject.kind != SubjectKind::graph ||
                subject.name == tally.graph.name.value_or(tally.graph.dynamo_namespace);
            if (named && (subject.ns.empty() || subject.ns == tally.graph.ns)) {
                result.push_back(&tally);
            }
        }
        return result;
    }

    std::vector<GraphTally> take_tallies() { return std::move(tallies_); }

private:
    GraphTally& at(const std::string& ns,
                   const std::optional<std::string>& name,
                   const std::string& dynamo_namespace) {
        const auto key = std::pair(ns, model::graph_key(name, dynamo_namespace));
        const auto [known, fresh] = graphs_.try_emplace(key, tallies_.size());
        if (fresh) {
            tallies_.emplace_back();
            tallies_.back().graph = {ns, name, false, dynamo_namespace};
        }
        return tallies_[known->second];
    }

    template<class Member> std::size_t index(const Member& member) {
        const auto& tally = at(member.ns, member.graph, member.dynamo_namespace);
        return static_cast<std::size_t>(&tally - tallies_.data());
    }

    std::vector<GraphTally> tallies_;
    std::map<std::pair<std::string, std::string>, std::size_t> graphs_;
    std::map<std::pair<std::string, std::string>, std::size_t> pods_;
};

bool is_probed(const GraphTally& tally, const std::string& pod) {
    return std::none_of(tally.not_probed.begin(), tally.not_probed.end(), [&](const auto* other) {
        return other->pod == pod;
    });
}

/// Did any row decide something about KV transfer, and not just that the probe ran?
bool is_judged(const GraphTally& tally, const std::string& pod) {
    const auto found = tally.subjects.find({SubjectKind::pod, pod});
    if (found == tally.subjects.end()) {
        return false;
    }
    for (std::size_t i = 0; i < k_capabilities; ++i) {
        if (static_cast<Capability>(i) != Capability::coverage &&
            found->second.standings.at(i).decided) {
            return true;
        }
    }
    return false;
}

} // namespace

bool moves(const Check& check, const Options& options) {
    return !check.advisory && !check.overridden_by && !check.waived &&
           options.waived.count(check.code) == 0;
}

bool is_gap(const Check& check) {
    return check.status == Status::skipped && check.reason != SkipReason::not_applicable &&
           check.reason != SkipReason::not_requested;
}

std::size_t GraphTally::count(Role role) const {
    return static_cast<std::size_t>(std::count_if(
        workers.begin(), workers.end(), [&](const auto* worker) { return worker->role == role; }));
}

bool GraphTally::has_split() const {
    return listed ? graph.disagg : count(Role::prefill) > 0 && count(Role::decode) > 0;
}

std::vector<GraphTally> tally(const Basis& basis, const Options& options) {
    Directory directory(basis);
    for (const auto& check : basis.checks) {
        if (!moves(check, options)) {
            continue;
        }
        for (auto* graph : directory.of(check)) {
            take(*graph, check);
        }
    }
    auto tallies = directory.take_tallies();
    for (auto& tally : tallies) {
        tally.graph.disagg = tally.has_split();
        pairs_last(tally.fails);
        pairs_last(tally.warns);
    }
    return tallies;
}

std::vector<Cause> undecided(const GraphTally& tally) {
    std::vector<Cause> causes;
    for (const auto& [name, subject] : tally.subjects) {
        for (std::size_t i = 0; i < subject.standings.size(); ++i) {
            const auto& standing = subject.standings[i];
            if (static_cast<Capability>(i) != Capability::none && !standing.decided &&
                standing.unseen != nullptr) {
                add_cause(causes, *standing.unseen);
            }
        }
    }
    pairs_last(causes);
    return causes;
}

std::optional<Cause> unjudged(const GraphTally& tally) {
    Cause cause{"", "no row could say anything about KV transfer", SubjectKind::pod, 0};
    for (const auto* worker : tally.workers) {
        const bool plays = worker->role == Role::prefill || worker->role == Role::decode;
        if (plays && is_probed(tally, worker->pod) && !is_judged(tally, worker->pod)) {
            ++cause.subjects;
        }
    }
    return cause.subjects > 0 ? std::optional(cause) : std::nullopt;
}

} // namespace di::verdict
