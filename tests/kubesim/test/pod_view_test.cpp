#include "kubesim/pod_view.hpp"
#include "sample.hpp"

#include <algorithm>

using namespace di::kubesim;
using di::kubesim::test::read_pod;

namespace {

PodView view_of(const std::string& spec, const std::string& status = "") {
    return PodView(read_pod(R"({"metadata":{"name":"p","namespace":"n","uid":"u-1",)"
                            R"("labels":{"app":"engine"}},"spec":{)" +
                            spec + R"(},"status":{)" + status + "}}"));
}

const std::string k_two = R"("containers":[{"name":"main"},{"name":"side"}])";

} // namespace

TEST_CASE("a container is chosen as the API server chooses it", "[kubesim][pods]") {
    const auto one = view_of(R"("containers":[{"name":"engine"}])");
    CHECK(*one.choose_container("") == "engine");
    CHECK(*one.choose_container("engine") == "engine");
    CHECK(one.choose_container("nope").error().what == "container nope is not valid for pod p");
    const auto two = view_of(k_two + R"(,"initContainers":[{"name":"wait"}])");
    CHECK(*two.choose_container("side") == "side");
    CHECK(*two.choose_container("wait") == "wait");
    CHECK(two.choose_container("").error().what ==
          "a container name must be specified for pod p, choose one of: [main side] or one of the "
          "init containers: [wait]");
    CHECK(view_of("").choose_container("").error().what ==
          "a container name must be specified for pod p");
}

TEST_CASE("only a running container of a running pod can be entered", "[kubesim][pods]") {
    const std::string running =
        R"("phase":"Running","containerStatuses":[)"
        R"({"name":"main","state":{"running":{}}},)"
        R"({"name":"side","restartCount":2,"state":{"waiting":{"reason":"CrashLoopBackOff"}},)"
        R"("lastState":{"terminated":{}}}])";
    const auto pod = view_of(k_two + R"(,"nodeName":"n1")", running);
    CHECK(pod.scheduled());
    CHECK(pod.running("main"));
    CHECK_FALSE(pod.running("side"));
    CHECK(pod.waiting_to_start("side").empty()); // it has run before
    CHECK(pod.has_previous_run("side"));
    CHECK_FALSE(pod.has_previous_run("main"));
    CHECK_FALSE(view_of(k_two).scheduled());
    CHECK_FALSE(view_of(k_two, R"("phase":"Succeeded")").running("main"));
    CHECK(view_of(k_two, R"("phase":"Running")").running("main")); // no status: believed
    CHECK(view_of(k_two, R"("phase":"Pending")").waiting_to_start("main") == "ContainerCreating");
}

TEST_CASE("an exec gets the environment of the spec", "[kubesim][pods]") {
    const auto pod = view_of(
        R"("serviceAccountName":"sa","nodeName":"n1","containers":[{"name":"main","env":[)"
        R"({"name":"A","value":"1"},{"name":"EMPTY"},{"name":"B","value":"$(A)-$$(A)-$(NONE)-$x-$("},)"
        R"({"name":"IP","valueFrom":{"fieldRef":{"fieldPath":"status.podIP"}}},)"
        R"({"name":"NODE","valueFrom":{"fieldRef":{"fieldPath":"spec.nodeName"}}},)"
        R"({"name":"UID","valueFrom":{"fieldRef":{"fieldPath":"metadata.uid"}}},)"
        R"({"name":"APP","valueFrom":{"fieldRef":{"fieldPath":"metadata.labels['app']"}}},)"
        R"({"name":"LOST","valueFrom":{"fieldRef":{"fieldPath":"spec.no.such"}}},)"
        R"({"name":"SECRET","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}},)"
        R"json({"name":"PATH","value":"/opt/bin:$(PATH)"},{"name":"A","value":"2"}]}])json",
        R"("podIP":"10.0.0.9")");
    CHECK(pod.environment("main") ==
          std::vector<std::string>{
              "PATH=/opt/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
              "HOSTNAME=p",
              "A=2",
              "EMPTY=",
              "B=1-$(A)-$(NONE)-$x-$(",
              "IP=10.0.0.9",
              "NODE=n1",
              "UID=u-1",
              "APP=engine",
              "LOST="});
}

TEST_CASE("a container without env has PATH and HOSTNAME", "[kubesim][pods]") {
    const auto pod = view_of(k_two);
    CHECK(pod.environment("main").size() == 2);
    CHECK(pod.environment("no such container").size() == 2);
    CHECK(pod.env_template("main").empty());
}

TEST_CASE("the template of an env is the same for all pods of a workload", "[kubesim][pods]") {
    const std::string spec = R"("containers":[{"name":"main","env":[{"name":"POD",)"
                             R"("valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}]}])";
    const PodView a(read_pod(R"({"metadata":{"name":"a"},"spec":{)" + spec + "}}"));
    const PodView b(read_pod(R"({"metadata":{"name":"b"},"spec":{)" + spec + "}}"));
    CHECK(a.environment("main") != b.environment("main"));
    CHECK(a.env_template("main") == b.env_template("main"));
}
