// The plan carried out: each task by the route that its worker allows, the results in one order.
#pragma once

#include "cli/invocation.hpp"
#include "deps.hpp"
#include "preflight.hpp"
#include "probe/fan_out.hpp"
#include "session.hpp"

#include <vector>

namespace di::app {

/// Runs every task whose route is open. One that is denied is refused without a request; one for
/// kubectl is refused, too, when there is no kubectl or it would have to be given a secret.
probe::FanOut run_probes(Session& session,
                         const model::Plan& plan,
                         const std::vector<Route>& routes,
                         const cli::Invocation& invocation,
                         const Deps& deps,
                         Instant started);

} // namespace di::app
