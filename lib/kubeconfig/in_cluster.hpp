// Inside a pod: the service account's files and the variables of the `kubernetes` service.
#pragma once

#include "kubeconfig/select.hpp"
#include "kubeconfig/surroundings.hpp"

#include <optional>
#include <string>

namespace di::kubeconfig {

/// Nothing unless KUBERNETES_SERVICE_HOST and _PORT are set and the token file is there.
/// `selection` gives what flags have set already.
std::optional<Selection> select_in_cluster(Selection selection, const Surroundings& surroundings);

/// POD_NAMESPACE, else the service account's namespace; "" when not in a cluster.
std::string in_cluster_namespace(const Surroundings& surroundings);

} // namespace di::kubeconfig
