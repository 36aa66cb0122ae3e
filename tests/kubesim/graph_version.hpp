// DynamoGraphDeployments in the version that a client asks for.
#pragma once

#include <string>
#include <string_view>

namespace di::kubesim {

/// The object's JSON as the operator's conversion webhook would give it: v1beta1's list
/// `spec.components` (name, type, env, podTemplate) becomes v1alpha1's map `spec.services`
/// (componentType, envs, extraPodSpec). Any other pair of versions leaves the object as it is.
std::string
convert_graph(const std::string& json, std::string_view stored, std::string_view wanted);

} // namespace di::kubesim
