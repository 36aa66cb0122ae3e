// The outside world as a parameter, so that loading a kubeconfig needs neither disk nor processes.
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace di::kubeconfig {

enum class Stdin : std::uint8_t { none, inherited };

/// A credential plugin to be run. No shell; `argv[0]` without a slash is looked up in PATH.
struct Command {
    std::vector<std::string> argv;
    std::vector<std::pair<std::string, std::string>> env; ///< added to ours, the later one wins
    Stdin input = Stdin::none;
};

struct CommandResult {
    enum class Outcome : std::uint8_t { exited, not_found, not_started, killed, endless_output };

    Outcome outcome = Outcome::exited;
    int exit_code = 0;  ///< when exited
    std::string out;    ///< stdout; stderr went to ours
    std::string detail; ///< when it did not exit by itself: the system's words
};

/// What reading a file gave.
struct FileText {
    enum class Outcome : std::uint8_t { read, missing, failed };

    Outcome outcome = Outcome::missing;
    std::string text;
    std::string detail; ///< the system's words when it could not be read: "permission denied"
};

struct Surroundings {
    std::function<std::optional<std::string>(const std::string& name)> environment;
    std::function<FileText(const std::string& path)> read_file;
    std::function<CommandResult(const Command&)> run;
    std::function<std::chrono::system_clock::time_point()> now;
    std::string working_directory;  ///< absolute
    bool terminal_on_stdin = false; ///< a plugin may ask the user
};

/// This process's environment, files and commands.
Surroundings machine_surroundings();

} // namespace di::kubeconfig
