#include "base/strings.hpp"
#include "discover/object_checks.hpp"

#include <fmt/format.h>

namespace di::discover {
namespace {

using model::Check;
using model::NotProbedReason;
using model::Status;

model::Subject subject_of(const Candidate& candidate) {
    return {model::SubjectKind::pod, candidate.worker.ns, candidate.worker.pod};
}

model::NextStep look_at(const Candidate& candidate) {
    const PodState& state = candidate.entry;
    if (state.look_at == LookAt::description || state.container.empty()) {
        return kubectl(
            candidate.worker.ns, {"describe", "pod", candidate.worker.pod}, "why it does not run");
    }
    std::vector<std::string> words = {"logs", candidate.worker.pod, "-c", state.container};
    if (state.look_at == LookAt::previous_logs) {
        words.emplace_back("--previous");
        return kubectl(
            candidate.worker.ns, std::move(words), "read what it logged before it ended");
    }
    return kubectl(candidate.worker.ns, std::move(words), "what it says");
}

Check check_state(const GraphView& graph, const Candidate& candidate) {
    Check check =
        make_row(RuleId::pod_state, Status::skipped, subject_of(candidate), candidate.entry.detail);
    check.reason = model::SkipReason::not_running;
    check.evidence.push_back({"pod status", candidate.entry.detail});
    check.next = look_at(candidate);
    check.advisory = !is_on_path(graph, candidate);
    check.capability = check.advisory ? model::Capability::none : model::Capability::coverage;
    return check;
}

Check check_resource(const Candidate& candidate) {
    const model::SpecFacts& spec = candidate.worker.spec;
    const std::string& container = candidate.worker.container;
    Check check = make_row(RuleId::rdma_resource, Status::ok, subject_of(candidate), {});
    check.facts.set("resources", spec.rdma_resources);
    if (!spec.rdma_resources.empty()) {
        check.detail = fmt::format("{} asks for {}", container, join(spec.rdma_resources, ", "));
    } else if (!spec.claims.empty()) {
        check.detail = fmt::format("{} holds the claim {}", container, join(spec.claims, ", "));
    } else if (spec.privileged) {
        check.detail = fmt::format("{} is privileged and sees the node's devices", container);
    } else {
        check.status = Status::warn;
        check.detail = fmt::format("{} asks for no RDMA device and is not privileged (a hint only: "
                                   "what it can open decides)",
                                   container);
        check.next = kubectl(
            candidate.worker.ns,
            {"get",
             "pod",
             candidate.worker.pod,
             "-o",
             fmt::format("jsonpath={{.spec.containers[?(@.name==\"{}\")].resources}}", container)},
            "what it asks for");
    }
    return check;
}

} // namespace

std::vector<Check> check_pods(const GraphView& graph) {
    std::vector<Check> checks;
    for (const Candidate* member : graph.members) {
        const auto reason = member->entry.reason;
        if (member->filter) {
            continue;
        }
        if (reason == NotProbedReason::not_running || reason == NotProbedReason::no_container) {
            checks.push_back(check_state(graph, *member));
        }
        if (!reason && is_on_path(graph, *member)) {
            checks.push_back(check_resource(*member));
        }
    }
    return checks;
}

Check make_row(RuleId id, Status status, model::Subject subject, std::string detail) {
    Check check;
    check.name = std::string(rule(id).name);
    check.code = std::string(rule(id).code);
    check.advisory = rule(id).advisory;
    check.status = status;
    check.subject = std::move(subject);
    check.detail = std::move(detail);
    return check;
}

model::NextStep kubectl(const std::string& ns, std::vector<std::string> words, std::string why) {
    std::vector<std::string> argv = {"kubectl"};
    if (ns.empty()) {
        words.emplace_back("--all-namespaces");
    } else {
        argv.insert(argv.end(), {"-n", ns});
    }
    argv.insert(argv.end(), words.begin(), words.end());
    return {std::move(argv), std::move(why)};
}

} // namespace di::discover
