// The real outside world: environment, files, and credential plugins as child processes.
#include "base/strings.hpp"
#include "kubeconfig/surroundings.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

extern char** environ; // NOLINT(readability-redundant-declaration): unistd.h has it only for GNU

namespace di::kubeconfig {
namespace {

constexpr std::size_t k_largest_file = std::size_t{16} << 20U;
constexpr std::size_t k_longest_output = std::size_t{1} << 20U;

/// A file descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int fd)
        : fd_(fd) {}

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;

    ~Descriptor() { close(); }

    [[nodiscard]] int get() const { return fd_; }

    void close() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
        fd_ = -1;
    }

private:
    int fd_;
};

/// Appends up to `limit` bytes; false when there was more, or an error.
bool read_all(int fd, std::string& text, std::size_t limit) {
    std::array<char, 65536> piece{};
    for (;;) {
        const auto count = ::read(fd, piece.data(), piece.size());
        if (count == 0) {
            return true;
        }
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0 || text.size() + static_cast<std::size_t>(count) > limit) {
            errno = count < 0 ? errno : EFBIG;
            return false;
        }
        text.append(piece.data(), static_cast<std::size_t>(count));
    }
}

FileText read_file(const std::string& path) {
    FileText file;
    Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0) {
        file.outcome = errno == ENOENT ? FileText::Outcome::missing : FileText::Outcome::failed;
        file.detail = std::strerror(errno);
        return file;
    }
    const bool read = read_all(fd.get(), file.text, k_largest_file);
    file.outcome = read ? FileText::Outcome::read : FileText::Outcome::failed;
    file.detail = read ? "" : std::strerror(errno);
    return file;
}

bool is_executable_file(const std::string& path) {
    struct stat status {};

    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           ::access(path.c_str(), X_OK) == 0;
}

/// The program's path, "" when there is none. A name without a slash is looked up in PATH's
/// absolute directories only: nothing is run because of where we stand.
std::string find_program(const std::string& name) {
    if (contains(name, "/")) {
        return is_executable_file(name) ? name : std::string();
    }
    const char* list = std::getenv("PATH");
    for (const auto directory : split(list == nullptr ? "" : list, ':')) {
        auto path = std::string(directory) + '/' + name;
        if (!directory.empty() && directory.front() == '/' && is_executable_file(path)) {
            return path;
        }
    }
    return {};
}

/// Our environment with `added` in place of variables of the same name.
std::vector<std::string>
make_environment(const std::vector<std::pair<std::string, std::string>>& added) {
    std::vector<std::string> variables;
    const auto set = [&](const std::string& name, const std::string& assignment) {
        std::erase_if(variables, [&](std::string_view variable) {
            return variable.starts_with(name) && variable.substr(name.size()).starts_with('=');
        });
        variables.push_back(assignment);
    };
    for (char** variable = environ; *variable != nullptr; ++variable) {
        variables.emplace_back(*variable);
    }
    for (const auto& [name, value] : added) {
        set(name, fmt::format("{}={}", name, value));
    }
    return variables;
}

std::vector<char*> to_pointers(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (auto& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

/// Starts the program with its stdout in `out`; 0 on success, else an errno.
int spawn(pid_t& child, const std::string& program, const Command& command, int out) {
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (command.input == Stdin::none) {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    sigset_t defaults{}; // we may ignore SIGPIPE; the plugin has its own mind
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    auto argv = command.argv;
    auto environment = make_environment(command.env);
    const int failed = posix_spawn(&child,
                                   program.c_str(),
                                   &actions,
                                   &attributes,
                                   to_pointers(argv).data(),
                                   to_pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

CommandResult await(pid_t child, CommandResult result) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (result.outcome == CommandResult::Outcome::exited && WIFSIGNALED(status)) {
        result.outcome = CommandResult::Outcome::killed;
        result.detail = std::string("killed: ") + strsignal(WTERMSIG(status));
    }
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return result;
}

CommandResult run(const Command& command) {
    CommandResult result;
    const auto program = find_program(command.argv.front());
    if (program.empty()) {
        result.outcome = CommandResult::Outcome::not_found;
        return result;
    }
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        result.outcome = CommandResult::Outcome::not_started;
        result.detail = std::strerror(errno);
        return result;
    }
    Descriptor reading(ends[0]);
    Descriptor writing(ends[1]);
    pid_t child = 0;
    if (const int failed = spawn(child, program, command, writing.get()); failed != 0) {
        result.outcome = CommandResult::Outcome::not_started;
        result.detail = std::strerror(failed);
        return result;
    }
    writing.close();
    if (!read_all(reading.get(), result.out, k_longest_output)) {
        result.outcome = CommandResult::Outcome::endless_output;
        ::kill(child, SIGKILL);
    }
    return await(child, std::move(result));
}

} // namespace

Surroundings machine_surroundings() {
    Surroundings machine;
    machine.environment = [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    };
    machine.read_file = read_file;
    machine.run = run;
    machine.now = std::chrono::system_clock::now;
    std::error_code ignored;
    machine.working_directory = std::filesystem::current_path(ignored).string();
    machine.terminal_on_stdin = ::isatty(STDIN_FILENO) == 1;
    return machine;
}

} // namespace di::kubeconfig
