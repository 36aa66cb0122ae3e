// Keys that the Dynamo operator, Grove and LeaderWorkerSet put on pods
// (ai-dynamo/dynamo deploy/operator/internal/consts/consts.go, ai-dynamo/grove
// operator/api/common/labels.go, kubernetes-sigs/lws api/leaderworkerset/v1).
#pragma once

#include "model/api_objects.hpp"

#include <string_view>

namespace di::discover {

inline constexpr std::string_view k_graph_label = "nvidia.com/dynamo-graph-deployment-name";
inline constexpr std::string_view k_component_label = "nvidia.com/dynamo-component";
inline constexpr std::string_view k_type_label = "nvidia.com/dynamo-component-type";
inline constexpr std::string_view k_sub_type_label = "nvidia.com/dynamo-sub-component-type";
inline constexpr std::string_view k_dynamo_namespace_label = "nvidia.com/dynamo-namespace";
inline constexpr std::string_view k_generation_label = "nvidia.com/dynamo-worker-hash";
inline constexpr std::string_view k_main_container = "nvidia.com/dynamo-main-container-name";

inline constexpr std::string_view k_grove_clique = "grove.io/podclique";
inline constexpr std::string_view k_grove_pod_index = "grove.io/podclique-pod-index";
inline constexpr std::string_view k_grove_group = "grove.io/podcliquescalinggroup";
inline constexpr std::string_view k_grove_group_index =
    "grove.io/podcliquescalinggroup-replica-index";

inline constexpr std::string_view k_lws_name = "leaderworkerset.sigs.k8s.io/name";
inline constexpr std::string_view k_lws_group_index = "leaderworkerset.sigs.k8s.io/group-index";
inline constexpr std::string_view k_lws_worker_index = "leaderworkerset.sigs.k8s.io/worker-index";
inline constexpr std::string_view k_lws_size = "leaderworkerset.sigs.k8s.io/size";

/// The value, or "" when the key is absent: an empty label says as little as none.
inline std::string_view value_of(const model::StringMap& map, std::string_view key) {
    const auto found = map.find(key);
    return found == map.end() ? std::string_view() : std::string_view(found->second);
}

} // namespace di::discover
