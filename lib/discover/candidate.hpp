// A pod that may be a worker, with all that its own object says. Internal to the room.
#pragma once

#include "discover/inventory.hpp"
#include "discover/pod_state.hpp"
#include "discover/role_of_name.hpp"

#include <optional>
#include <string>
#include <vector>

namespace di::discover {

struct Candidate {
    const model::Pod* pod = nullptr;
    model::Worker worker;     ///< role, group and backend are completed by assign_roles
    PodState state;           ///< by the rules' own choice of container: does it run?
    PodState entry;           ///< of the container to enter, which --container may have changed
    bool has_type = false;    ///< carries a component type label
    bool runs_engine = false; ///< an engine command is seen, or an engine's flags
    std::optional<model::Role> label_role;    ///< prefill, decode or encode, never worker
    std::optional<model::Role> argument_role; ///< worker when the arguments say aggregated
    bool is_guess = false;                    ///< the role rests on a name, or on its neighbours
    std::optional<std::string> filter;        ///< the filter that leaves it out: "--role prefill"
};

/// The workers among the pods, before filters, ordered by namespace and name.
std::vector<Candidate> find_candidates(const ApiObjects& objects, const Selection& selection);

/// Decides each role from labels, arguments, names and multi-node groups, in this order.
void assign_roles(std::vector<Candidate>& candidates);

} // namespace di::discover
