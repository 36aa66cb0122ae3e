// One Catch test for each folder of a corpus, so that ctest shows every case under its own name.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace di::test {

using FolderCheck = void (*)(const std::filesystem::path& folder);

/// Sorted by name. A corpus without any folder ends the program: no test would be missed otherwise.
inline std::vector<std::filesystem::path> folders_of(const std::filesystem::path& root) {
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
        if (entry.is_directory()) {
            folders.push_back(entry.path());
        }
    }
    if (folders.empty()) {
        std::fprintf(stderr, "no case in %s\n", root.c_str());
        std::abort();
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

/// As an object of static storage: registers `check` once for each path, called `prefix` and the
/// path's last part.
class FolderTests {
public:
    FolderTests(const std::string& prefix,
                const std::vector<std::filesystem::path>& folders,
                FolderCheck check) {
        for (const auto& folder : folders) {
            tests_.emplace_back(new Invoker(folder, check),
                                CATCH_INTERNAL_LINEINFO,
                                Catch::StringRef(),
                                Catch::NameAndTags(prefix + folder.filename().string()));
        }
    }

private:
    class Invoker final : public Catch::ITestInvoker {
    public:
        Invoker(std::filesystem::path folder, FolderCheck check)
            : folder_(std::move(folder)),
              check_(check) {}

        void invoke() const override { check_(folder_); }

    private:
        std::filesystem::path folder_;
        FolderCheck check_;
    };

    std::deque<Catch::AutoReg> tests_; ///< each takes its Invoker over
};

} // namespace di::test
