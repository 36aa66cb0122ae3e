// What the user may do, asked before anything is run: each worker's way into its container.
#pragma once

#include "kube/client.hpp"
#include "model/inventory.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace di::app {

/// How a worker's container is entered.
enum class Route : std::uint8_t {
    websocket, ///< GET: allowed, or not known to be denied
    kubectl,   ///< POST by `kubectl exec`: only the verb create is granted
    denied,    ///< neither verb is granted
};

/// What the API server said of the verbs that a command needs, in one namespace or in all.
using Granted = std::map<kube::Use, kube::Access>;

/// All questions at once. A review that is refused or late leaves its answer unknown.
Granted review(kube::Client& client, const std::string& ns);

/// The uses that are denied, as `rbac` would grant them.
std::vector<kube::Use> denied_uses(const Granted& granted);

/// The route of each worker. A denial for all pods is not final, since a Role may name pods: then
/// each of the first hundred is asked about by name, and beyond them exec itself is tried.
std::vector<Route>
routes(kube::Client& client, const Granted& granted, const std::vector<model::Worker>& workers);

} // namespace di::app
