#include "written.hpp"

#include "base/strings.hpp"
#include "kubesim/scenarios/root.hpp"
#include "kubesim/scenarios/table.hpp"

#include <catch2/catch.hpp>

#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace di::kubesim::scenarios::test {
namespace fs = std::filesystem;

TempFolder::TempFolder() {
    std::string name = (fs::temp_directory_path() / "scenarios-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    INFO(path);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

rapidjson::Document parsed(const std::string& text) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
    REQUIRE_FALSE(document.HasParseError());
    return document;
}

Scenario scenario(std::string_view name) {
    for (auto& candidate : all()) {
        if (candidate.name == name) {
            return candidate;
        }
    }
    FAIL("no scenario " << name);
    return {};
}

Tree tree_of(const Scenario& scenario, Role role, int rank) {
    for (const auto& component : scenario.components) {
        if (component.role == role) {
            return make_root(scenario, component, {"the-pod", 0, rank});
        }
    }
    FAIL("no component of that role in " << scenario.name);
    return {};
}

std::string at(const Tree& tree, const std::string& path) {
    const auto found = tree.entries().find(path);
    return found == tree.entries().end() ? "(absent)" : found->second.text;
}

bool has(const Tree& tree, const std::string& path) {
    return tree.entries().count(path) > 0;
}

std::vector<std::string> below(const Tree& tree, std::string_view prefix) {
    std::vector<std::string> found;
    for (const auto& [path, entry] : tree.entries()) {
        if (path.compare(0, prefix.size(), prefix) == 0) {
            found.push_back(path);
        }
    }
    return found;
}

std::string variable(const std::string& environ, const std::string& name) {
    for (const auto entry : split(environ, '\0')) {
        if (entry.substr(0, name.size() + 1) == name + "=") {
            return std::string(entry.substr(name.size() + 1));
        }
    }
    return "(absent)";
}

Ran run(const std::string& script, const std::string& arguments) {
    const TempFolder folder;
    const auto path = folder.path() / "tool";
    std::ofstream(path, std::ios::binary) << script;
    FILE* const pipe = ::popen(("sh " + path.string() + " " + arguments + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    Ran ran;
    std::array<char, 4096> chunk{};
    while (const auto count = std::fread(chunk.data(), 1, chunk.size(), pipe)) {
        ran.out.append(chunk.data(), count);
    }
    ran.code = WEXITSTATUS(::pclose(pipe));
    return ran;
}

} // namespace di::kubesim::scenarios::test
