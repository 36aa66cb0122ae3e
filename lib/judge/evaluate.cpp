#include "judge/evaluate.hpp"

#include "judge/connectors.hpp"
#include "judge/launch_words.hpp"
#include "judge/pairs.hpp"
#include "judge/pod_rule.hpp"
#include "judge/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace di::judge {
namespace {

using model::Check;
using model::Inventory;
using model::NotProbed;
using model::NotProbedReason;
using model::PodObservation;
using model::Role;
using model::SkipReason;
using model::Status;
using model::Unseen;
using model::Worker;

/// Why no KV leaves the worker, as far as its graph tells; empty if it does.
std::string no_split(const Inventory& inventory, const Worker& worker) {
    const auto key = model::graph_key(worker.graph, worker.dynamo_namespace);
    const bool aggregated =
        worker.role == Role::worker &&
        std::any_of(inventory.graphs.begin(), inventory.graphs.end(), [&](const auto& graph) {
            return graph.ns == worker.ns && !graph.disagg &&
                   model::graph_key(graph.name, graph.dynamo_namespace) == key;
        });
    return aggregated ? "aggregated: no KV leaves this worker" : "";
}

/// On which nodes the roles of each graph run.
class Placement {
public:
    explicit Placement(const Inventory& inventory) {
        for (const auto& worker : inventory.workers) {
            nodes_[key_of(worker, worker.role)].insert(worker.node);
        }
    }

    /// Does a worker of the other role run on another node, or where nobody knows?
    [[nodiscard]] bool peers_elsewhere(const Worker& worker) const {
        const auto other = worker.role == Role::decode ? Role::prefill : Role::decode;
        const auto found = nodes_.find(key_of(worker, other));
        return worker.node.empty() || found == nodes_.end() ||
               found->second.size() > found->second.count(worker.node);
    }

private:
    using Key = std::tuple<std::string, std::string, Role>;

    static Key key_of(const Worker& worker, Role role) {
        return {worker.ns, model::graph_key(worker.graph, worker.dynamo_namespace), role};
    }

