#include "kubeconfig/files.hpp"
#include "unit/kubeconfig/small_world.hpp"

#include <catch2/catch.hpp>

using namespace di;
using test::SmallWorld;

namespace {

using Paths = std::vector<std::string>;

constexpr auto k_cow = R"(
clusters: [{name: cow, cluster: {server: https://cow}}]
users: [{name: red, user: {token: a}}]
)";
constexpr auto k_donkey = R"(
clusters:
- {name: cow, cluster: {server: https://other, insecure-skip-tls-verify: true}}
- {name: donkey, cluster: {server: https://donkey, insecure-skip-tls-verify: true, disable-compression: true}}
users: [{name: yellow, user: {token: b}}]
current-context: federal
)";

} // namespace

TEST_CASE("L14 the flag beats KUBECONFIG, which beats the file at home") {
    SmallWorld world;
    CHECK(kubeconfig::choose_files({}, world.surroundings()) == Paths{"/home/u/.kube/config"});
    world.environment["KUBECONFIG"] = "a";
    CHECK(kubeconfig::choose_files({}, world.surroundings()) == Paths{"a"});
    world.environment["KUBECONFIG"] = "a:b";
    CHECK(kubeconfig::choose_files({}, world.surroundings()) == Paths{"a", "b"});
    CHECK(kubeconfig::choose_files("x", world.surroundings()) == Paths{"x"});
    world.environment["KUBECONFIG"] = "";
    CHECK(kubeconfig::choose_files({}, world.surroundings()) == Paths{"/home/u/.kube/config"});
    world.environment.clear();
    CHECK(kubeconfig::choose_files({}, world.surroundings()).empty());
}

TEST_CASE("L11 entries are merged whole, the first file wins") {
    SmallWorld world;
    world.files = {{"/a", k_cow}, {"/b", k_donkey}};
    world.environment["KUBECONFIG"] = "/missing:/a:/b";
    const auto config = kubeconfig::load_files({}, world.surroundings());
    REQUIRE(config);
    CHECK(config->clusters.at("cow").server == "https://cow");
    CHECK_FALSE(config->clusters.at("cow").insecure);
    CHECK(config->clusters.at("donkey").server == "https://donkey");
    CHECK(config->clusters.at("donkey").insecure);
    CHECK(config->clusters.at("donkey").disable_compression);
    CHECK(config->users.at("red").token.reveal() == "a");
    CHECK(config->users.size() == 2);
    CHECK(config->current_context == "federal");
}

TEST_CASE("I24 a file of the list that is relative is relative to where we are") {
    SmallWorld world;
    world.files = {{"/srv/sub/config", "users: [{name: u, user: {tokenFile: ../t}}]"}};
    world.environment["KUBECONFIG"] = "sub/config";
    const auto config = kubeconfig::load_files({}, world.surroundings());
    REQUIRE(config);
    CHECK(config->users.at("u").token_file == "/srv/t");
}

TEST_CASE("L1 missing files are skipped, unless the flag names one") {
    SmallWorld world;
    world.environment["KUBECONFIG"] = "/x:/y";
    const auto config = kubeconfig::load_files({}, world.surroundings());
    REQUIRE(config);
    CHECK(config->empty());
    const auto named = kubeconfig::load_files("bogus_file", world.surroundings());
    REQUIRE_FALSE(named);
    CHECK(named.error().what == "error loading config file \"bogus_file\"");
    CHECK(named.error().cause == "No such file or directory");
}

TEST_CASE("L3 unreadable and broken files are errors that name them") {
    SmallWorld world;
    world.files = {{"/d", "<directory>"}, {"/bad", "a: ["}, {"/good", k_cow}};
    world.environment["KUBECONFIG"] = "/good:/d";
    CHECK_THAT(kubeconfig::load_files({}, world.surroundings()).error().what,
               Catch::Contains("\"/d\""));
    world.environment["KUBECONFIG"] = "/good:/bad";
    CHECK_THAT(kubeconfig::load_files({}, world.surroundings()).error().what,
               Catch::Contains("\"/bad\""));
}

TEST_CASE("L2 (deviation) a list of missing files is an empty configuration") {
    SmallWorld world;
    world.environment["KUBECONFIG"] = "/bogus1:/bogus2:/bogus3";
    const auto config = kubeconfig::load_files({}, world.surroundings());
    REQUIRE(config);
    CHECK(config->empty());
    CHECK(config->warnings.empty());
    // kubectl names them at -v 1; here they stand in the error, without any flag
    CHECK_THAT(kubeconfig::load({}, world.surroundings()).error().cause,
               Catch::Contains("/bogus1, /bogus2, /bogus3"));
}

TEST_CASE("L4 and L10: a file that the flag names is read alone") {
    SmallWorld world;
    world.files = {{"/a", k_cow}, {"/b", k_donkey}};
    world.environment["KUBECONFIG"] = "/b";
    const auto config = kubeconfig::load_files("/a", world.surroundings());
    REQUIRE(config);
    CHECK(config->current_context.empty());
    CHECK(config->clusters.size() == 1);
    CHECK(config->users.count("yellow") == 0);
}

TEST_CASE("L13 a list is read without empty and repeated items") {
    SmallWorld world;
    world.environment["KUBECONFIG"] = "a:b::c:b:e:f:";
    CHECK(kubeconfig::choose_files({}, world.surroundings()) == Paths{"a", "b", "c", "e", "f"});
    world.environment["KUBECONFIG"] = "a:a:b:b:c:b";
    CHECK(kubeconfig::choose_files({}, world.surroundings()) == Paths{"a", "b", "c"});
}

TEST_CASE("L15 (deviation) a legacy file is neither copied nor read") {
    SmallWorld world;
    world.files = {{"/home/u/.kube/.kubeconfig", k_donkey}};
    CHECK(kubeconfig::load_files({}, world.surroundings())->empty());
}
