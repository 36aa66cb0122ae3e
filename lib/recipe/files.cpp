#include "recipe/files.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>

namespace di::recipe {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t k_largest_file = std::uintmax_t{4} << 20U;
constexpr std::size_t k_most_files = 20'000;
constexpr int k_deepest_folder = 40;

bool is_read_by_kubectl(const fs::path& path) {
    static constexpr std::array<std::string_view, 3> k_extensions = {".yaml", ".yml", ".json"};
    const auto extension = path.extension().string();
    return std::find(k_extensions.begin(), k_extensions.end(), extension) != k_extensions.end() ||
           path.filename() == "Kustomization";
}

class Walker {
public:
    void start(const std::string& path) {
        switch (type_of(path)) {
        case PathType::absent:
            walk.absent.push_back(path);
            break;
        case PathType::folder:
            folder(path, 0);
            break;
        default:
            file(path, true);
        }
    }

    Walk walk;

private:
    void folder(const fs::path& path, int depth) {
        std::error_code error;
        if (!seen_.insert(fs::canonical(path, error).string()).second) {
            return;
        }
        if (depth > k_deepest_folder) {
            walk.files.push_back({path.string(), true, "folders are nested too deeply"});
            return;
        }
        std::vector<fs::path> entries;
        for (fs::directory_iterator entry(path, error), end; !error && entry != end;
             entry.increment(error)) {
            entries.push_back(entry->path());
        }
        if (error) {
            walk.files.push_back({path.string(), true, error.message()});
            return;
        }
        std::sort(entries.begin(), entries.end());
        if (fs::exists(path / "Chart.yaml", error)) {
            walk.charts.push_back(path.string());
        }
        for (const auto& entry : entries) {
            if (fs::is_directory(entry, error)) {
                folder(entry, depth + 1);
            } else if (is_read_by_kubectl(entry)) {
                file(entry, false);
            }
        }
    }

    void file(const fs::path& path, bool named) {
        std::error_code error;
        const auto canonical = fs::canonical(path, error);
        if (error) {
            const bool link = fs::is_symlink(path);
            walk.files.push_back(
                {path.string(), named, link ? "dangling symbolic link" : error.message()});
            return;
        }
        if (!seen_.insert(canonical.string()).second) {
            return;
        }
        if (walk.files.size() >= k_most_files) {
            return;
        }
        walk.files.push_back({path.string(), named, ""});
    }

    std::set<std::string> seen_;
};

/// The text, or why there is none.
std::string read_file(const std::string& path, std::string& text) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) {
        return "not a regular file";
    }
    const auto size = fs::file_size(path, error);
    if (error) {
        return error.message();
    }
    if (size > k_largest_file) {
        return fmt::format("larger than {} MiB", k_largest_file >> 20U);
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        return "permission denied";
    }
    text.resize(size);
    stream.read(text.data(), static_cast<std::streamsize>(size));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    return "";
}

} // namespace

Walk find_files(const std::vector<std::string>& paths) {
    Walker walker;
    for (const auto& path : paths) {
        walker.start(path);
    }
    return std::move(walker.walk);
}

ParsedFile& FileStore::at(const std::string& path) {
    auto& file = files_[normal_path(path)];
    if (!file.is_read) {
        file.is_read = true;
        file.path = std::make_shared<const std::string>(path);
        if (auto problem = read_file(path, file.text); !problem.empty()) {
            file.is_parsed = true;
            file.errors.push_back({std::move(problem), 0, 0});
        }
    }
    return file;
}

const ParsedFile& FileStore::open(const std::string& path) {
    auto& file = at(path);
    if (!file.is_parsed) {
        file.is_parsed = true;
        auto documents = parse_documents(file.text, file.path);
        file.roots = std::move(documents.roots);
        file.errors = std::move(documents.errors);
    }
    return file;
}

const ParsedFile& FileStore::read(const std::string& path) {
    return at(path);
}

std::vector<const ParsedFile*> FileStore::broken() const {
    std::vector<const ParsedFile*> files;
    for (const auto& [path, file] : files_) {
        if (!file.errors.empty()) {
            files.push_back(&file);
        }
    }
    return files;
}

std::string normal_path(const std::string& path) {
    auto normal = fs::path(path).lexically_normal().string();
    if (normal.size() > 1 && normal.back() == '/') {
        normal.pop_back();
    }
    return normal;
}

std::string folder_of(const std::string& path) {
    const auto folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

std::string file_name_of(const std::string& path) {
    return fs::path(path).filename().string();
}

std::string path_in(const std::string& folder, const std::string& name) {
    return folder == "." ? normal_path(name) : normal_path((fs::path(folder) / name).string());
}

PathType type_of(const std::string& path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (fs::is_regular_file(status)) {
        return PathType::file;
    }
    if (fs::is_directory(status)) {
        return PathType::folder;
    }
    const bool absent = !fs::exists(status) && !fs::is_symlink(fs::symlink_status(path, error));
    return absent ? PathType::absent : PathType::other;
}

} // namespace di::recipe
