#include "discover/container_choice.hpp"
#include "discover/pod_state.hpp"
#include "unit/discover/pods.hpp"

#include <catch2/catch.hpp>

using namespace di;
using namespace di::test;
using discover::LookAt;
using model::ContainerPhase;

namespace {

discover::PodState state(const model::Pod& pod) {
    return discover::state_of(pod, discover::choose_container(pod));
}

std::string reason(const discover::PodState& state) {
    return state.reason ? std::string(to_string(*state.reason)) : "enter";
}

model::ContainerStatus ended(std::string name, std::string reason, int exit_code) {
    auto made = status(std::move(name), ContainerPhase::terminated, std::move(reason));
    made.exit_code = exit_code;
    return made;
}

} // namespace

TEST_CASE("a pod's state is said in the words of kubectl", "[discover][state]") {
    struct Case {
        std::string_view why;
        model::Pod pod;
        std::string_view reason;
        std::string_view detail;
    };

    const auto row = GENERATE(values<Case>({
        {"running", PodBuilder("p"), "enter", ""},
        {"being deleted",
         PodBuilder("p").deleting(),
         "terminating",
         "Terminating: deletion was requested"},
        {"deleted while pending",
         PodBuilder("p").unscheduled("Unschedulable").deleting(),
         "terminating",
         "Terminating: deletion was requested"},
        {"completed", PodBuilder("p").phase("Succeeded"), "completed", "Succeeded"},
        {"failed", PodBuilder("p").phase("Failed"), "completed", "Failed"},
        {"evicted", PodBuilder("p").phase("Failed", "Evicted"), "completed", "Failed: Evicted"},
        {"no container",
         PodBuilder("p").containers({}),
         "no-container",
         "the pod has no container that could be entered"},
        {"no status yet", PodBuilder("p").phase(""), "not-running", "no status yet"},
        {"lost node",
         PodBuilder("p").phase("Unknown", "NodeLost"),
         "not-running",
         "Unknown: NodeLost"},
        {"gated",
         PodBuilder("p").unscheduled("SchedulingGated", "blocked"),
         "not-running",
         "SchedulingGated: blocked"},
        {"no node",
         PodBuilder("p").unscheduled("Unschedulable", "0/2 nodes:\n Insufficient\tgpu "),
         "not-running",
         "Unschedulable: 0/2 nodes: Insufficient gpu"},
        {"crashing",
         PodBuilder("p").waiting("CrashLoopBackOff", "back-off 5m0s"),
         "not-running",
         "CrashLoopBackOff: back-off 5m0s"},
        {"pulling",
         PodBuilder("p").phase("Pending").waiting("ImagePullBackOff"),
         "not-running",
         "ImagePullBackOff"},
        {"creating",
         PodBuilder("p").phase("Pending").waiting("ContainerCreating"),
         "not-running",
         "ContainerCreating"},
        {"waiting for no reason", PodBuilder("p").waiting(""), "not-running", "waiting"},
        {"unicode",
         PodBuilder("p").waiting("Error",
                                 "m\xc3\xb6"
                                 "del \xe2\x9c\x97"),
         "not-running",
         "Error: m\xc3\xb6"
         "del \xe2\x9c\x97"},
        {"pending, nothing said", PodBuilder("p").phase("Pending"), "not-running", "Pending"},
    }));
    CAPTURE(row.why);
    const auto found = state(row.pod);
    CHECK(reason(found) == row.reason);
    CHECK(found.detail == row.detail);
    CHECK((found.cause.empty() == !found.reason.has_value()));
}

TEST_CASE("a pod without any report of its containers is entered when it runs",
          "[discover][state]") {
    model::Pod pod = PodBuilder("p");
    pod.statuses.clear();
    CHECK(reason(state(pod)) == "enter");
    pod.statuses = {status("main", ContainerPhase::unknown)};
    CHECK(reason(state(pod)) == "enter");
}

TEST_CASE("only the container to be entered counts, and readiness does not", "[discover][state]") {
    model::Pod pod = PodBuilder("p").containers(
        {container("istio-proxy"), container("main", {{"nvidia.com/gpu", "1"}})});
    pod.statuses[0] = status("istio-proxy", ContainerPhase::waiting, "CrashLoopBackOff");
    pod.conditions = {{"Ready", "False", "ContainersNotReady", ""}};
    CHECK(reason(state(pod)) == "enter");
}

TEST_CASE("what to look at follows from the state", "[discover][state]") {
    model::Pod pod = PodBuilder("p").waiting("CrashLoopBackOff");
    CHECK(state(pod).look_at == LookAt::previous_logs);
    CHECK(state(pod).container == "main");
    pod.statuses[0].last_end = "OOMKilled, exit code 137";
    CHECK(state(pod).detail == "CrashLoopBackOff (last run: OOMKilled, exit code 137)");
    pod.statuses[0] = ended("main", "Error", 1);
    CHECK(state(pod).look_at == LookAt::logs);
    CHECK(state(pod).detail == "Error (exit code 1)");
    pod.statuses[0] = ended("main", "", 139);
    CHECK(state(pod).detail == "terminated (exit code 139)");
    pod.statuses[0] = status("main", ContainerPhase::waiting, "ErrImagePull");
    CHECK(state(pod).look_at == LookAt::description);
}

TEST_CASE("an init container that holds the pod up is named", "[discover][state]") {
    model::Pod pod = PodBuilder("p").phase("Pending").waiting("PodInitializing");
    auto sidecar = status("istio-proxy");
    sidecar.ready = true;
    pod.init_statuses = {sidecar, status("fetch")};
    CHECK(state(pod).detail == "PodInitializing: init container fetch is running");
    CHECK(state(pod).container == "fetch");
    CHECK(state(pod).look_at == LookAt::logs);
    pod.init_statuses[1] = status("fetch", ContainerPhase::waiting, "CrashLoopBackOff", "back-off");
    CHECK(state(pod).detail ==
          "PodInitializing: init container fetch: Init:CrashLoopBackOff: back-off");
    CHECK(state(pod).cause == "Init:CrashLoopBackOff");
    CHECK(state(pod).look_at == LookAt::previous_logs);
    pod.init_statuses[1] = ended("fetch", "Error", 2);
    CHECK(state(pod).detail == "PodInitializing: init container fetch: Init:Error (exit code 2)");
    pod.init_statuses[1].ready = true;
    CHECK(state(pod).detail == "PodInitializing");
    pod.init_statuses[1].ready = false;
    pod.statuses.clear();
    CHECK(state(pod).cause == "Init:Error");
}

TEST_CASE("leftovers say how they ended", "[discover][state]") {
    model::Pod pod = PodBuilder("p").phase("Succeeded");
    pod.statuses[0] = ended("main", "Completed", 0);
    CHECK(state(pod).detail == "Succeeded (Completed (exit code 0))");
    pod = PodBuilder("p").phase("Failed", "Evicted");
    pod.message = "The node was low on resource: ephemeral-storage.";
    pod.statuses[0] = ended("main", "Error", 137);
    CHECK(state(pod).detail == "Failed: Evicted: The node was low on resource: ephemeral-storage.");
}
