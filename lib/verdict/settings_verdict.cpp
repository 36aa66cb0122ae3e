#include "verdict/settings_verdict.hpp"

#include "verdict/standalone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace di::verdict {
namespace {

using model::Check;
using model::Component;
using model::ComponentRole;
using model::State;
using model::Status;
using model::SubjectKind;

/// Worse ones are larger.
enum class Weight : std::uint8_t { none, warn, gap, fail };

Weight weight_of(const Check& check, const Options& options) {
    if (!moves(check, options)) {
        return Weight::none;
    }
    if (check.status == Status::fail) {
        return Weight::fail;
    }
    return is_gap(check) ? Weight::gap : check.status == Status::warn ? Weight::warn : Weight::none;
}

State state_of(Weight weight) {
    static constexpr State k_states[] = {
        State::ready, State::degraded, State::inconclusive, State::blocked};
    return k_states[static_cast<std::size_t>(weight)];
}

/// One graph, or the plain workloads that belong together.
struct Group {
    model::Graph graph;
    Weight worst = Weight::none;
};

class Scale {
public:
    explicit Scale(const std::vector<Component>& components) {
        for (const auto& component : components) {
            auto& group = groups_[component.group];
            group.graph.name = component.graph;
            group.graph.disagg = group.graph.disagg || component.role == ComponentRole::prefill ||
                                 component.role == ComponentRole::decode;
        }
    }

    void add(const Check& check, const Options& options) {
        const auto weight = weight_of(check, options);
        if (check.subject.kind != SubjectKind::file) {
            auto& group = groups_[check.subject.ns];
            if (!group.graph.disagg) {
                return;
            }
            group.worst = std::max(group.worst, weight);
        }
        if (weight > worst_) {
            worst_ = weight;
            cause_ = &check;
        }
    }

    [[nodiscard]] State state() const {
        const bool split = std::any_of(groups_.begin(), groups_.end(), [](const auto& entry) {
            return entry.second.graph.disagg;
        });
        return !split && worst_ == Weight::none ? State::not_applicable : state_of(worst_);
    }

    [[nodiscard]] std::string line() const {
        if (cause_ == nullptr) {
            return state() == State::not_applicable
                       ? "not applicable: no prefill/decode split, so no KV leaves a worker"
                       : "ready: configured, the settings allow the fast path; devices and links "
                         "show only in the cluster";
        }
        const auto& subject = cause_->subject;
        const auto where = subject.kind == SubjectKind::file ? subject.name + ": "
                           : groups_.size() > 1 && !name_of(subject.ns).empty()
                               ? name_of(subject.ns) + ": "
                               : "";
        return fmt::format("{}: {}{}", to_string(state()), where, cause_->detail);
    }

    [[nodiscard]] std::vector<model::GraphState> graphs() const {
        std::vector<model::GraphState> states;
        for (const auto& [key, group] : groups_) {
            states.push_back({group.graph,
                              group.graph.disagg ? state_of(group.worst) : State::not_applicable,
                              model::Tier::configured});
        }
        return states;
    }

private:
    [[nodiscard]] std::string name_of(const std::string& key) const {
        const auto found = groups_.find(key);
        return found == groups_.end() ? "" : found->second.graph.name.value_or("");
    }

    std::map<std::string, Group> groups_;
    Weight worst_ = Weight::none;
    const Check* cause_ = nullptr;
};

} // namespace

RollUp weigh_settings(const std::vector<Component>& components,
                      const std::vector<Check>& checks,
                      const Options& options) {
    Scale scale(components);
    for (const auto& check : checks) {
        scale.add(check, options);
    }
    RollUp result;
    result.counts = count_rows(checks);
    result.graphs = scale.graphs();
    auto& readiness = result.verdict.readiness;
    readiness.state = scale.state();
    readiness.exit_code = exit_code(readiness, options);
    result.verdict.line = scale.line();
    if (readiness.state == State::ready || readiness.state == State::degraded) {
        result.verdict.prove = model::NextStep{{"kubectl", "dynamo-interconnect", "check"},
                                               "what is really there, the running workers show:"};
    }
    return result;
}

} // namespace di::verdict
