// A rule about one worker, and what such a rule gets to see and may say.
#pragma once

#include "judge/next_step.hpp"
#include "judge/rules.hpp"
#include "judge/used_path.hpp"
#include "model/observation.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace di::judge {

/// One worker, as its rules see it.
struct PodView {
    const model::Worker& worker;
    const model::PodObservation& seen;
    const UsedPath& path;
    const Context& context;
    bool peers_elsewhere = true; ///< a worker of the other role runs on another node
    bool older_flags = false; ///< an engine of the graph is started by flags of before connectors
};

/// A rule's answer.
struct Finding {
    model::Status status = model::Status::skipped;
    std::optional<model::SkipReason> reason;
    std::string detail;
    model::Value facts = model::Value::object();
    std::vector<model::Evidence> evidence;
    std::optional<model::NextStep> next;
    std::string_view code = {}; ///< of the rule that decided, where one row speaks for several

    /// Adds a machine-readable fact.
    Finding&& with(std::string_view key, model::Value value) &&;
    /// Adds what the finding rests on.
    Finding&& because(std::string source, std::string excerpt) &&;
    /// Sets the next step, in place of the rule's own.
    Finding&& then(model::NextStep step) &&;
};

Finding ok(std::string detail);
Finding warn(std::string detail);
Finding fail(std::string detail);
Finding skipped(model::SkipReason reason, std::string detail);
Finding skipped(const model::Unseen& unseen, std::string_view what);

struct PodRule {
    RuleInfo info;
    /// A shell line that shows the same evidence in the container; the next step of a row whose
    /// finding names none.
    std::string_view look;
    /// Why the question does not arise for this worker, or nothing.
    std::optional<std::string> (*not_applicable)(const PodView&);
    /// The fact without which nothing can be said, when it was not seen. Asked before `evaluate`.
    const model::Unseen* (*needs)(const PodView&);
    Finding (*evaluate)(const PodView&);
};

/// All pod rules, in the order of their rows.
std::span<const PodRule* const> pod_rules();

// ---- answers to `not_applicable` that several areas share ----

/// Arises wherever KV leaves the worker.
std::optional<std::string> unless_kv_moves(const PodView& view);
/// Arises where KV leaves through a network device (not NVLink).
std::optional<std::string> unless_network(const PodView& view);
/// Arises where NIXL's UCX backend moves KV, over RDMA or NVLink.
std::optional<std::string> unless_ucx(const PodView& view);
std::optional<std::string> always_applies(const PodView& view);

} // namespace di::judge
