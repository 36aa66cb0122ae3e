// From how an exec conversation ended to a RawResult. Pure.
#pragma once

#include "model/probe.hpp"
#include "ws/exec_session.hpp"

#include <string>
#include <string_view>

namespace di::kube {

/// A message without the task's argv, which API servers, runtimes and kubectl repeat in theirs: Go
/// prints a list as [a b c] or ["a" "b"].
std::string without_command(std::string message, const model::ProbeTask& task);

/// Outcome, exit code, refusal, detail and retryable; output and duration are the caller's. An
/// API server answers before the upgrade or, since Kubernetes 1.30, on channel 3: both give the
/// same result. `detail` never repeats the command that was to run. `out` is what the command
/// printed: some runtimes report a missing program as exit code 126 or 127 and their own words.
model::RawResult
classify(const ws::Ended& ended, const model::ProbeTask& task, std::string_view out = {});

/// For an exec that found no connection.
model::RawResult classify(const Error& failure);

} // namespace di::kube
