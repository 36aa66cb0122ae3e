#include "kubesim/scenarios/text.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace di::kubesim::scenarios;

TEST_CASE("the same seed gives the same identifiers, another seed others") {
    CHECK(hex("a", 40) == hex("a", 40));
    CHECK(hex("a", 40) != hex("b", 40));
    CHECK(hex("a", 40).size() == 40);
    CHECK(uuid("a") == uuid("a"));
    CHECK(uuid("a") != uuid("b"));
}

TEST_CASE("a uuid has the form of version 4") {
    const std::string text = uuid("node/gpu-0001");
    REQUIRE(text.size() == 36);
    for (const std::size_t dash : {8, 13, 18, 23}) {
        CHECK(text[dash] == '-');
    }
    CHECK(text[14] == '4');
    CHECK(text[19] == 'a');
}

TEST_CASE("pod suffixes are five safe letters and never come twice") {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < 10'000; ++i) {
        const std::string suffix = pod_suffix("VllmDecodeWorker", i);
        REQUIRE(suffix.find_first_not_of("bcdfghjklmnpqrstvwxz2456789") == std::string::npos);
        REQUIRE(suffix.size() == 5);
        seen.insert(suffix);
    }
    CHECK(seen.size() == 10'000);
}

TEST_CASE("a template hash has ten letters") {
    CHECK(template_hash("qwen3-32b-frontend").size() == 10);
}

TEST_CASE("roles are spelled as the operator's type label spells them") {
    CHECK(to_string(Role::prefill) == "prefill");
    CHECK(to_string(Role::decode) == "decode");
    CHECK(to_string(Role::worker) == "worker");
}
