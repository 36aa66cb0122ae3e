#include "kubesim/scenarios/tree.hpp"

#include <fstream>
#include <system_error>
#include <utility>

namespace di::kubesim::scenarios {
namespace fs = std::filesystem;

namespace {

Error cannot_write(const fs::path& path, const std::error_code& cause) {
    return {ErrorKind::config,
            "cannot write",
            path.string(),
            cause ? cause.message() : "the file cannot be opened or is cut short",
            ""};
}

Result<Done> write_link(const fs::path& path, const std::string& target) {
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    fs::remove(path, failure);
    fs::create_symlink(target, path, failure);
    return failure ? Result<Done>(cannot_write(path, failure)) : Result<Done>(Done{});
}

Result<Done> write_executable(const fs::path& path, const std::string& text) {
    if (auto written = write_file(path, text); !written) {
        return written;
    }
    std::error_code failure;
    constexpr auto k_execute =
        fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    fs::permissions(path, k_execute, fs::perm_options::add, failure);
    return failure ? Result<Done>(cannot_write(path, failure)) : Result<Done>(Done{});
}

Result<Done> write_folder(const fs::path& path) {
    std::error_code failure;
    fs::create_directories(path, failure);
    return failure ? Result<Done>(cannot_write(path, failure)) : Result<Done>(Done{});
}

Result<Done> write_entry(const fs::path& path, const Tree::Entry& entry) {
    switch (entry.kind) {
    case Tree::Kind::link:
        return write_link(path, entry.text);
    case Tree::Kind::executable:
        return write_executable(path, entry.text);
    case Tree::Kind::folder:
        return write_folder(path);
    case Tree::Kind::file:
        break;
    }
    return write_file(path, entry.text);
}

} // namespace

void Tree::file(const std::string& path, std::string text) {
    entries_[path] = {Kind::file, std::move(text)};
}

void Tree::line(const std::string& path, std::string_view text) {
    file(path, std::string(text) + "\n");
}

void Tree::executable(const std::string& path, std::string text) {
    entries_[path] = {Kind::executable, std::move(text)};
}

void Tree::link(const std::string& path, std::string target) {
    entries_[path] = {Kind::link, std::move(target)};
}

void Tree::folder(const std::string& path) {
    entries_[path] = {Kind::folder, ""};
}

Result<Done> Tree::write(const fs::path& root) const {
    for (const auto& [path, entry] : entries_) {
        if (auto written = write_entry(root / path, entry); !written) {
            return written;
        }
    }
    return Done{};
}

Result<Done> write_file(const fs::path& path, std::string_view text) {
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    if (failure) {
        return cannot_write(path, failure);
    }
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    return file ? Result<Done>(Done{}) : Result<Done>(cannot_write(path, {}));
}

} // namespace di::kubesim::scenarios
