// Scenarios on disk and in memory, for the tests.
#pragma once

#include "kubesim/scenarios/tree.hpp"
#include "kubesim/scenarios/vocabulary.hpp"

#include <rapidjson/document.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace di::kubesim::scenarios::test {

/// A folder of its own under the system's temporary one, removed at the end.
class TempFolder {
public:
    TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    TempFolder(TempFolder&&) = delete;
    TempFolder& operator=(TempFolder&&) = delete;
    ~TempFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::string read(const std::filesystem::path& path);

/// A parsed document; the test fails when it does not parse.
rapidjson::Document parsed(const std::string& text);

/// The scenario of the table; the test fails when there is none.
Scenario scenario(std::string_view name);

/// The tree of a component's first pod.
Tree tree_of(const Scenario& scenario, Role role, int rank = 0);

/// The text of a file or the target of a link; "(absent)" when the tree has none.
std::string at(const Tree& tree, const std::string& path);

bool has(const Tree& tree, const std::string& path);

/// Entries whose path begins with `prefix`.
std::vector<std::string> below(const Tree& tree, std::string_view prefix);

/// NAME=value of a NUL-separated environ; "(absent)" without such a variable.
std::string variable(const std::string& environ, const std::string& name);

struct Ran {
    int code = 0;
    std::string out;
};

/// A tool's script under this machine's sh.
Ran run(const std::string& script, const std::string& arguments);

} // namespace di::kubesim::scenarios::test
