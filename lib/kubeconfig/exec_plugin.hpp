// Credential plugins: programs that print an ExecCredential of client.authentication.k8s.io
// (k8s.io/client-go/plugin/pkg/client/auth/exec), v1 and v1beta1.
#pragma once

#include "base/result.hpp"
#include "kubeconfig/config.hpp"
#include "kubeconfig/surroundings.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace di::kubeconfig {

/// `spec.cluster` of the ExecCredential that a plugin gets, when it asks for it.
struct ClusterInfo {
    Cluster cluster;
    std::string ca_pem;
};

/// Runs the plugin once. ErrorKind::auth with the plugin's install hint when it is not there.
Result<model::Credentials>
run_plugin(const ExecPlugin& plugin, const ClusterInfo& cluster, const Surroundings& surroundings);

/// The value of KUBERNETES_EXEC_INFO.
std::string make_exec_info(const ExecPlugin& plugin, const ClusterInfo& cluster, Stdin input);

/// What a plugin printed, JSON or YAML. `now` turns the expiry into a lifetime.
Result<model::Credentials> parse_exec_credential(std::string_view text,
                                                 const std::string& api_version,
                                                 std::chrono::system_clock::time_point now);

} // namespace di::kubeconfig
