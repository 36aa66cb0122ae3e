#include "recipe/components.hpp"

#include "base/strings.hpp"
#include "recipe/component_reader.hpp"
#include "recipe/kinds.hpp"
#include "recipe/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace di::recipe {
namespace {

using model::Check;
using model::ComponentRole;
using model::SkipReason;
using model::Status;

Check row(const model::Component& component, RuleId id, Status status, std::string detail) {
    Check check;
    check.name = rule(id).name;
    check.code = rule(id).code;
    check.status = status;
    check.subject = {model::SubjectKind::component,
                     component.group,
                     component.name,
                     component.graph.value_or("")};
    check.detail = std::move(detail);
    return check;
}

void add_next(Check& check, const model::Place& place, RuleId id) {
    check.facts.set("file", place.file).set("line", place.line);
    check.next = model::NextStep{{"vi", fmt::format("+{}", std::max(place.line, 1)), place.file},
                                 std::string(rule(id).fix)};
}

void judge_entries(const Draft& draft, std::vector<Check>& checks) {
    const auto& component = draft.component;
    for (const auto& [name, origin] : draft.origins) {
        const auto about = [&, &name = name, &origin = origin](RuleId id, std::string_view what) {
            auto check = row(component, id, Status::warn, fmt::format("{} {}", name, what));
            check.facts.set("variable", name);
            add_next(check, origin.place, id);
            checks.push_back(std::move(check));
        };
        if (!origin.is_text) {
            about(RuleId::not_text,
                  "is not a text (an unquoted number or boolean): the API server refuses it");
        }
        if (origin.hides_earlier) {
            about(RuleId::hidden_entry, "is set twice in one list: the last entry wins");
        }
    }
    for (const auto& map : draft.absent_maps) {
        auto check =
            row(component,
                RuleId::absent_map,
                Status::skipped,
                fmt::format("envFrom takes ConfigMap {}, which is not among the files", map));
        check.reason = SkipReason::unreadable;
        add_next(check, component.place, RuleId::absent_map);
        checks.push_back(std::move(check));
    }
}

/// Plain workloads belong together only where each role is played by one of them; the pods of a
/// LeaderWorkerSet are one.
void part_plain_workloads(std::vector<Draft>& drafts) {
    std::map<std::pair<std::string, ComponentRole>, std::set<std::string>> players;
    const auto workload = [](const Draft& draft) {
        return draft.component.name.substr(0, draft.component.name.find('/'));
    };
    for (const auto& draft : drafts) {
        players[{draft.component.group, draft.component.role}].insert(workload(draft));
    }
    const auto several = [&](const std::string& group, ComponentRole role) {
        const auto found = players.find({group, role});
        return found != players.end() && found->second.size() > 1;
    };
    std::set<std::string> mixed;
    for (const auto& draft : drafts) {
        const auto& group = draft.component.group;
        const bool alone = draft.component.role == ComponentRole::worker;
        if (!draft.component.graph && (alone || several(group, ComponentRole::prefill) ||
                                       several(group, ComponentRole::decode))) {
            mixed.insert(alone ? group + workload(draft) : group);
        }
    }
    for (auto& draft : drafts) {
        auto& component = draft.component;
        if (mixed.count(component.group) > 0 ||
            mixed.count(component.group + workload(draft)) > 0) {
            component.group += workload(draft);
            component.worker.ns = component.group;
        }
    }
}

void add_drafts(const std::vector<Object>& objects,
                const ConfigMaps& maps,
                Whole whole,
                std::vector<Draft>& drafts) {
    for (const auto& object : objects) {
        for (const auto& pod : templates_of(object)) {
            if (auto draft = read_draft(object, pod, maps, whole)) {
                drafts.push_back(std::move(*draft));
            }
        }
    }
}

} // namespace

ComponentList read_components(const std::vector<Object>& objects,
                              const std::vector<Object>& patches) {
    const ConfigMaps maps(objects);
    std::vector<Draft> drafts;
    add_drafts(objects, maps, Whole::yes, drafts);
    add_drafts(patches, maps, Whole::no, drafts);
    assign_roles(drafts);
    part_plain_workloads(drafts);
    ComponentList result;
    for (auto& draft : drafts) {
        if (is_worker(draft.component.role)) {
            judge_entries(draft, result.checks);
        }
        result.components.push_back(std::move(draft.component));
    }
    return result;
}

} // namespace di::recipe
