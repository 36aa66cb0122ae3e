// One cluster, one user and a namespace out of a Config, with the flags on top. Pure.
#pragma once

#include "base/result.hpp"
#include "kubeconfig/config.hpp"
#include "kubeconfig/load.hpp"

#include <string>

namespace di::kubeconfig {

struct Selection {
    std::string context; ///< "" when none is selected
    std::string cluster_name;
    std::string user_name;
    Cluster cluster;
    User user;
    std::string ns; ///< "" when neither flag nor context names one
};

/// ErrorKind::config when a name leads nowhere, usage when a flag is malformed. Paths given by
/// flags are resolved against `working_directory`.
Result<Selection>
select(const Config& config, const Overrides& overrides, const std::string& working_directory);

/// A URL without query and fragment, its path clean; "host[:port]" is http, as in client-go, which
/// looks at what is set for TLS only later.
Result<std::string> complete_server(const std::string& server);

/// "ns/foo", "namespace/foo" and "namespaces/foo", in any case, mean "foo".
std::string strip_namespace_prefix(const std::string& text);

} // namespace di::kubeconfig
