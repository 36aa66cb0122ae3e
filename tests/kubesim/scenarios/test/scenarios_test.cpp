#include "base/strings.hpp"
#include "kubesim/scenarios/scenarios.hpp"
#include "written.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace di::kubesim::scenarios;
using namespace di::kubesim::scenarios::test;
namespace fs = std::filesystem;

namespace {

std::set<std::string> folders_of(const fs::path& path) {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(path)) {
        found.insert(entry.path().filename().string());
    }
    return found;
}

/// The trees that pods name by annotation.
std::set<std::string> named_roots(const rapidjson::Document& pods) {
    std::set<std::string> found;
    for (const auto& pod : pods["items"].GetArray()) {
        if (pod["metadata"].HasMember("annotations")) {
            found.insert(pod["metadata"]["annotations"]["kubesim.dev/root"].GetString());
        }
    }
    return found;
}

/// Regular files that hold any planted secret.
std::vector<fs::path> leaks(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_symlink() || !entry.is_regular_file()) {
            continue;
        }
        const std::string text = read(entry.path());
        const auto& secrets = planted_secrets();
        if (std::any_of(secrets.begin(), secrets.end(), [&](const std::string& secret) {
                return di::contains(text, secret);
            })) {
            found.push_back(entry.path());
        }
    }
    return found;
}

} // namespace

TEST_CASE("every scenario that others rely on has its name") {
    const auto known = names();
    for (const char* name : {"disagg-ib",
                             "disagg-roce",
                             "disagg-efa",
                             "disagg-gb200",
                             "tcp-fallback",
                             "no-sm",
                             "mixed-fabric",
                             "no-tools",
                             "no-shell",
                             "agg-only",
                             "crashloop",
                             "multinode-grove",
                             "old-operator",
                             "hostile"}) {
        CAPTURE(name);
        CHECK(std::count(known.begin(), known.end(), name) == 1);
        CHECK_FALSE(summary(name).empty());
    }
}

TEST_CASE("every scenario writes lists that parse and the trees its pods name") {
    for (const auto& name : names()) {
        CAPTURE(name);
        const TempFolder folder;
        REQUIRE(write(name, 0, folder.path()));
        for (const char* list : {"nodes", "events", "dynamographdeployments"}) {
            CAPTURE(list);
            CHECK(parsed(read(folder.path() / "objects" / (std::string(list) + ".json")))["items"]
                      .IsArray());
        }
        const auto named = named_roots(parsed(read(folder.path() / "objects/pods.json")));
        CHECK_FALSE(named.empty());
        CHECK(folders_of(folder.path() / "roots") == named);
        for (const auto& root : named) {
            CHECK(read(folder.path() / "roots" / root / ".kubesim").substr(0, 7) == "shell: ");
            CHECK(fs::exists(folder.path() / "roots" / root / "proc/214/maps"));
        }
    }
}

TEST_CASE("planted secrets are in environ files and nowhere else") {
    for (const auto& name : names()) {
        CAPTURE(name);
        const TempFolder folder;
        REQUIRE(write(name, 0, folder.path()));
        const auto holding = leaks(folder.path());
        CHECK_FALSE(holding.empty());
        for (const auto& path : holding) {
            CAPTURE(path);
            CHECK(path.filename() == "environ");
        }
    }
}

TEST_CASE("each planted secret is planted somewhere") {
    std::string environs;
    for (const char* name : {"disagg-ib", "hostile"}) {
        environs += at(tree_of(scenario(name), Role::decode), "proc/214/environ");
    }
    for (const auto& secret : planted_secrets()) {
        CAPTURE(secret);
        CHECK(di::contains(environs, secret));
    }
}

TEST_CASE("many pods share few trees") {
    const TempFolder folder;
    REQUIRE(write("disagg-ib", 64, folder.path()));
    const auto pods = parsed(read(folder.path() / "objects/pods.json"));
    const auto nodes = parsed(read(folder.path() / "objects/nodes.json"));
    std::set<std::string> used;
    std::size_t workers = 0;
    for (const auto& pod : pods["items"].GetArray()) {
        if (pod["metadata"].HasMember("annotations")) {
            ++workers;
            used.insert(pod["spec"]["nodeName"].GetString());
        }
    }
    CHECK(workers == 64);
    CHECK(used.size() == 32);
    CHECK(nodes["items"].Size() == 33);
    CHECK(folders_of(folder.path() / "roots").size() == 2);
}

TEST_CASE("a scenario is written the same way twice") {
    const TempFolder one;
    const TempFolder two;
    REQUIRE(write("disagg-roce", 0, one.path()));
    REQUIRE(write("disagg-roce", 0, two.path()));
    for (const char* file :
         {"objects/pods.json", "objects/nodes.json", "roots/vllmdecodeworker/proc/214/environ"}) {
        CHECK(read(one.path() / file) == read(two.path() / file));
    }
}

TEST_CASE("an unknown name is an error that lists the known ones") {
    const TempFolder folder;
    const auto written = write("disagg-ip", 0, folder.path());
    REQUIRE_FALSE(written);
    CHECK(written.error().kind == di::ErrorKind::not_found);
    CHECK(written.error().object == "disagg-ip");
    CHECK(di::contains(written.error().cause, "disagg-ib, "));
    CHECK(summary("disagg-ip").empty());
}

TEST_CASE("an odd number of workers is refused and nothing is written") {
    const TempFolder folder;
    const auto written = write("disagg-ib", 7, folder.path() / "new");
    REQUIRE_FALSE(written);
    CHECK(written.error().kind == di::ErrorKind::usage);
    CHECK_FALSE(fs::exists(folder.path() / "new"));
}

TEST_CASE("a folder that cannot be written is an error") {
    const TempFolder folder;
    REQUIRE(write_file(folder.path() / "plain", "a file"));
    const auto written = write("disagg-ib", 0, folder.path() / "plain");
    REQUIRE_FALSE(written);
    CHECK(written.error().kind == di::ErrorKind::config);
}
