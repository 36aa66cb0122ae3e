// One item of a list, by kind.
#pragma once

#include "model/api_objects.hpp"

#include <rapidjson/document.h>

namespace di::kube {

/// api/core/v1 Pod: the fields of model::Pod, init and ephemeral containers left aside.
model::Pod decode_pod(const rapidjson::Value& item);

/// DynamoGraphDeployment: `spec.services` (v1alpha1, a map) or `spec.components` (v1beta1, a list).
model::GraphDeployment decode_graph(const rapidjson::Value& item);

} // namespace di::kube
