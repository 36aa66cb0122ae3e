// The network half of discovery: lists what discover::inventory needs.
#pragma once

#include "base/result.hpp"
#include "cli/invocation.hpp"
#include "model/inventory.hpp"
#include "session.hpp"

namespace di::app {

/// ErrorKind::not_found when there is no worker to be seen or explained, naming the namespace and
/// what was looked for. A refused list of DynamoGraphDeployments is a row, not an error.
Result<model::Inventory> take_inventory(Session& session, const cli::Invocation& invocation);

} // namespace di::app
