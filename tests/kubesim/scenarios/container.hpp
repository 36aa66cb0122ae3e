// The engine's container as the pod's spec states it; the processes inside see the same.
#pragma once

#include "kubesim/scenarios/vocabulary.hpp"

#include <string>
#include <vector>

namespace di::kubesim::scenarios {

constexpr const char* k_namespace = "dynamo-demo";

/// One entry of a container's env: a value, or where the kubelet takes it from.
struct EnvVar {
    std::string name;
    std::string value;
    std::string field_path; ///< metadata.name, ...: valueFrom.fieldRef
    std::string secret;     ///< name of the Secret: valueFrom.secretKeyRef
};

/// A pod's place in its component.
struct Place {
    std::string pod;
    int replica = 0;
    int rank = 0; ///< in a multi-node group; 0 leads
};

std::vector<EnvVar>
container_env(const Scenario& scenario, const Component& component, const Place& place);

/// command + args of the container.
std::vector<std::string> container_command(const Component& component);
std::vector<std::string> container_args(const Component& component, int rank);

/// The engine's own argv, without the launcher.
std::vector<std::string> engine_argv(const Component& component, int rank);

/// The environment of a process in the container: the image's, the spec's and what the launcher
/// exported, with secrets among them.
Pairs process_environ(const Scenario& scenario, const Component& component, const Place& place);

/// The hash of a component's worker generation.
std::string worker_hash(const Scenario& scenario);

/// Kubernetes name of the Dynamo namespace: <namespace>-<graph>.
std::string dynamo_namespace(const Scenario& scenario);

} // namespace di::kubesim::scenarios