    std::map<Key, std::set<std::string>> nodes_;
};

/// Graphs in which an engine is started by flags of before --disaggregation-mode.
std::set<std::pair<std::string, std::string>> older_graphs(const Inventory& inventory) {
    std::set<std::pair<std::string, std::string>> graphs;
    for (const auto& worker : inventory.workers) {
        if (has_older_flags(launch_words(worker.spec.arguments))) {
            graphs.emplace(worker.ns, model::graph_key(worker.graph, worker.dynamo_namespace));
        }
    }
    return graphs;
}

model::NextStep after_failed_exec(const PodView& view, SkipReason reason) {
    const auto& worker = view.worker;
    const auto step = [&](std::vector<std::string> words, std::string why) {
        return kubectl(view.context, worker.ns, std::move(words), std::move(why));
    };
    switch (reason) {
    case SkipReason::tool_missing:
        return step(
            {"debug",
             "-it",
             worker.pod,
             "--image=busybox",
             "--target=" + worker.container,
             "--",
             "sh"},
            "the image has no shell: a debug container (which changes the pod) can look under "
            "/sys/class/infiniband and /proc/1/root");
    case SkipReason::no_permission:
        return step({"auth", "can-i", "create", "pods", "--subresource=exec"},
                    "ask for permission to exec into the workers");
    case SkipReason::not_running:
        return step({"describe", "pod", worker.pod}, "see why the container does not run");
    default:
        return look_inside(view.context,
                           worker,
                           "echo alive",
                           "see whether an exec gets through; if it does, allow it more time");
    }
}

Finding unseen_exec(const PodView& view, const Unseen& unseen) {
    // Nobody asked: the answer is missing all the same, and must lower the verdict.
    const auto reason =
        unseen.reason == SkipReason::not_requested ? SkipReason::unreadable : unseen.reason;
    auto finding = skipped(Unseen{reason, unseen.why}, "the probe did not run to its end");
    return view.context.kubectl.empty() ? finding
                                        : std::move(finding).then(after_failed_exec(view, reason));
}

/// Good news about a variable is as good as its source. An exec session does not have what a launch
/// script exported, and says so; the pod's spec does not even show the image's defaults, and proves
/// nothing. Where the engine's own environment is hidden, not just hard to split for want of a
/// tool, the session's is no stand-in.
Finding doubt_source(const PodView& view, const PodRule& rule, Finding finding) {
    if (rule.info.name != "env" || finding.status != Status::ok || !view.seen.environment) {
        return finding;
    }
    const auto source = view.seen.environment->source;
    const auto* closed = view.seen.engine ? view.seen.engine->environment.unseen() : nullptr;
    const bool hidden = closed != nullptr && closed->reason != SkipReason::tool_missing;
    if (source == model::EnvSource::spec || (source == model::EnvSource::exec && hidden)) {
        finding.status = Status::skipped;
        finding.reason = hidden ? closed->reason : SkipReason::unreadable;
        finding.detail += "; the engine's environment is not readable";
    } else if (source == model::EnvSource::exec) {
        finding.detail += " (in the exec session; exports of a launch script are not seen)";
    }
    return finding;
}

/// How much a status weighs among the processes of one engine.
int severity(Status status) {
    static constexpr std::array<int, 4> k_order = {0, 2, 3, 1}; // ok, warn, fail, skipped
    return k_order.at(static_cast<std::size_t>(status));
}

/// The processes of one engine may be given different settings: the worst of them decides.
Finding worst_variant(const PodView& view, const PodRule& rule, Finding worst) {
    if (rule.info.name != "env" || !view.seen.engine) {
        return worst;
    }
    auto seen = view.seen;
    for (const auto& variant : view.seen.engine->variants) {
        seen.environment = variant;
        const PodView other{view.worker, seen, view.path, view.context, view.peers_elsewhere};
        auto finding = rule.evaluate(other);
        if (severity(finding.status) > severity(worst.status)) {
            worst = std::move(finding);
            worst.detail += "; so it is in one of the engine's processes";
        }
    }
    return worst;
}

Finding answer(const PodRule& rule, const PodView& view) {
    if (auto why = rule.not_applicable(view)) {
        return skipped(SkipReason::not_applicable, std::move(*why));
    }
    if (const auto* unseen = rule.needs(view)) {
        return rule.info.capability == model::Capability::coverage
                   ? unseen_exec(view, *unseen)
                   : skipped(*unseen, rule.info.title);
    }
    return worst_variant(view, rule, doubt_source(view, rule, rule.evaluate(view)));
}

model::NextStep default_next(const PodRule& rule, const PodView& view, const Finding& finding) {
    const bool idle = finding.reason == SkipReason::not_applicable;
    if (idle || finding.reason == SkipReason::tool_missing) { // looking inside would show no more
        return {{"kubectl", "dynamo-interconnect", "explain", std::string(rule.info.code)},
                idle ? "what this row would look at" : "what the missing tool would show"};
    }
    auto why = finding.status == Status::skipped ? std::string("look at it by hand")
                                                 : std::string(rule.info.fix);
    return look_inside(view.context, view.worker, rule.look, std::move(why));
}

bool is_advisory(const PodRule& rule, const PodView& view, Status status) {
    if (rule.info.weight == Weight::deciding_on_nvlink) {
        return view.path.kind != PathKind::nvlink && status != Status::fail;
    }
    return rule.info.weight == Weight::advisory;
}

Check judge_rule(const PodRule& rule, const PodView& view) {
    auto finding = answer(rule, view);
    Check check;
    check.name = rule.info.name;
    check.code = rule.info.code;
    check.status = finding.status;
    check.reason = finding.reason;
    check.subject = {model::SubjectKind::pod, view.worker.ns, view.worker.pod};
    if (finding.status != Status::ok) {
        check.next = finding.next ? std::move(*finding.next) : default_next(rule, view, finding);
    }
    check.detail = std::move(finding.detail);
    check.facts = std::move(finding.facts);
    check.evidence = std::move(finding.evidence);
    check.advisory = is_advisory(rule, view, check.status);
    check.capability = check.advisory ? model::Capability::none : rule.info.capability;
    return check;
}

/// sysfs and what reads it show the host's devices: they say nothing where none can be opened.
void override_port_rows(std::vector<Check>& rows) {
    static const std::set<std::string_view> k_of_sysfs = {
        "IB-002", "IB-003", "IB-004", "IB-005", "IB-006", "IB-007"};
    const bool no_devices = std::any_of(rows.begin(), rows.end(), [](const auto& row) {
        return row.code == "IB-001" && row.status == Status::fail;
    });
    for (auto& row : rows) {
        if (no_devices && k_of_sysfs.count(row.code) != 0 && row.status != Status::skipped) {
            row.overridden_by = "IB-001";
            row.detail += row.status == Status::ok ? ": the host's view" : "";
        }
    }
}

/// Did an exec that ended early show anything of the container before?
bool showed_something(const PodObservation& seen) {
    return seen.kernel || seen.verbs_nodes || seen.sysfs || seen.netdevs || seen.engine;
}

/// After a failed exec one row says so; thirty echoes of it would say no more. What an exec that
/// was cut short left unread stays listed beside what it did show.
void drop_echoes(const PodView& view, std::vector<Check>& rows) {
    if (view.seen.exec || showed_something(view.seen)) {
        return;
    }
    const auto is_echo = [](const Check& row) {
        return row.code != "EXEC-001" && row.status == Status::skipped;
    };
    rows.erase(std::remove_if(rows.begin(), rows.end(), is_echo), rows.end());
}

std::vector<Check> judge_pod(const PodView& view, Scope scope) {
    std::vector<Check> rows;
    for (const auto* rule : pod_rules()) {
        if (scope == Scope::all || is_setting(rule->info)) {
            rows.push_back(judge_rule(*rule, view));
        }
    }
    override_port_rows(rows);
    drop_echoes(view, rows);
    return rows;
}

/// The observation of each worker, by its index.
std::vector<const PodObservation*> by_worker(const Inventory& inventory,
                                             const std::vector<PodObservation>& observations) {
    static const PodObservation k_nothing{};
    std::vector<const PodObservation*> result(inventory.workers.size(), &k_nothing);
    for (const auto& observation : observations) {
        if (observation.worker < result.size()) {
            result[observation.worker] = &observation;
        }
    }
    return result;
}

NotProbedReason not_probed_reason(SkipReason reason) {
    static const std::map<SkipReason, NotProbedReason> k_reasons = {
        {SkipReason::tool_missing, NotProbedReason::tool_missing},
        {SkipReason::no_permission, NotProbedReason::no_permission},
        {SkipReason::not_running, NotProbedReason::not_running},
        {SkipReason::timed_out, NotProbedReason::timed_out},
        {SkipReason::truncated, NotProbedReason::truncated}};
    const auto found = k_reasons.find(reason);
    return found == k_reasons.end() ? NotProbedReason::unreadable : found->second;
}

} // namespace

