#include "kubesim/scenarios/cluster.hpp"
#include "written.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace di::kubesim::scenarios;
using namespace di::kubesim::scenarios::test;

namespace {

std::size_t count(const Cluster& cluster, Role role) {
    return static_cast<std::size_t>(
        std::count_if(cluster.pods.begin(), cluster.pods.end(), [&](const PlacedPod& pod) {
            return pod.component != nullptr && pod.component->role == role;
        }));
}

} // namespace

TEST_CASE(
    "the healthy scenario is two prefill and two decode workers on two nodes, and a frontend") {
    const auto demo = scenario("disagg-ib");
    const auto cluster = place(demo);
    CHECK(cluster.pods.size() == 5);
    CHECK(count(cluster, Role::prefill) == 2);
    CHECK(count(cluster, Role::decode) == 2);
    CHECK(cluster.nodes.size() == 3);
}

TEST_CASE("workers are repeated, half prefill and half decode, two to a node") {
    const std::size_t number = GENERATE(2U, 4U, 64U, 5000U);
    CAPTURE(number);
    const auto more = with_pods(scenario("disagg-ib"), number);
    REQUIRE(more);
    const auto cluster = place(*more);
    CHECK(count(cluster, Role::prefill) == number / 2);
    CHECK(count(cluster, Role::decode) == number / 2);
    CHECK(cluster.nodes.size() == std::max<std::size_t>(number / 2, 2) + 1);
    std::set<std::string> names;
    std::set<std::string> addresses;
    std::set<std::pair<std::size_t, const Component*>> hosts;
    for (const auto& pod : cluster.pods) {
        names.insert(pod.place.pod);
        addresses.insert(pod.address);
        hosts.insert({pod.node, pod.component});
    }
    CHECK(names.size() == number + 1);
    CHECK(addresses.size() == number + 1);
    CHECK(hosts.size() == cluster.nodes.size()); // no node holds two roles
}

TEST_CASE("pods and nodes are in the order a server lists them") {
    const auto more = with_pods(scenario("disagg-ib"), 300);
    REQUIRE(more);
    const auto cluster = place(*more);
    CHECK(std::is_sorted(cluster.pods.begin(),
                         cluster.pods.end(),
                         [](const auto& a, const auto& b) { return a.place.pod < b.place.pod; }));
    CHECK(std::is_sorted(cluster.nodes.begin(),
                         cluster.nodes.end(),
                         [](const auto& a, const auto& b) { return a.name < b.name; }));
}

TEST_CASE("a number of workers that does not split evenly is refused") {
    struct Case {
        const char* scenario;
        std::size_t pods;
        bool splits;
    };

    const Case cases[] = {
        {"disagg-ib", 0, true},
        {"disagg-ib", 3, false},
        {"agg-only", 3, true},
        {"multinode-grove", 6, false},
        {"multinode-grove", 8, true},
    };
    for (const auto& c : cases) {
        CAPTURE(c.scenario, c.pods);
        const auto more = with_pods(scenario(c.scenario), c.pods);
        CHECK(more.ok() == c.splits);
        if (!more) {
            CHECK(more.error().kind == di::ErrorKind::usage);
            CHECK(more.error().object == std::string("scenario ") + c.scenario);
        }
    }
}

TEST_CASE("the ranks of a group stand on nodes of their own") {
    const auto grove = scenario("multinode-grove");
    const auto cluster = place(grove);
    std::set<std::size_t> nodes;
    std::set<std::pair<Role, int>> ranks;
    for (const auto& pod : cluster.pods) {
        if (pod.component != nullptr) {
            nodes.insert(pod.node);
            ranks.insert({pod.component->role, pod.place.rank});
        }
    }
    CHECK(nodes.size() == 4);
    CHECK(ranks.size() == 4);
}

TEST_CASE("only the last decode worker of the crash loop crashes") {
    const auto broken = scenario("crashloop");
    int crashing = 0;
    for (const auto& pod : place(broken).pods) {
        crashing += pod.crashing ? 1 : 0;
        if (pod.crashing) {
            REQUIRE(pod.component != nullptr);
            CHECK(pod.component->role == Role::decode);
            CHECK(pod.place.replica == 1);
        }
    }
    CHECK(crashing == 1);
}
