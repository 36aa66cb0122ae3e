#include "discover/candidate.hpp"
#include "discover/groups.hpp"
#include "unit/discover/pods.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace di;
using namespace di::test;

namespace {

std::vector<discover::Candidate> candidates_of(const discover::ApiObjects& objects) {
    return discover::find_candidates(objects, {});
}

/// "prefill (args)" of one pod, "not a worker" when it is none.
std::string role_of(const std::vector<model::Pod>& pods, const std::string& name) {
    const auto all = objects(pods);
    for (const auto& candidate : candidates_of(all)) {
        if (candidate.worker.pod == name) {
            return std::string(to_string(candidate.worker.role)) + " (" +
                   std::string(to_string(candidate.worker.role_source)) + ")";
        }
    }
    return "not a worker";
}

std::string role_of(const model::Pod& pod) {
    return role_of({pod}, pod.name);
}

PodBuilder untyped(const std::string& name, const std::string& component) {
    return PodBuilder(name)
        .component(component)
        .label("nvidia.com/dynamo-namespace", "dyn")
        .script("python3 -m dynamo.vllm");
}

PodBuilder grove(const std::string& name, const std::string& clique, const std::string& index) {
    return PodBuilder(name)
        .graph("g")
        .type("worker")
        .component("engine")
        .label("grove.io/podcliquescalinggroup", "g-0-engine")
        .label("grove.io/podcliquescalinggroup-replica-index", "0")
        .label("grove.io/podclique", clique)
        .label("grove.io/podclique-pod-index", index);
}

PodBuilder lws(const std::string& name, const std::string& index) {
    return PodBuilder(name)
        .graph("g")
        .type("worker")
        .component("engine")
        .label("leaderworkerset.sigs.k8s.io/name", "g-engine-0")
        .label("leaderworkerset.sigs.k8s.io/group-index", "0")
        .label("leaderworkerset.sigs.k8s.io/worker-index", index)
        .label("role", index == "0" ? "leader" : "worker");
}

} // namespace

TEST_CASE("roles are read in the order label, arguments, name", "[discover][role]") {
    const auto typed = [](const std::string& type) {
        return PodBuilder("p").graph("g").type(type);
    };
    CHECK(role_of(typed("prefill")) == "prefill (label)");
    CHECK(role_of(typed("Decode")) == "decode (label)");
    CHECK(role_of(typed("worker").sub_type("decode")) == "decode (label)");
    CHECK(role_of(typed("worker").sub_type("encode")) == "encode (label)");
    CHECK(role_of(typed("worker").label("nvidia.com/dynamo-component-sub-type", "decode")) ==
          "worker (label)");
    CHECK(role_of(typed("worker").sub_type("")) == "worker (label)");
    CHECK(role_of(typed("prefill").sub_type("decode")) == "prefill (label)");
    CHECK(role_of(typed("worker").script("python3 -m dynamo.vllm --is-decode-worker")) ==
          "decode (args)");
    CHECK(role_of(typed("worker").component("VllmDecodeWorker")) == "decode (name)");
    CHECK(role_of(typed("worker").component("PrefillDecodeWorker")) == "worker (label)");
    CHECK(role_of(typed("worker").component("DECODE")) == "decode (name)");
    CHECK(role_of(typed("worker").component("decode").script(
              "python3 -m dynamo.trtllm --disaggregation-mode prefill_and_decode")) ==
          "worker (label)");
    CHECK(role_of(typed("worker").component("decode").script(
              "python3 -m dynamo.vllm --disaggregation-mode prefill")) == "prefill (args)");
}

TEST_CASE("a pod's name counts only where no component is named", "[discover][role]") {
    CHECK(role_of(PodBuilder("x-prefill-0").graph("g").type("worker")) == "prefill (name)");
    CHECK(role_of(PodBuilder("x-prefill-0").graph("g").type("worker").component("")) ==
          "prefill (name)");
    CHECK(role_of(PodBuilder("x-prefill-0").graph("decode").type("worker").component("w")) ==
          "worker (label)");
}

TEST_CASE("arguments of main speak for an engine that says nothing", "[discover][role]") {
    auto main = container("main", {}, {"sidecar", "--disaggregation-mode", "decode"});
    auto engine = container("engine", {{"nvidia.com/gpu", "1"}}, {"engine-binary"});
    CHECK(role_of(PodBuilder("p").graph("g").type("worker").containers({main, engine})) ==
          "decode (args)");
    engine.args = {"--disaggregation-mode", "prefill"};
    CHECK(role_of(PodBuilder("p").graph("g").type("worker").containers({main, engine})) ==
          "prefill (args)");
    CHECK(role_of(PodBuilder("p").graph("g").type("worker").containers({engine, main})) ==
          "prefill (args)");
}

