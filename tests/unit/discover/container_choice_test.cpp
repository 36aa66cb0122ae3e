#include "discover/container_choice.hpp"
#include "discover/resources.hpp"
#include "unit/discover/pods.hpp"

#include <catch2/catch.hpp>

using namespace di;
using namespace di::test;
using discover::choose_container;

namespace {

const model::StringMap k_gpu = {{"nvidia.com/gpu", "1"}};

std::string chosen(const model::Pod& pod) {
    const auto* container = choose_container(pod);
    return container == nullptr ? "none" : container->name;
}

model::Container with_claim(std::string name) {
    auto made = container(std::move(name));
    made.claims = {"gpu"};
    return made;
}

} // namespace

TEST_CASE("the engine's container is chosen by what it is granted", "[discover][container]") {
    struct Case {
        std::string_view why;
        std::vector<model::Container> containers;
        std::string_view expected;
    };

    const auto row = GENERATE(values<Case>({
        {"no container", {}, "none"},
        {"only one", {container("app")}, "app"},
        {"main behind sidecars", {container("istio-proxy"), container("main", k_gpu)}, "main"},
        {"main without anything", {container("log"), container("main")}, "main"},
        {"a neighbour holds the GPU", {container("main"), container("engine", k_gpu)}, "engine"},
        {"both hold one", {container("engine", k_gpu), container("main", k_gpu)}, "main"},
        {"a neighbour holds the claim", {container("main"), with_claim("engine")}, "engine"},
        {"main holds a claim", {with_claim("engine"), with_claim("main")}, "main"},
        {"no main: the GPU decides",
         {container("fluent-bit"), container("runtime", k_gpu)},
         "runtime"},
        {"a GPU before a claim", {with_claim("a"), container("b", k_gpu)}, "b"},
        {"a claim before a name", {container("engine-0"), with_claim("b")}, "b"},
        {"a name before the first", {container("log"), container("engine-0")}, "engine-0"},
        {"nothing known", {container("log"), container("app")}, "log"},
        {"asked for none",
         {container("a", {{"nvidia.com/gpu", "0"}}), container("engine")},
         "engine"},
        {"MIG slice", {container("a"), container("b", {{"nvidia.com/mig-1g.10gb", "1"}})}, "b"},
        {"time slice", {container("a"), container("b", {{"nvidia.com/gpu.shared", "1"}})}, "b"},
        {"Main is not main", {container("Main"), container("engine")}, "engine"},
    }));
    CAPTURE(row.why);
    CHECK(chosen(PodBuilder("p").containers(row.containers)) == row.expected);
}

TEST_CASE("the operator's annotation wins if it names a container", "[discover][container]") {
    const auto pod = [](const std::string& value) {
        return PodBuilder("p")
            .containers({container("main", k_gpu), container("engine")})
            .annotation("nvidia.com/dynamo-main-container-name", value)
            .annotation("kubectl.kubernetes.io/default-container", "engine");
    };
    CHECK(chosen(pod("engine")) == "engine");
    CHECK(chosen(pod("gone")) == "main");
    CHECK(chosen(pod("")) == "main");
}

TEST_CASE("of several engines the running one is entered", "[discover][container]") {
    model::Pod pod =
        PodBuilder("p").containers({container("engine-0", k_gpu), container("engine-1", k_gpu)});
    CHECK(chosen(pod) == "engine-0");
    pod.statuses[0] = status("engine-0", model::ContainerPhase::waiting, "CrashLoopBackOff");
    CHECK(chosen(pod) == "engine-1");
    pod.statuses[1] = status("engine-1", model::ContainerPhase::terminated, "Error");
    CHECK(chosen(pod) == "engine-0");
    pod.statuses.clear();
    CHECK(chosen(pod) == "engine-0");
}

TEST_CASE("fabric devices are known by their resource keys", "[discover][resources]") {
    const auto keys = [](model::StringMap limits) {
        return discover::rdma_resources(container("c", std::move(limits)));
    };
    for (const char* key : {"rdma/ib",
                            "rdma/hca_shared_devices_a",
                            "vpc.amazonaws.com/efa",
                            "networking.gke.io.networks/rdma-0",
                            "nvidia.com/sriov_ib",
                            "nvidia.com/hostdev",
                            "openshift.io/mlnxnics"}) {
        CAPTURE(key);
        CHECK(keys({{key, "1"}}) == std::vector<std::string>{key});
        CHECK(keys({{key, "0"}}).empty());
    }
    for (const char* key : {"cpu",
                            "memory",
                            "nvidia.com/gpu",
                            "hugepages-2Mi",
                            "networking.gke.io.networks/rdma-0.IP"}) {
        CAPTURE(key);
        CHECK(keys({{key, "1"}}).empty());
    }
}

TEST_CASE("GPUs of all kinds are counted", "[discover][resources]") {
    CHECK(discover::count_gpus(container("c", {{"nvidia.com/gpu", "8"}, {"rdma/ib", "4"}})) == 8);
    CHECK(discover::count_gpus(container(
              "c", {{"nvidia.com/mig-1g.10gb", "2"}, {"nvidia.com/mig-3g.40gb", "1"}})) == 3);
    CHECK(discover::count_gpus(container("c", {{"nvidia.com/gpu", "many"}})) == 1);
    CHECK(discover::count_gpus(container("c", {{"nvidia.com/gpu", "99999999999999999"}})) > 1000);
}
