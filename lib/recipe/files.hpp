// The files below the paths that a user names, and their text. The only part of this room that
// touches the disk.
#pragma once

#include "recipe/yaml_reader.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace di::recipe {

/// One file that was found, or why it is none. `path` is spelled as the user would.
struct FoundFile {
    std::string path;
    bool named = false;  ///< by the user, so it is read whatever its name ends in
    std::string problem; ///< "dangling symbolic link", ...; empty when it can be read
};

struct Walk {
    std::vector<FoundFile> files;    ///< those with an extension that kubectl reads, in order
    std::vector<std::string> absent; ///< paths that do not exist
    std::vector<std::string> charts; ///< folders with a Chart.yaml
};

/// Names in each folder sorted; a folder or file that is reached twice counts once, so that loops
/// of symbolic links end.
Walk find_files(const std::vector<std::string>& paths);

/// A file as documents, or what is wrong with it.
struct ParsedFile {
    std::shared_ptr<const std::string> path;
    std::string text;
    bool is_read = false;
    bool is_parsed = false;
    std::vector<NodePtr> roots;
    std::vector<SyntaxError> errors;
};

/// Reads each file once.
class FileStore {
public:
    /// The file's documents.
    const ParsedFile& open(const std::string& path);

    /// The file's text alone.
    const ParsedFile& read(const std::string& path);

    /// Files that could not be read or parsed so far, by path.
    [[nodiscard]] std::vector<const ParsedFile*> broken() const;

    [[nodiscard]] std::size_t count() const { return files_.size(); }

private:
    ParsedFile& at(const std::string& path);

    std::map<std::string, ParsedFile> files_;
};

/// A path without `.` and `..` where that can be told from its text alone: "a/../b" is "b".
std::string normal_path(const std::string& path);

std::string folder_of(const std::string& path);
std::string file_name_of(const std::string& path);

/// `name` as seen from a folder.
std::string path_in(const std::string& folder, const std::string& name);

enum class PathType : std::uint8_t { absent, file, folder, other };
PathType type_of(const std::string& path);

} // namespace di::recipe