TEST_CASE("what is no worker is told from its type, and without one from what it runs",
          "[discover][candidate]") {
    for (const char* type : {"frontend", "planner", "epp", "default", "main", "Frontend"}) {
        CAPTURE(type);
        CHECK(role_of(PodBuilder("p").graph("g").type(type)) == "not a worker");
    }
    const auto cpu = [](const std::string& script) {
        return PodBuilder("p").component("X").limits({}).script(script);
    };
    CHECK(role_of(cpu("python3 -m dynamo.frontend")) == "not a worker");
    CHECK(role_of(cpu("python3 -m dynamo.mocker")) == "worker (label)");
    CHECK(role_of(cpu("python3 -m dynamo.frontend").type("")) == "not a worker");
    CHECK(role_of(PodBuilder("p").component("X")) == "worker (label)");
    CHECK(role_of(PodBuilder("p").label("app", "trainer")) == "not a worker");
    CHECK(role_of(PodBuilder("p").label("nvidia.com/dynamo-namespace", "x")) == "not a worker");
}

TEST_CASE("weight servers are no workers, engines beside one are", "[discover][candidate]") {
    const std::string server =
        "for d in 0 1; do python3 -m gpu_memory_service --device $d & done; wait";
    CHECK(role_of(worker("p", "worker").script(server)) == "not a worker");
    auto gms = container("gms", {}, {"sh", "-c", server});
    auto engine = container("main",
                            {{"nvidia.com/gpu", "1"}},
                            {"python3", "-m", "dynamo.vllm", "--load-format", "gms"});
    CHECK(role_of(worker("p", "decode").containers({gms, engine})) == "decode (label)");
    engine.command = {"/usr/sbin/sshd", "-D"};
    CHECK(role_of(worker("p", "decode").containers({gms, engine})) == "decode (label)");
}

TEST_CASE("without types, the engine without flag beside a prefill engine is decode",
          "[discover][role]") {
    const auto prefill = untyped("a", "One").script("python3 -m dynamo.vllm --is-prefill-worker");
    CHECK(role_of({prefill, untyped("b", "Two")}, "b") == "decode (group)");
    CHECK(role_of({untyped("b", "Two")}, "b") == "worker (label)");
    CHECK(role_of({prefill, untyped("b", "Two").ns("other")}, "b") == "worker (label)");
    CHECK(role_of({prefill, untyped("b", "Two").label("nvidia.com/dynamo-namespace", "y")}, "b") ==
          "worker (label)");
    CHECK(role_of({prefill, untyped("b", "Two").type("worker")}, "b") == "worker (label)");
    CHECK(role_of({prefill,
                   untyped("b", "Two"),
                   untyped("c", "x").script("python3 -m dynamo.vllm --is-decode-worker")},
                  "b") == "worker (label)");
    CHECK(role_of({prefill,
                   untyped("b", "Two").script("python3 -m dynamo.vllm --disaggregation-mode agg")},
                  "b") == "worker (args)");
    CHECK(role_of({prefill, untyped("b", "VllmDecodeWorker")}, "b") == "decode (name)");
}

TEST_CASE("ranks share the role and the engine of their leader", "[discover][group]") {
    const auto leader = grove("ldr", "g-0-engine-0-engine-ldr", "0")
                            .script("python3 -m dynamo.trtllm --disaggregation-mode decode");
    const auto rank = grove("wkr", "g-0-engine-0-engine-wkr", "1").script("/usr/sbin/sshd -D");
    const auto all = objects({leader, rank});
    const auto found = candidates_of(all);
    REQUIRE(found.size() == 2);
    CHECK(found[0].worker.rank == 0);
    CHECK(found[1].worker.rank == 2);
    CHECK(found[0].worker.group == found[1].worker.group);
    CHECK(found[1].worker.backend == model::Backend::trtllm);
    CHECK(role_of({leader, rank}, "wkr") == "decode (group)");
    const auto named = grove("wkr", "g-0-engine-0-engine-wkr", "1").component("Decode");
    CHECK(role_of({leader, named}, "wkr") == "decode (name)");
    const auto misnamed = grove("wkr", "g-0-engine-0-engine-wkr", "1").component("Prefill");
    CHECK(role_of({leader, misnamed}, "wkr") == "decode (group)");
    CHECK(role_of({rank}, "wkr") == "worker (label)");
}

