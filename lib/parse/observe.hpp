// RawResult -> PodObservation: everything that one exec showed, each fact with its own reason.
#pragma once

#include "model/inventory.hpp"
#include "model/observation.hpp"
#include "model/probe.hpp"

#include <string_view>

namespace di::parse {

/// Reads the probe script's output. An exec that was refused shows nothing, and each field says
/// why. One that was cut, cancelled or ran out of time keeps the sections that were closed. The
/// effective environment is the engine's, else the exec session's, else, after a whole probe, the
/// literal values of the pod's spec, unless variables of interest come by reference there. `worker`
/// is left 0: the caller knows the index.
model::PodObservation
observe(const model::Worker& worker, const model::RawResult& result, std::string_view nonce);

} // namespace di::parse
