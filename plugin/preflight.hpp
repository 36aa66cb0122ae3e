// What the user may do, asked before anything is run: each worker's way into its container.
#pragma once

#include "base/clock.hpp"
#include "kube/client.hpp"
#include "model/inventory.hpp"

#include <cstdint>
#include <map>
#include <string_view>
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

/// For all reviews of a command: a person learns within three seconds what is missing.
constexpr Millis k_review_patience{2'400};

/// All questions at once. A review that is refused or late leaves its answer unknown.
Granted review(kube::Client& client, const std::string& ns, Millis patience = k_review_patience);

/// The uses that are denied, as `rbac` would grant them.
std::vector<kube::Use> denied_uses(const Granted& granted);

/// The route of each worker. A denial for all pods is not final, since a Role may name pods: then
/// each of the first hundred is asked about by name, and beyond them exec itself is tried.
std::vector<Route> routes(kube::Client& client,
                          const Granted& granted,
                          const std::vector<model::Worker>& workers,
                          Millis patience);

/// Adds what real calls were refused, in the API server's words: a review may say otherwise, or
/// nothing.
void learn_from_refusal(Granted& granted, std::string_view words);

} // namespace di::app
