// The environment that a container's spec gives it, as the kubelet makes it.
#pragma once

#include "model/api_objects.hpp"
#include "model/inventory.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace di::discover {

struct ContainerEnv {
    model::EnvMap values;
    std::vector<std::string> unresolved; ///< set by reference, or from a value that is
};

/// Entries in order; a later one of the same name wins.
ContainerEnv read_env(const model::Container& container);

/// `$(NAME)` replaced, `$$` made a `$`; names without a known value stay as they are written
/// (k8s.io/kubernetes third_party/forked/golang/expansion).
std::string expand(std::string_view text, const ContainerEnv& env);

} // namespace di::discover
