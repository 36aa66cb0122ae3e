// The kinds of objects that hold pod templates.
#pragma once

#include "recipe/objects.hpp"
#include "recipe/pod_template.hpp"

#include <vector>

namespace di::recipe {

/// Templates of one object: a DynamoGraphDeployment (v1alpha1 services, v1beta1 components), a
/// DynamoComponentDeployment, Deployment, StatefulSet, DaemonSet, ReplicaSet, LeaderWorkerSet, Pod
/// or PodCliqueSet. Jobs and everything else have none.
std::vector<PodTemplate> templates_of(const Object& object);

bool is_graph_kind(const Object& object);

} // namespace di::recipe
