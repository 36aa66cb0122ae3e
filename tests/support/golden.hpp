// Expected texts in files. UPDATE_GOLDEN=1 rewrites them; then the test fails, since it compared
// nothing, and a run under CI refuses the switch outright.
#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace di::support {

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Compares `actual` with tests/golden/<name>.
inline void check_golden(const std::string& name, const std::string& actual) {
    const auto path = std::filesystem::path(DI_SOURCE_DIR) / "tests/golden" / name;
    if (std::getenv("UPDATE_GOLDEN") != nullptr) {
        if (std::getenv("CI") != nullptr) {
            FAIL("UPDATE_GOLDEN is for a developer's machine, not for CI");
        }
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << actual;
        FAIL("rewrote " << path << "; run again without UPDATE_GOLDEN");
    }
    INFO("golden file " << path);
    CHECK(actual == read_text(path));
}

} // namespace di::support
