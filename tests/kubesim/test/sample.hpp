// Small clusters on disk for the unit tests.
#pragma once

#include "kubesim/handles.hpp"
#include "kubesim/store.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace di::kubesim::test {

/// A scenario's directory, removed at the end of the test.
class Folder {
public:
    Folder()
        : directory_(std::move(*TempDir::make())) {}

    /// Writes a file, with the folders above it.
    void write(const std::filesystem::path& name, const std::string& text) const {
        const auto path = directory_.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

    [[nodiscard]] const std::filesystem::path& path() const { return directory_.path(); }

    [[nodiscard]] Store load() const {
        auto store = Store::load(path());
        REQUIRE(store.ok());
        return std::move(*store);
    }

private:
    TempDir directory_;
};

/// A PodList of these items.
inline std::string pod_list(const std::string& items) {
    return R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[)" + items + "]}";
}

/// An object that was read from `{"metadata":…,"spec":…,"status":…}`.
inline Object read_pod(const std::string& json) {
    const Folder folder;
    folder.write("objects/pods.json", pod_list(json));
    return folder.load().pods().objects.front();
}

} // namespace di::kubesim::test
