// A folder of manifests for one test, and short ways to ask what was read from it.
#pragma once

#include "recipe/recipe.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace di::test {

/// Files below a folder of its own, removed with it.
class ManifestFolder {
public:
    ManifestFolder();
    using Files = std::vector<std::pair<std::string, std::string>>;
    explicit ManifestFolder(const Files& files);
    ~ManifestFolder();
    ManifestFolder(const ManifestFolder&) = delete;
    ManifestFolder& operator=(const ManifestFolder&) = delete;
    ManifestFolder(ManifestFolder&&) = delete;
    ManifestFolder& operator=(ManifestFolder&&) = delete;

    ManifestFolder& add(const std::string& name, const std::string& text);

    [[nodiscard]] std::filesystem::path path(const std::string& name = "") const;
    [[nodiscard]] recipe::Recipe read(const std::string& below = "") const;

private:
    std::filesystem::path root_;
};

/// The component of that name; the last of several. Fails the test when there is none.
const model::Component& component(const recipe::Recipe& recipe, const std::string& name);

/// The value, or "?" and why it is not known; "-" when the variable is not set.
std::string value(const model::Component& component, const std::string& variable);

/// Codes and details of the rows, one a line.
std::string rows(const recipe::Recipe& recipe);

/// A v1beta1 graph with one vLLM prefill worker whose main container has `lines`, YAML that begins
/// at the container's own indentation (10 spaces).
std::string graph_with(const std::string& lines);

/// The same with `entries` as the list below env.
std::string graph_with_env(const std::string& entries);

} // namespace di::test
