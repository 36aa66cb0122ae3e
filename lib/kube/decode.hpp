// Kubernetes list pages, from JSON text to model values. Pure.
//
// Format: api/core/v1 PodList and NodeList, and DynamoGraphDeploymentList of nvidia.com/v1alpha1
// and v1beta1. A field of the wrong type reads as absent; an item without a name is an error.
#pragma once

#include "base/result.hpp"
#include "kube/permissions.hpp"
#include "model/api_objects.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace di::kube {

template<class T> struct Page {
    std::vector<T> items;
    std::string continue_token; ///< "" on the last page
};

/// Errors are of kind parse and name the list, and for broken JSON the byte offset.
Result<Page<model::Pod>> decode_pods(std::string_view json);

/// Both served versions; which one is seen by the layout of each item.
Result<Page<model::GraphDeployment>> decode_graphs(std::string_view json);

/// The status of a SelfSubjectAccessReview (authorization.k8s.io/v1); unknown when it has none, or
/// when the authorizers could not tell.
Access decode_review(std::string_view json);

Result<Page<std::string>> decode_node_names(std::string_view json);

} // namespace di::kube
