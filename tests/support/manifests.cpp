#include "support/manifests.hpp"

#include <cstdlib>
#include <fstream>

namespace di::test {

namespace fs = std::filesystem;

ManifestFolder::ManifestFolder() {
    auto name = (fs::temp_directory_path() / "di-recipe-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root_ = name;
}

ManifestFolder::ManifestFolder(const Files& files)
    : ManifestFolder() {
    for (const auto& [name, text] : files) {
        add(name, text);
    }
}

ManifestFolder::~ManifestFolder() {
    std::error_code error;
    fs::remove_all(root_, error);
}

ManifestFolder& ManifestFolder::add(const std::string& name, const std::string& text) {
    fs::create_directories(path(name).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    return *this;
}

fs::path ManifestFolder::path(const std::string& name) const {
    return name.empty() ? root_ : root_ / name;
}

recipe::Recipe ManifestFolder::read(const std::string& below) const {
    return recipe::read_recipe({path(below).string()});
}

const model::Component& component(const recipe::Recipe& recipe, const std::string& name) {
    const model::Component* found = nullptr;
    for (const auto& one : recipe.components) {
        found = one.name == name ? &one : found;
    }
    INFO("component " << name << " among " << recipe.components.size() << "\n" << rows(recipe));
    REQUIRE(found != nullptr);
    return *found;
}

std::string value(const model::Component& component, const std::string& variable) {
    const auto found = component.vars.find(variable);
    if (found == component.vars.end()) {
        return "-";
    }
    const auto unknown = component.unknown.find(variable);
    if (unknown != component.unknown.end()) {
        return "? " + unknown->second.why;
    }
    const auto& seen = found->second.value;
    return seen ? *seen : "? " + seen.unseen()->why;
}

std::string rows(const recipe::Recipe& recipe) {
    std::string text;
    for (const auto& row : recipe.checks) {
        text += row.code + " " + row.subject.name + ": " + row.detail + "\n";
    }
    return text;
}

std::string graph_with(const std::string& lines) {
    return R"(apiVersion: nvidia.com/v1beta1
kind: DynamoGraphDeployment
metadata: {name: g}
spec:
  components:
  - name: Prefill
    type: prefill
    podTemplate:
      spec:
        containers:
        - name: main
)" + lines;
}

std::string graph_with_env(const std::string& entries) {
    return graph_with("          command: [python3, -m, dynamo.vllm]\n          env:\n" + entries);
}

} // namespace di::test
