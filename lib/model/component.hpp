// One component of a manifest: a service of a graph, or a workload, with the environment that its
// engine really gets. Made by the recipe reader, judged like a worker.
#pragma once

#include "model/inventory.hpp"
#include "model/seen.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::model {

/// Wider than Role: a manifest also has components that move no KV.
enum class ComponentRole : std::uint8_t { prefill, decode, worker, frontend, other };

std::string_view to_string(ComponentRole role);

/// Where a variable gets its value.
enum class VarSource : std::uint8_t {
    literal,    ///< env of the container, component or service
    graph_env,  ///< env of the whole graph
    config_map, ///< one key of a ConfigMap among the files
    env_from,   ///< a whole ConfigMap among the files
    value_from, ///< by reference, not resolved
    args,       ///< shell text or `env NAME=VALUE` in args
    command,    ///< the same in command
};

std::string_view to_string(VarSource source); ///< "literal", "graph-env", "configMap", ...

/// A place in a file; the line counts from 1, 0 when it is not known.
struct Place {
    std::string file;
    int line = 0;
    friend bool operator==(const Place&, const Place&) = default;
};

std::string to_text(const Place& place); ///< "deploy.yaml:56", or the file alone

/// One transport variable of a component. Variables of other names are never kept.
struct ComponentVar {
    Seen<std::string> value; ///< or why nobody knows it from the files
    VarSource source = VarSource::literal;
    Place place;
    bool redacted = false; ///< the value is withheld
    Status status = Status::skipped;
    std::optional<SkipReason> reason; ///< set when skipped
    friend bool operator==(const ComponentVar&, const ComponentVar&) = default;
};

struct Component {
    std::string name;
    std::optional<std::string> graph; ///< the DynamoGraphDeployment's name
    ComponentRole role = ComponentRole::other;
    Place place;
    std::string container;
    /// What is deployed together: one graph, or the plain workloads of one folder. Opaque; tells
    /// variants apart that share a graph's name.
    std::string group;
    bool partial = false; ///< a patch: what it leaves out is set elsewhere
    std::map<std::string, ComponentVar> vars;
    /// The same as the judge sees a worker: `ns` is the group, `pod` the component's name.
    Worker worker;
    std::map<std::string, Unseen, std::less<>> unknown; ///< transport variables without a value
};

/// Prefill, decode and plain workers: those that KV may leave.
inline bool is_worker(ComponentRole role) {
    return role == ComponentRole::prefill || role == ComponentRole::decode ||
           role == ComponentRole::worker;
}

} // namespace di::model