Judgement evaluate(const Inventory& inventory,
                   const std::vector<PodObservation>& observations,
                   const Context& context,
                   Scope scope) {
    const Placement placement(inventory);
    const auto older = older_graphs(inventory);
    const auto seen = by_worker(inventory, observations);
    Judgement result;
    std::vector<PairInput> sides;
    sides.reserve(inventory.workers.size());
    for (std::size_t i = 0; i < inventory.workers.size(); ++i) {
        const auto& worker = inventory.workers[i];
        const auto path = used_path(worker, *seen[i], no_split(inventory, worker));
        const bool older_flags =
            older.count({worker.ns, model::graph_key(worker.graph, worker.dynamo_namespace)}) > 0;
        const PodView view{
            worker, *seen[i], path, context, placement.peers_elsewhere(worker), older_flags};
        auto rows = judge_pod(view, scope);
        sides.push_back({&worker, pair_side(view, rows)});
        std::move(rows.begin(), rows.end(), std::back_inserter(result.checks));
    }
    auto pairs =
        scope == Scope::all ? judge_pairs(sides, context) : judge_setting_pairs(sides, context);
    std::move(pairs.checks.begin(), pairs.checks.end(), std::back_inserter(result.checks));
    result.pairs = std::move(pairs.pairs);
    return result;
}

std::vector<NotProbed> failed_execs(const Inventory& inventory,
                                    const std::vector<PodObservation>& observations) {
    const auto seen = by_worker(inventory, observations);
    std::vector<NotProbed> failed;
    for (std::size_t i = 0; i < inventory.workers.size(); ++i) {
        const auto* unseen = seen[i]->exec.unseen();
        if (unseen == nullptr) {
            continue;
        }
        const auto& worker = inventory.workers[i];
        NotProbed left_out;
        left_out.ns = worker.ns;
        left_out.pod = worker.pod;
        left_out.container = worker.container;
        left_out.reason = not_probed_reason(unseen->reason);
        left_out.detail = unseen->why;
        left_out.role = worker.role;
        left_out.graph = worker.graph;
        left_out.generation = worker.generation;
        left_out.dynamo_namespace = worker.dynamo_namespace;
        failed.push_back(std::move(left_out));
    }
    return failed;
}

} // namespace di::judge
