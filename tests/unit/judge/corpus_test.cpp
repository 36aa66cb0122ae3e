// Pairs of the public corpus, from tool output to the pair's reason.
#include "judge/evaluate.hpp"
#include "parse/environment.hpp"
#include "parse/listing.hpp"
#include "parse/sysfs.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>
#include <string>

namespace di::test {
namespace {

using model::Role;
using model::Status;

std::string output_of(const std::string& test, const std::string& pod, const std::string& probe) {
    std::ifstream file(DI_TEST_DATA "/corpus/open/multi/" + test + "/pods/" + pod + "/" + probe +
                       "/stdout");
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE(file.good());
    return text.str();
}

model::Worker worker(Role role, std::string pod) {
    model::Worker result;
    result.ns = "corpus";
    result.pod = std::move(pod);
    result.role = role;
    return result;
}

model::PodObservation read(const std::string& test, const std::string& pod) {
    const auto sysfs = output_of(test, pod, "ib-sysfs");
    const auto nodes = output_of(test, pod, "ib-devices");
    const auto env = output_of(test, pod, "env");
    model::PodObservation seen;
    seen.exec = 0;
    seen.sysfs = parse::parse_sysfs({sysfs, "", 0});
    seen.environment =
        parse::environment(model::EnvSource::engine, *parse::parse_env({env, "", 0}));
    std::vector<model::DeviceNode> uverbs;
    const auto listing = parse::parse_listing({nodes, "", 0});
    for (const auto& name : listing->names) {
        if (name.substr(0, 6) == "uverbs") {
            uverbs.push_back({"/dev/infiniband/" + name, true});
        }
    }
    seen.verbs_nodes = uverbs;
    return seen;
}

} // namespace

TEST_CASE("pairs of the corpus get their reason, though each pod looks well alone") {
    struct Case {
        std::string folder;
        Status status;
        std::string reason;
        std::string prefill;
        std::string decode;
    };

    const auto test = GENERATE(values<Case>({
        {"pair-ib-subnet-prefix",
         Status::fail,
         "subnet-prefix-mismatch",
         "fe80:0000:0000:0001",
         "fe80:0000:0000:0002"},
        {"pair-ib-vs-roce", Status::fail, "link-layer-mismatch", "InfiniBand", "Ethernet"},
        {"pair-rate-mismatch", Status::warn, "rate-mismatch", "", ""},
        {"pair-ucx-tls-disjoint", Status::fail, "ucx-tls-disjoint", "", ""},
    }));
    CAPTURE(test.folder);
    model::Inventory inventory;
    inventory.workers = {worker(Role::prefill, "prefill-0"), worker(Role::decode, "decode-0")};
    std::vector<model::PodObservation> observations;
    for (const auto& one : inventory.workers) {
        observations.push_back(read(test.folder, one.pod));
        observations.back().worker = observations.size() - 1;
    }
    const auto pairs = judge::evaluate(inventory, observations, {}).pairs;
    REQUIRE(pairs.size() == 1);
    CAPTURE(pairs.front().detail);
    CHECK(pairs.front().status == test.status);
    CHECK(pairs.front().reason == test.reason);
    CHECK(*pairs.front().facts.find("reachable_fast") == model::Value(false));
    if (!test.prefill.empty()) {
        CHECK(*pairs.front().facts.find("prefill") == model::Value(test.prefill));
        CHECK(*pairs.front().facts.find("decode") == model::Value(test.decode));
    }
    if (test.reason == "rate-mismatch") {
        CHECK(*pairs.front().facts.find("prefill_gbps") == model::Value(1600));
        CHECK(*pairs.front().facts.find("decode_gbps") == model::Value(100));
    }
}

} // namespace di::test
