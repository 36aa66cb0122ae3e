// A command inside a root tree: its own process group, nothing of kubesim's environment.
#pragma once

#include "base/result.hpp"
#include "kubesim/handles.hpp"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace di::kubesim {

/// How a command gets its own root and device files; see `detect_isolation`.
enum class Isolation : std::uint8_t {
    chroot,         ///< as root: device nodes were made with mknod
    user_namespace, ///< device files are bind mounts of the host's /dev/null
    unavailable,
};

struct DeviceFile {
    std::filesystem::path path; ///< in the private copy of the tree
    const char* source;         ///< the host's device: "/dev/null"
};

/// A tree that is ready to be entered.
struct RootTree {
    std::filesystem::path path;
    unsigned uid = 0; ///< of commands; the group id is the same number
    Isolation isolation = Isolation::unavailable;
    std::vector<DeviceFile> devices; ///< to be mounted; only for user_namespace
};

enum class Stdin : std::uint8_t { none, pipe };
enum class Stderr : std::uint8_t { separate, with_stdout };

struct Command {
    const RootTree* tree = nullptr;
    std::vector<std::string> argv = {};
    std::vector<std::string> env = {}; ///< NAME=value; PATH is used to find argv[0]
    Stdin stdin_mode = Stdin::none;
    Stderr stderr_mode = Stderr::separate;
};

class Process {
public:
    /// Errors: the cause as a container runtime words it, `exec: "x": executable file not found
    /// in $PATH`.
    static Result<Process> start(const Command& command);

    Process(Process&& other) noexcept
        : input(std::move(other.input)),
          output(std::move(other.output)),
          errors(std::move(other.errors)),
          pid_(std::exchange(other.pid_, -1)),
          pid_fd_(std::move(other.pid_fd_)) {}

    Process& operator=(Process&&) = delete;
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    /// Kills a command that still runs, with its process group.
    ~Process();

    /// Readable once the command itself has ended.
    [[nodiscard]] int ended_fd() const { return pid_fd_.get(); }

    /// Waits for the end and kills what is left of the process group. The exit code, or
    /// 128 + signal.
    int wait();

    UniqueFd input;  ///< not open without Stdin::pipe
    UniqueFd output; ///< nonblocking
    UniqueFd errors; ///< nonblocking; not open for Stderr::with_stdout

private:
    Process() = default;

    pid_t pid_ = -1; ///< -1 once it is reaped
    UniqueFd pid_fd_;
};

} // namespace di::kubesim
