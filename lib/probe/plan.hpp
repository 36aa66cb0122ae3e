// Inventory -> Plan: one exec per worker, in the inventory's order. Pure.
#pragma once

#include "model/inventory.hpp"
#include "model/probe.hpp"

#include <string>

namespace di::probe {

/// One task per worker: `sh -c SCRIPT NONCE`, so that the API server's audit log shows exactly what
/// ran. `nonce` marks this run's sections and must be fresh and unguessable.
model::Plan make_plan(const model::Inventory& inventory, std::string nonce);

} // namespace di::probe
