// Owners of operating-system handles: closed or removed exactly once.
#pragma once

#include "base/result.hpp"

#include <unistd.h>

#include <filesystem>
#include <utility>

namespace di::kubesim {

class UniqueFd {
public:
    UniqueFd() = default;

    explicit UniqueFd(int fd)
        : fd_(fd) {}

    UniqueFd(UniqueFd&& other) noexcept
        : fd_(std::exchange(other.fd_, -1)) {}

    UniqueFd& operator=(UniqueFd&& other) noexcept {
        if (this != &other) {
            reset();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }

    UniqueFd(const UniqueFd&) = delete;
    UniqueFd& operator=(const UniqueFd&) = delete;

    ~UniqueFd() { reset(); }

    void reset() {
        if (fd_ >= 0) {
            ::close(std::exchange(fd_, -1));
        }
    }

    [[nodiscard]] int get() const { return fd_; }

    [[nodiscard]] bool open() const { return fd_ >= 0; }

private:
    int fd_ = -1;
};

/// A private directory under $TMPDIR (or /tmp), removed with all it holds.
class TempDir {
public:
    static Result<TempDir> make();

    TempDir(TempDir&& other) noexcept
        : path_(std::exchange(other.path_, {})) {}

    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    TempDir& operator=(TempDir&&) = delete;
    ~TempDir();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    explicit TempDir(std::filesystem::path path)
        : path_(std::move(path)) {}

    std::filesystem::path path_;
};

} // namespace di::kubesim
