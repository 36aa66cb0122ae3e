#include "discover/pod_state.hpp"

#include "discover/container_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::discover {
namespace {

using model::Container;
using model::ContainerPhase;
using model::ContainerStatus;
using model::NotProbedReason;
using model::Pod;

/// Runs of white space become one space: messages of schedulers and kubelets hold newlines.
std::string one_line(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!space) {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    if (!line.empty() && line.back() == ' ') {
        line.pop_back();
    }
    return line;
}

/// "Cause: message", either of which may be missing.
std::string explain(std::string_view cause, std::string_view message) {
    const std::string line = one_line(message);
    if (line.empty()) {
        return std::string(cause);
    }
    return cause.empty() ? line : fmt::format("{}: {}", cause, line);
}

/// What a container that does not run says of itself.
PodState describe(const ContainerStatus& status) {
    PodState state;
    state.reason = NotProbedReason::not_running;
    state.container = status.name;
    const bool ended = status.phase == ContainerPhase::terminated;
    state.cause = !status.reason.empty() ? status.reason : ended ? "terminated" : "waiting";
    state.detail = explain(state.cause, status.message);
    if (ended && status.exit_code) {
        state.detail += fmt::format(" (exit code {})", *status.exit_code);
    }
    if (!status.last_end.empty()) {
        state.detail += fmt::format(" (last run: {})", status.last_end);
    }
    const bool restarts =
        status.restarts > 0 || !status.last_end.empty() || status.reason == "CrashLoopBackOff";
    if (ended) {
        state.look_at = LookAt::logs;
    } else if (restarts) {
        state.look_at = LookAt::previous_logs;
    }
    return state;
}

/// A condition that keeps the pod from its node: SchedulingGated, Unschedulable.
std::optional<PodState> not_scheduled(const Pod& pod) {
    for (const model::Condition& condition : pod.conditions) {
        if (condition.type == "PodScheduled" && condition.status == "False") {
            PodState state;
            state.cause = condition.reason.empty() ? "not scheduled" : condition.reason;
            state.detail = explain(state.cause, condition.message);
            return state;
        }
    }
    return std::nullopt;
}

/// The init container that the others wait for. One that is ready has ended well, or is a sidecar.
std::optional<PodState> initializing(const Pod& pod, const ContainerStatus* status) {
    const bool waits = status == nullptr || status->reason == "PodInitializing" ||
                       status->phase == ContainerPhase::unknown;
    const auto found = std::find_if(pod.init_statuses.begin(),
                                    pod.init_statuses.end(),
                                    [](const ContainerStatus& init) { return !init.ready; });
    if (!waits || pod.phase != "Pending" || found == pod.init_statuses.end()) {
        return std::nullopt;
    }
    PodState state = describe(*found);
    if (found->phase == ContainerPhase::running) {
        state.cause = "PodInitializing";
        state.detail = fmt::format("PodInitializing: init container {} is running", found->name);
        state.look_at = LookAt::logs;
    } else {
        state.cause = "Init:" + state.cause;
        state.detail =
            fmt::format("PodInitializing: init container {}: Init:{}", found->name, state.detail);
    }
    return state;
}

PodState not_running(const Pod& pod, const ContainerStatus* status) {
    if (const auto state = not_scheduled(pod)) {
        return *state;
    }
    if (const auto state = initializing(pod, status)) {
        return *state;
    }
    const bool known = status != nullptr && status->phase != ContainerPhase::unknown &&
                       status->phase != ContainerPhase::running;
    if (known && pod.phase != "Unknown") {
        return describe(*status);
    }
    PodState state;
    const std::string phase = pod.phase.empty() ? "no status yet" : pod.phase;
    state.cause = pod.reason.empty() ? phase : pod.reason;
    state.detail =
        explain(pod.reason.empty() ? phase : fmt::format("{}: {}", phase, pod.reason), pod.message);
    return state;
}

PodState completed(const Pod& pod, const ContainerStatus* status) {
    PodState state;
    state.cause = pod.reason.empty() ? pod.phase : pod.reason;
    state.detail = explain(
        pod.reason.empty() ? pod.phase : fmt::format("{}: {}", pod.phase, pod.reason), pod.message);
    if (pod.reason.empty() && status != nullptr && !status->reason.empty()) {
        state.detail += fmt::format(" ({})", describe(*status).detail);
    }
    return state;
}

} // namespace

PodState state_of(const Pod& pod, const Container* container) {
    const auto* status = container == nullptr ? nullptr : find_status(pod, container->name);
    PodState state;
    if (pod.deleting) {
        state.reason = NotProbedReason::terminating;
        state.cause = "Terminating";
        state.detail = explain("Terminating: deletion was requested", pod.reason);
    } else if (pod.phase == "Succeeded" || pod.phase == "Failed") {
        state = completed(pod, status);
        state.reason = NotProbedReason::completed;
    } else if (container == nullptr) {
        state.reason = NotProbedReason::no_container;
        state.cause = "no container";
        state.detail = "the pod has no container that could be entered";
    } else if (pod.phase != "Running" ||
               (status != nullptr && status->phase != ContainerPhase::unknown &&
                status->phase != ContainerPhase::running)) {
        state = not_running(pod, status);
        state.reason = NotProbedReason::not_running;
    }
    return state;
}

} // namespace di::discover
