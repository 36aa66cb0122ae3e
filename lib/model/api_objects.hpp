// API objects, reduced to the fields that discovery reads. Decoded by lib/kube; absent text is "".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace di::model {

using StringMap = std::map<std::string, std::string, std::less<>>;

struct EnvEntry {
    std::string name;
    std::optional<std::string> value; ///< none: the value comes by reference (valueFrom)
};

struct Container {
    std::string name;
    std::string image;
    std::vector<std::string> command;
    std::vector<std::string> args;
    std::vector<EnvEntry> env;
    StringMap limits; ///< resource name -> quantity; limits, completed by requests
    std::vector<std::string> claims;
    bool privileged = false;
};

enum class ContainerPhase : std::uint8_t { unknown, waiting, running, terminated };

struct ContainerStatus {
    std::string name;
    ContainerPhase phase = ContainerPhase::unknown;
    std::string reason; ///< CrashLoopBackOff, ImagePullBackOff, ...
    std::string message;
    int restarts = 0;
    bool ready = false;
    std::optional<int> exit_code; ///< when terminated
    std::string last_end; ///< how the previous run ended: "OOMKilled, exit code 137"; may be ""
};

struct Condition {
    std::string type;
    std::string status; ///< True, False, Unknown
    std::string reason;
    std::string message;
};

struct Pod {
    std::string ns;
    std::string name;
    StringMap labels;
    StringMap annotations;
    bool deleting = false; ///< metadata.deletionTimestamp is set
    std::string node;
    std::string pod_ip;
    std::string phase; ///< Pending, Running, Succeeded, Failed, Unknown
    std::string reason;
    std::string message;
    bool host_network = false;
    bool host_pid = false;
    std::vector<Container> containers; ///< regular ones; init and ephemeral ones are not entered
    std::vector<ContainerStatus> statuses;
    std::vector<ContainerStatus> init_statuses;
    std::vector<Condition> conditions;
};

/// One component (v1beta1) or service (v1alpha1) of a DynamoGraphDeployment.
struct GraphComponent {
    std::string name;
    std::string type;     ///< componentType / type
    std::string sub_type; ///< subComponentType
    std::optional<int> replicas;
    std::optional<int> nodes_per_replica; ///< multinode.nodeCount
};

struct GraphDeployment {
    std::string ns;
    std::string name;
    std::string state;     ///< status.state: initializing, pending, successful, failed
    std::string framework; ///< spec.backendFramework
    std::vector<GraphComponent> components;
    std::vector<Condition> conditions;
};

} // namespace di::model
