// Candidates by graph, with what the graph's own object asks for. Internal to the room.
#pragma once

#include "discover/candidate.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace di::discover {

/// Prefill or decode pods of one graph, filters aside.
struct Side {
    std::vector<const Candidate*> running;
    std::vector<const Candidate*> waiting; ///< not running, or without container
    bool seen = false;                     ///< any pod at all, completed and leaving ones included
};

using Generation = std::optional<std::string>;

struct GraphView {
    std::string ns;
    std::optional<std::string> name;
    std::string dynamo_namespace;
    std::vector<const Candidate*> members;        ///< filtered ones included
    const model::GraphDeployment* spec = nullptr; ///< when it could be read
    bool disagg = false;
    bool may_hide_pods = false; ///< the server's selection may have left out some of its pods
    bool selected = false;      ///< has a member that no filter leaves out, or should have some

    [[nodiscard]] Side side(model::Role role) const;

    /// Generations of the members that live, with those that run both sides marked true.
    [[nodiscard]] std::map<Generation, bool> generations() const;

    /// For messages: its name, or what else tells it apart.
    [[nodiscard]] std::string title() const;
};

/// Graphs of the candidates, and graphs that ask for both sides and have no pod at all.
std::vector<GraphView> make_graphs(const std::vector<Candidate>& candidates,
                                   const ApiObjects& objects,
                                   const Selection& selection);

/// prefill, decode, worker, encode; nothing for frontends and the like. By type, else by name.
std::optional<model::Role> role_of_component(const model::GraphComponent& component);

/// True on a path that KV cache takes: prefill and decode workers of a split graph.
bool is_on_path(const GraphView& graph, const Candidate& candidate);

} // namespace di::discover
