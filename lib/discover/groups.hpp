// Multi-node groups: pods that run one engine together (Grove scaling groups, LeaderWorkerSets).
#pragma once

#include "model/api_objects.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace di::discover {

struct GroupPlace {
    std::string group; ///< namespace and group, opaque
    std::optional<int> rank;
};

/// Grove: the replica of the PodCliqueScalingGroup, for -ldr and -wkr cliques; the rank is 0, or
/// the pod's index + 1. LWS: set and group index; the rank is the worker index. A LeaderWorkerSet
/// group of size 1 is none. `size_if_unsaid` is used when the pod does not tell its group's size.
std::optional<GroupPlace> group_of(const model::Pod& pod, std::size_t size_if_unsaid);

/// What pods of one LeaderWorkerSet group have in common; "" when the pod is in none.
std::string lws_group(const model::Pod& pod);

} // namespace di::discover
