// From how an exec conversation ended to a RawResult. Pure.
#pragma once

#include "model/probe.hpp"
#include "ws/exec_session.hpp"

namespace di::kube {

/// Outcome, exit code, refusal, detail and retryable; output and duration are the caller's. An
/// API server answers before the upgrade or, since Kubernetes 1.30, on channel 3: both give the
/// same result. `detail` never repeats the command that was to run.
model::RawResult classify(const ws::Ended& ended, const model::ProbeTask& task);

/// For an exec that found no connection.
model::RawResult classify(const Error& failure);

} // namespace di::kube
