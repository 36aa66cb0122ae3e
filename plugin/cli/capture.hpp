// The arguments of `judge`: a probe and its files, or a folder of pods.
#pragma once

#include "base/result.hpp"
#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/invocation.hpp"

namespace di::cli {

/// Fills invocation.capture from the flags and the positional argument. Errors are of kind usage;
/// an unknown probe is answered with the nearest known one.
Outcome take_capture(const CommandInfo& command, const RawFlags& raw, Invocation& invocation);

} // namespace di::cli
