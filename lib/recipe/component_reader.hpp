// One pod template to one component. Internal to the room.
#pragma once

#include "discover/command_line.hpp"
#include "recipe/container_reading.hpp"
#include "recipe/engine_files.hpp"

#include <optional>
#include <vector>

namespace di::recipe {

/// A component with what its role is drawn from.
struct Draft {
    model::Component component;
    std::string type;                         ///< declared, may be empty
    std::optional<model::Role> argument_role; ///< worker: the arguments say aggregated
    bool runs_engine = false;
    bool serves_frontend = false;
    bool is_graph = false;
    std::map<std::string, Origin, std::less<>> origins; ///< of transport variables
    std::vector<std::string> absent_maps;
};

/// Is the object whole, or a patch of one?
enum class Whole : std::uint8_t { no, yes };

/// Nothing for a workload that neither runs an engine nor sets a transport variable.
std::optional<Draft>
read_draft(const Object& object, const PodTemplate& pod, const ConfigMaps& maps, Whole whole);

/// Decides each role: declared type, arguments, name; a plain worker beside a prefill worker alone
/// is decode; the other pods of a multi-node group follow their leader.
void assign_roles(std::vector<Draft>& drafts);

} // namespace di::recipe
