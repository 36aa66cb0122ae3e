// A container's environment with the place that each value comes from, as the kubelet would make
// it from the files.
#pragma once

#include "model/api_objects.hpp"
#include "recipe/config_maps.hpp"
#include "recipe/pod_template.hpp"

#include <map>
#include <string>
#include <vector>

namespace di::recipe {

/// The pod's own address, and its node's, where the downward API will put them.
inline constexpr std::string_view k_pod_ip = "status.podIP";
inline constexpr std::string_view k_host_ip = "status.hostIP";

/// The entry that a variable's value comes from.
struct Origin {
    model::VarSource source = model::VarSource::literal;
    model::Place place;
    std::string unknown;        ///< why the files do not show the value; empty when they do
    bool is_secret = false;     ///< it comes from a Secret
    bool is_text = true;        ///< false: an unquoted number or boolean, which Kubernetes refuses
    bool hides_earlier = false; ///< the same list has an earlier entry of that name
};

struct ContainerReading {
    model::Container container; ///< with all layers of env, envFrom first
    std::map<std::string, Origin, std::less<>> origins;
    std::vector<std::string> absent_maps; ///< ConfigMaps of envFrom that are not among the files
};

/// `node` is the container; layers and secrets of the template lie below its own env.
ContainerReading read_container(const Node& node,
                                const PodTemplate& pod,
                                const ConfigMaps& maps,
                                const Asker& asker);

/// Text that stands for a value which somebody or something will fill in: ${X}, $(x), <your-hca>,
/// {{ x }}, @X@, CHANGE_ME.
bool is_placeholder(std::string_view value);

} // namespace di::recipe
