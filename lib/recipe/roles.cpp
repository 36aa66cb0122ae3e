// Roles of components, by the rules that live pods are judged by.
#include "base/strings.hpp"
#include "discover/role_of_name.hpp"
#include "recipe/component_reader.hpp"

#include <algorithm>
#include <map>

namespace di::recipe {
namespace {

using model::ComponentRole;
using model::Role;
using model::RoleSource;

std::optional<ComponentRole> role_of_type(const std::string& type) {
    if (type == "prefill") {
        return ComponentRole::prefill;
    }
    if (type == "decode") {
        return ComponentRole::decode;
    }
    if (type == "frontend") {
        return ComponentRole::frontend;
    }
    return type.empty() || type == "worker" ? std::nullopt : std::optional(ComponentRole::other);
}

ComponentRole as_component(Role role) {
    switch (role) {
    case Role::prefill:
        return ComponentRole::prefill;
    case Role::decode:
        return ComponentRole::decode;
    case Role::worker:
        return ComponentRole::worker;
    case Role::encode:
        break;
    }
    return ComponentRole::other;
}

Role as_worker(ComponentRole role) {
    return role == ComponentRole::prefill  ? Role::prefill
           : role == ComponentRole::decode ? Role::decode
                                           : Role::worker;
}

void assign(Draft& draft, ComponentRole role, RoleSource source) {
    draft.component.role = role;
    draft.component.worker.role = as_worker(role);
    draft.component.worker.role_source = source;
}

/// Does it look like an engine at all? A patch need not show one.
bool may_serve(const Draft& draft) {
    return draft.runs_engine || draft.type == "worker" || draft.component.partial ||
           draft.component.worker.spec.gpus > 0 ||
           draft.component.worker.backend != model::Backend::unknown;
}

void assign_own(Draft& draft) {
    if (const auto declared = role_of_type(draft.type)) {
        assign(draft, *declared, RoleSource::label);
    } else if (draft.serves_frontend && !draft.runs_engine) {
        assign(draft, ComponentRole::frontend, RoleSource::args);
    } else if (!may_serve(draft)) {
        assign(draft, ComponentRole::other, RoleSource::label);
    } else if (draft.argument_role) {
        assign(draft, as_component(*draft.argument_role), RoleSource::args);
    } else if (const auto named = discover::role_of_name(draft.component.name)) {
        assign(draft, as_component(*named), RoleSource::name);
    } else if (contains_ignoring_case(draft.component.name, "frontend")) {
        assign(draft, ComponentRole::frontend, RoleSource::name);
    } else {
        assign(draft, ComponentRole::worker, RoleSource::label);
    }
}

/// "name/worker" of a LeaderWorkerSet without a command of its own is what "name/leader" is.
void follow_leaders(std::vector<Draft>& drafts) {
    std::map<std::string, const Draft*> leaders;
    for (const auto& draft : drafts) {
        const auto& worker = draft.component.worker;
        if (worker.group && draft.component.name.ends_with("/leader")) {
            leaders.emplace(draft.component.group + *worker.group, &draft);
        }
    }
    for (auto& draft : drafts) {
        auto& worker = draft.component.worker;
        const auto found =
            worker.group ? leaders.find(draft.component.group + *worker.group) : leaders.end();
        if (found == leaders.end() || found->second == &draft) {
            continue;
        }
        const auto& leader = found->second->component;
        if (!draft.argument_role && draft.component.role != leader.role) {
            assign(draft, leader.role, RoleSource::group);
        }
        if (!draft.runs_engine) {
            worker.backend = leader.worker.backend;
            worker.spec.arguments = leader.worker.spec.arguments; // it is started by the leader
            worker.spec.engine_config = leader.worker.spec.engine_config;
        }
    }
}

/// Before roles were declared, recipes put a flag on the prefill engine and none on the decode one.
void pair_flagless(std::vector<Draft>& drafts) {
    struct Sides {
        bool prefill = false;
        bool decode = false;
    };

    std::map<std::string, Sides> groups;
    for (const auto& draft : drafts) {
        auto& sides = groups[draft.component.group];
        sides.prefill = sides.prefill || draft.component.role == ComponentRole::prefill;
        sides.decode = sides.decode || draft.component.role == ComponentRole::decode;
    }
    for (auto& draft : drafts) {
        const auto& sides = groups[draft.component.group];
        const bool plain = draft.component.role == ComponentRole::worker && !draft.argument_role;
        if (plain && sides.prefill && !sides.decode) {
            assign(draft, ComponentRole::decode, RoleSource::group);
        }
    }
}

} // namespace

void assign_roles(std::vector<Draft>& drafts) {
    for (auto& draft : drafts) {
        assign_own(draft);
    }
    follow_leaders(drafts);
    pair_flagless(drafts);
}

} // namespace di::recipe
