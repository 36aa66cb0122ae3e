// A container's file system in memory, and on disk.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace di::kubesim::scenarios {

/// Paths are relative to the container's /, without a leading slash.
class Tree {
public:
    enum class Kind : std::uint8_t { file, executable, link, folder };

    struct Entry {
        Kind kind = Kind::file;
        std::string text; ///< contents, or a link's target
    };

    /// The text as it is.
    void file(const std::string& path, std::string text);

    /// One line, as procfs and sysfs print values: with its newline.
    void line(const std::string& path, std::string_view text);

    void executable(const std::string& path, std::string text);
    void link(const std::string& path, std::string target);
    void folder(const std::string& path);

    [[nodiscard]] const std::map<std::string, Entry>& entries() const { return entries_; }

    /// Creates or overwrites the entries under `root`.
    [[nodiscard]] Result<Done> write(const std::filesystem::path& root) const;

private:
    std::map<std::string, Entry> entries_;
};

/// Creates the folders above a file and the file. Errors: config.
Result<Done> write_file(const std::filesystem::path& path, std::string_view text);

} // namespace di::kubesim::scenarios
