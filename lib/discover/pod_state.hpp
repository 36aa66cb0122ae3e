// Whether a pod can be entered, and if not, why: in the words of `kubectl get pods`.
#pragma once

#include "model/api_objects.hpp"
#include "model/inventory.hpp"

#include <optional>
#include <string>

namespace di::discover {

/// What a person looks at next when a pod cannot be entered.
enum class LookAt : std::uint8_t { description, logs, previous_logs };

struct PodState {
    std::optional<model::NotProbedReason> reason; ///< none: the container can be entered
    std::string cause;     ///< one term: CrashLoopBackOff, SchedulingGated, Evicted
    std::string detail;    ///< the cause and what was said about it; one line
    std::string container; ///< the one to look at; may be an init container, or empty
    LookAt look_at = LookAt::description;
};

/// The first that holds: being deleted, completed, without container, not running. `container` is
/// the one to be entered, or nullptr. Not being Ready does not matter.
PodState state_of(const model::Pod& pod, const model::Container* container);

} // namespace di::discover