TEST_CASE("groups are those of Grove and of LeaderWorkerSets", "[discover][group]") {
    const auto place = [](const model::Pod& pod, std::size_t others = 1) {
        const auto found = discover::group_of(pod, others);
        return found ? found->group + " #" + (found->rank ? std::to_string(*found->rank) : "?")
                     : std::string("none");
    };
    CHECK(place(grove("p", "x-ldr", "0")) == "ns/g-0-engine-0 #0");
    CHECK(place(grove("p", "x-wkr", "3")) == "ns/g-0-engine-0 #4");
    CHECK(place(grove("p", "x-wkr", "three")) == "ns/g-0-engine-0 #?");
    CHECK(place(grove("p", "x-gms", "0")) == "none");
    CHECK(place(grove("p", "g-0-engine", "0")) == "none");
    CHECK(place(grove("p", "x-ldr", "0").label("grove.io/podcliquescalinggroup", "")) == "none");
    CHECK(place(lws("p", "0"), 2) == "ns/g-engine-0-0 #0");
    CHECK(place(lws("p", "1"), 2) == "ns/g-engine-0-0 #1");
    CHECK(place(lws("p", "0"), 1) == "none");
    CHECK(place(lws("p", "1"), 1) == "ns/g-engine-0-0 #1");
    CHECK(place(lws("p", "0").annotation("leaderworkerset.sigs.k8s.io/size", "1"), 2) == "none");
    CHECK(place(lws("p", "0").annotation("leaderworkerset.sigs.k8s.io/size", "4"), 1) ==
          "ns/g-engine-0-0 #0");
    CHECK(place(lws("p", "0").env("LWS_GROUP_SIZE", "1"), 2) == "none");
    CHECK(place(lws("p", "0").env("LWS_GROUP_SIZE", "2"), 1) == "ns/g-engine-0-0 #0");
    CHECK(place(lws("p", "-1").annotation("leaderworkerset.sigs.k8s.io/size", "2")) ==
          "ns/g-engine-0-0 #?");
    CHECK(place(PodBuilder("p").label("role", "leader")) == "none");
}

TEST_CASE("LeaderWorkerSet pods are found by their graph, without the operator's selector",
          "[discover][group]") {
    const auto leader = lws("a-0", "0").script("python3 -m dynamo.vllm --is-prefill-worker");
    const auto all = objects({leader, lws("a-0-1", "1")});
    const auto found = candidates_of(all);
    REQUIRE(found.size() == 2);
    CHECK(found[0].worker.group == found[1].worker.group);
    CHECK(found[1].worker.rank == 1);
    CHECK(role_of({leader, lws("a-0-1", "1")}, "a-0-1") == "prefill (group)");
}

TEST_CASE("facts of the spec are those of the engine", "[discover][spec]") {
    auto pod = worker("p", "prefill")
                   .script("export UCX_TLS=rc; exec python3 -m dynamo.vllm --model $MODEL")
                   .env("MODEL", "m")
                   .env("HOST", std::nullopt)
                   .env("URL", "http://$(HOST)")
                   .limits({{"nvidia.com/gpu", "4"}, {"rdma/ib", "4"}, {"cpu", "16"}});
    pod.edit().host_network = true;
    pod.edit().containers[0].privileged = true;
    pod.edit().containers[0].claims = {"imex"};
    const auto all = objects({pod});
    const auto facts = candidates_of(all).at(0).worker.spec;
    CHECK(facts.env.at("UCX_TLS") == "rc");
    CHECK(facts.env.at("MODEL") == "m");
    CHECK(facts.env.count("HOST") == 0);
    CHECK(facts.env_unresolved == std::vector<std::string>{"HOST", "URL"});
    CHECK(facts.arguments ==
          std::vector<std::string>{"exec", "python3", "-m", "dynamo.vllm", "--model", "m"});
    CHECK(facts.rdma_resources == std::vector<std::string>{"rdma/ib"});
    CHECK(facts.claims == std::vector<std::string>{"imex"});
    CHECK(facts.gpus == 4);
    CHECK(facts.privileged);
    CHECK(facts.host_network);
    CHECK(!facts.host_pid);
}
