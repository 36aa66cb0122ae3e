// A manifest on disk, from its text to the environment of its components.
#include "recipe/recipe.hpp"

#include "fuzz.hpp"
#include "recipe/objects.hpp"
#include "recipe/yaml_reader.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace {

using namespace di;
using fuzz::require;

/// The input as a file, while it is looked at.
class File {
public:
    explicit File(std::string_view text)
        : path_(std::filesystem::temp_directory_path() /
                ("di-fuzz-" + std::to_string(getpid()) + ".yaml")) {
        std::ofstream(path_, std::ios::binary) << text;
    }

    ~File() { std::filesystem::remove(path_); }

    File(const File&) = delete;
    File& operator=(const File&) = delete;
    File(File&&) = delete;
    File& operator=(File&&) = delete;

    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

void require_rows(const recipe::Recipe& read) {
    for (const auto& check : read.checks) {
        require(!check.code.empty() && !check.detail.empty(), "a row has a code and words");
        require(check.reason.has_value() == (check.status == model::Status::skipped),
                "what is skipped has a reason");
    }
}

} // namespace

DI_FUZZ_TARGET(recipe) {
    const auto name = std::make_shared<const std::string>("manifest.yaml");
    const auto documents = recipe::parse_documents(input, name);
    require(documents.errors.size() <= 1, "reading stops at the first error");
    for (const auto& error : documents.errors) {
        require(!error.cause.empty() && error.line >= 0 && error.column >= 0,
                "an error has a cause and a place");
    }
    for (const auto& root : documents.roots) {
        require(root != nullptr, "a document is there");
        for (const auto& object : recipe::objects_of(root, *name)) {
            require(!object.kind.empty() && !object.api_version.empty(), "an object has a kind");
        }
    }
    const File file(input);
    const auto once = recipe::read_recipe({file.path()});
    const auto again = recipe::read_recipe({file.path()});
    require(once.files == 1 && once.absent.empty(), "the file is read");
    require(once.components.size() == again.components.size() &&
                once.checks.size() == again.checks.size(),
            "the same file reads the same");
    require_rows(once);
}
