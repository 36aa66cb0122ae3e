#include "kubeconfig/files.hpp"
#include "unit/kubeconfig/small_world.hpp"

#include <catch2/catch.hpp>

using namespace di;
using test::SmallWorld;

namespace {

constexpr auto k_cow = R"(
clusters: [{name: cow, cluster: {server: https://cow}}]
users: [{name: red, user: {token: a}}]
)";
constexpr auto k_donkey = R"(
clusters:
- {name: cow, cluster: {server: https://other, insecure-skip-tls-verify: true}}
- {name: donkey, cluster: {server: https://donkey}}
users: [{name: yellow, user: {token: b}}]
current-context: federal
)";

} // namespace

TEST_CASE("the flag beats KUBECONFIG, which beats the file at home") {
    SmallWorld world;
    using Paths = std::vector<std::string>;
    CHECK(kubeconfig::choose_files({}, world.surroundings()) == Paths{"/home/u/.kube/config"});
    world.environment["KUBECONFIG"] = "a:b::c:b:e:f:";
    CHECK(kubeconfig::choose_files({}, world.surroundings()) == Paths{"a", "b", "c", "e", "f"});
    CHECK(kubeconfig::choose_files("x", world.surroundings()) == Paths{"x"});
    world.environment["KUBECONFIG"] = "";
    CHECK(kubeconfig::choose_files({}, world.surroundings()) == Paths{"/home/u/.kube/config"});
    world.environment.clear();
    CHECK(kubeconfig::choose_files({}, world.surroundings()).empty());
}

TEST_CASE("entries are merged whole, the first file wins") {
    SmallWorld world;
    world.files = {{"/a", k_cow}, {"/b", k_donkey}};
    world.environment["KUBECONFIG"] = "/missing:/a:/b";
    const auto config = kubeconfig::load_files({}, world.surroundings());
    REQUIRE(config);
    CHECK(config->clusters.at("cow").server == "https://cow");
    CHECK_FALSE(config->clusters.at("cow").insecure);
    CHECK(config->clusters.at("donkey").server == "https://donkey");
    CHECK(config->users.size() == 2);
    CHECK(config->current_context == "federal");
}

TEST_CASE("a file of the list that is relative is relative to where we are") {
    SmallWorld world;
    world.files = {{"/srv/sub/config", "users: [{name: u, user: {tokenFile: ../t}}]"}};
    world.environment["KUBECONFIG"] = "sub/config";
    const auto config = kubeconfig::load_files({}, world.surroundings());
    REQUIRE(config);
    CHECK(config->users.at("u").token_file == "/srv/t");
}

TEST_CASE("missing files are skipped, unless the flag names one") {
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

TEST_CASE("unreadable and broken files are errors that name them") {
    SmallWorld world;
    world.files = {{"/d", "<directory>"}, {"/bad", "a: ["}, {"/good", k_cow}};
    world.environment["KUBECONFIG"] = "/good:/d";
    CHECK_THAT(kubeconfig::load_files({}, world.surroundings()).error().what,
               Catch::Contains("\"/d\""));
    world.environment["KUBECONFIG"] = "/good:/bad";
    CHECK_THAT(kubeconfig::load_files({}, world.surroundings()).error().what,
               Catch::Contains("\"/bad\""));
}
