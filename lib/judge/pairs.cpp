#include "judge/pairs.hpp"

#include "judge/next_step.hpp"
#include "judge/pair_rule.hpp"
#include "judge/pair_words.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace di::judge {
namespace {

using model::Check;
using model::Pair;
using model::Role;
using model::Status;
using model::Worker;

/// Workers of one role that look the same to a partner.
struct WorkerClass {
    const PairSide* side = nullptr;
    std::vector<const Worker*> members;
};

struct GraphSides {
    std::vector<WorkerClass> prefill;
    std::vector<WorkerClass> decode;
};

using GraphKey = std::pair<std::string, std::string>; ///< namespace, model::graph_key

/// Collects classes in the order in which their first members come.
class Classes {
public:
    void add(const PairInput& input) {
        const auto& worker = *input.worker;
        const GraphKey graph{worker.ns, model::graph_key(worker.graph, worker.dynamo_namespace)};
        auto& sides = graphs_[graph];
        auto& list = worker.role == Role::prefill ? sides.prefill : sides.decode;
        const ClassKey key{graph, worker.role, worker.generation, input.side};
        const auto [known, fresh] = index_.try_emplace(key, list.size());
        if (fresh) {
            list.push_back({&input.side, {}});
        }
        list[known->second].members.push_back(&worker);
    }

    [[nodiscard]] const std::map<GraphKey, GraphSides>& graphs() const { return graphs_; }

private:
    using ClassKey = std::tuple<GraphKey, Role, std::optional<std::string>, PairSide>;
    std::map<GraphKey, GraphSides> graphs_;
    std::map<ClassKey, std::size_t> index_;
};

/// During a rolling update the old prefill workers serve the old decode workers only. A worker
/// without a generation may serve any.
bool same_generation(const WorkerClass& prefill, const WorkerClass& decode) {
    const auto& a = prefill.members.front()->generation;
    const auto& b = decode.members.front()->generation;
    return !a || !b || *a == *b;
}

std::size_t count_pairs(const GraphSides& sides) {
    std::size_t count = 0;
    for (const auto& prefill : sides.prefill) {
        for (const auto& decode : sides.decode) {
            count += same_generation(prefill, decode)
                         ? prefill.members.size() * decode.members.size()
                         : 0;
        }
    }
    return count;
}

std::vector<std::string> names(const std::vector<const Worker*>& workers) {
    std::vector<std::string> result;
    result.reserve(workers.size());
    for (const auto* worker : workers) {
        result.push_back(worker->pod);
    }
    return result;
}

class Judge {
public:
    Judge(const Context& context, Judgement& out)
        : context_(context),
          out_(out) {}

    /// `same_node` is nothing for classes.
    void
    judge(const WorkerClass& prefill, const WorkerClass& decode, std::optional<bool> same_node) {
        const PairView view{*prefill.side, *decode.side, same_node};
        auto verdict = judge_pair(view);
        Pair pair = describe(prefill, decode, view, verdict);
        if (verdict.rule != nullptr) {
            out_.checks.push_back(row(pair, verdict, prefill, decode));
        }
        out_.pairs.push_back(std::move(pair));
    }

private:
    static Pair describe(const WorkerClass& prefill,
                         const WorkerClass& decode,
                         const PairView& view,
                         const PairVerdict& verdict) {
        Pair pair;
        pair.ns = prefill.members.front()->ns;
        pair.graph = prefill.members.front()->graph;
        pair.prefill = prefill.members.front()->pod;
        pair.decode = decode.members.front()->pod;
        pair.path = verdict.path;
        pair.status = verdict.finding.status;
        pair.facts = verdict.finding.facts;
        pair.detail =
            verdict.rule == nullptr ? describe_open(view, verdict.path) : verdict.finding.detail;
        if (verdict.rule != nullptr) {
            pair.reason = verdict.finding.skip ? std::string(to_string(*verdict.finding.skip))
                                               : std::string(verdict.rule->reason);
        }
        if (pair.status != Status::skipped) {
            const bool slow = verdict.rule != nullptr && verdict.rule->reason == "rate-mismatch";
            pair.facts.set("reachable_fast", pair.status != Status::fail && !slow);
        }
        if (view.same_node) {
            pair.facts.set("same_node", *view.same_node);
        }
        if (auto advice = faster(view, verdict); !advice.empty()) {
            pair.facts.set("faster", std::move(advice));
        }
        pair.count = prefill.members.size() * decode.members.size();
        if (pair.count > 1) {
            pair.prefill_members = names(prefill.members);
            pair.decode_members = names(decode.members);
        }
        return pair;
    }

    [[nodiscard]] Check row(const Pair& pair,
                            const PairVerdict& verdict,
                            const WorkerClass& prefill,
                            const WorkerClass& decode) const {
        const auto& info = verdict.rule->info;
        Check check;
        check.name = info.name;
        check.code = info.code;
        check.status = pair.status;
        check.reason = verdict.finding.skip;
        check.subject = {model::SubjectKind::pair, pair.ns, pair.prefill + " -> " + pair.decode};
        check.detail =
            pair.count > 1 ? fmt::format("{} ({} pairs)", pair.detail, pair.count) : pair.detail;
        check.facts = pair.facts;
        check.facts.set("reason", verdict.rule->reason).set("path", to_string(pair.path));
        check.evidence.push_back({"both workers", pair.detail});
        check.next =
            next_step(context_, *verdict.rule, *prefill.members.front(), *decode.members.front());
        check.capability = info.capability;
        for (const auto* side : {prefill.side, decode.side}) {
            if (verdict.rule->reason == "worker-blocked" && !side->blocked.empty()) {
                check.overridden_by = side->blocked.substr(0, side->blocked.find(':'));
                break;
            }
        }
        return check;
    }

    const Context& context_;
    Judgement& out_;
};

void judge_one_by_one(const WorkerClass& prefill, const WorkerClass& decode, Judge& judge) {
    for (const auto* p : prefill.members) {
        for (const auto* d : decode.members) {
            const bool known = !p->node.empty() && !d->node.empty();
            judge.judge({prefill.side, {p}},
                        {decode.side, {d}},
                        known ? std::optional(p->node == d->node) : std::nullopt);
        }
    }
}

void judge_graph(const GraphSides& sides, Judge& judge) {
    const bool singly = count_pairs(sides) <= k_single_pairs;
    for (const auto& prefill : sides.prefill) {
        for (const auto& decode : sides.decode) {
            if (!same_generation(prefill, decode)) {
                continue;
            }
            if (singly) {
                judge_one_by_one(prefill, decode, judge);
            } else {
                judge.judge(prefill, decode, std::nullopt);
            }
        }
    }
}

} // namespace

model::NextStep next_step(const Context& context,
                          const PairRule& rule,
                          const Worker& prefill,
                          const Worker& decode) {
    const std::string why(rule.info.fix);
    if (context.kubectl.empty() || rule.remedy == Remedy::settings) {
        return edit_graph(context, prefill, why);
    }
    return kubectl(
        context, prefill.ns, {"get", "pods", prefill.pod, decode.pod, "-o", "wide"}, why);
}

Judgement judge_pairs(const std::vector<PairInput>& workers, const Context& context) {
    Classes classes;
    for (const auto& input : workers) {
        if (input.worker->role == Role::prefill || input.worker->role == Role::decode) {
            classes.add(input);
        }
    }
    Judgement out;
    Judge judge(context, out);
    for (const auto& [key, sides] : classes.graphs()) {
        judge_graph(sides, judge);
    }
    return out;
}

} // namespace di::judge
