#include "kubesim/process.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

namespace di::kubesim {
namespace {

/// Where a child failed before its command ran; sent through a pipe that exec closes.
struct StartFailure {
    enum class Step : int { isolate, enter, execute } step;
    int error;
};

struct Pipe {
    UniqueFd read;
    UniqueFd write;
};

std::optional<Pipe> make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        return std::nullopt;
    }
    return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

/// Everything the child needs, made before fork: between fork and exec a child of a threaded
/// program may only call async-signal-safe functions, so it cannot allocate.
struct ChildPlan {
    const RootTree* tree = nullptr;
    std::vector<char*> argv;
    std::vector<char*> env;
    std::vector<std::string> candidates; ///< paths of argv[0] in the order of PATH
    std::string id_map;                  ///< "<uid> <our uid> 1"
    std::string gid_map;
    int input = -1;
    int output = -1;
    int errors = -1;
    int failure = -1;
};

bool write_file(const char* path, const std::string& text) {
    const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
    const bool written =
        fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(fd);
    return written;
}

/// A user namespace in which our own user has the id that the command asks for.
bool isolate(const ChildPlan& plan) {
    static const std::string k_deny = "deny";
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 ||
        !write_file("/proc/self/setgroups", k_deny) ||
        !write_file("/proc/self/uid_map", plan.id_map) ||
        !write_file("/proc/self/gid_map", plan.gid_map)) {
        return false;
    }
    for (const auto& device : plan.tree->devices) {
        if (::mount(device.source, device.path.c_str(), nullptr, MS_BIND, nullptr) != 0) {
            return false;
        }
    }
    return true;
}

/// Raw system calls: glibc's wrappers would try to change the threads of the parent too.
bool become(unsigned id) {
    return ::syscall(SYS_setgroups, 0, nullptr) == 0 && ::syscall(SYS_setresgid, id, id, id) == 0 &&
           ::syscall(SYS_setresuid, id, id, id) == 0;
}

[[noreturn]] void give_up(const ChildPlan& plan, StartFailure::Step step, int error) {
    const StartFailure failure{step, error};
    [[maybe_unused]] const auto written = ::write(plan.failure, &failure, sizeof failure);
    ::_exit(127);
}

[[noreturn]] void run_child(const ChildPlan& plan) {
    ::setsid();
    ::dup2(plan.input, STDIN_FILENO);
    ::dup2(plan.output, STDOUT_FILENO);
    ::dup2(plan.errors, STDERR_FILENO);
    const bool namespaced = plan.tree->isolation == Isolation::user_namespace;
    if (namespaced && !isolate(plan)) {
        give_up(plan, StartFailure::Step::isolate, errno);
    }
    if (::chroot(plan.tree->path.c_str()) != 0 || ::chdir("/") != 0 ||
        (!namespaced && !become(plan.tree->uid))) {
        give_up(plan, StartFailure::Step::enter, errno);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::umask(022);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    int error = ENOENT;
    for (const auto& candidate : plan.candidates) {
        ::execve(candidate.c_str(), plan.argv.data(), plan.env.data());
        error = errno == ENOENT || errno == ENOTDIR ? error : errno;
    }
    give_up(plan, StartFailure::Step::execute, error);
}

std::vector<std::string> find_candidates(const Command& command) {
    const auto& program = command.argv.front();
    if (contains(program, "/")) {
        return {program};
    }
    std::vector<std::string> candidates;
    constexpr std::string_view k_path = "PATH=";
    for (const std::string_view assignment : command.env) {
        if (assignment.substr(0, k_path.size()) == k_path) {
            for (const auto folder : split(assignment.substr(k_path.size()), ':')) {
                candidates.push_back(fmt::format("{}/{}", folder, program));
            }
        }
    }
    return candidates;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (const auto& text : texts) {
        result.push_back(const_cast<char*>(text.c_str()));
    }
    result.push_back(nullptr);
    return result;
}

std::string describe(const StartFailure& failure, const std::string& program) {
    switch (failure.step) {
    case StartFailure::Step::isolate:
        return fmt::format("cannot make a user namespace: {}", std::strerror(failure.error));
    case StartFailure::Step::enter:
        return fmt::format("cannot enter the root tree: {}", std::strerror(failure.error));
    case StartFailure::Step::execute:
        break;
    }
    if (failure.error != ENOENT) {
        return fmt::format("exec: \"{}\": {}", program, to_lower(std::strerror(failure.error)));
    }
    return contains(program, "/")
               ? fmt::format("exec: \"{0}\": stat {0}: no such file or directory", program)
               : fmt::format("exec: \"{}\": executable file not found in $PATH", program);
}

void make_nonblocking(const UniqueFd& fd) {
    if (fd.open()) {
        ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
    }
}

} // namespace

Result<Process> Process::start(const Command& command) {
    auto output = make_pipe();
    auto errors = make_pipe();
    auto failed = make_pipe();
    auto input = make_pipe();
    const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!output || !errors || !failed || !input) {
        return Error{ErrorKind::internal, "exec", "", std::strerror(errno), ""};
    }
    ChildPlan plan;
    plan.tree = command.tree;
    plan.argv = pointers(command.argv);
    plan.env = pointers(command.env);
    plan.candidates = find_candidates(command);
    plan.id_map = fmt::format("{} {} 1", command.tree->uid, ::geteuid());
    plan.gid_map = fmt::format("{} {} 1", command.tree->uid, ::getegid());
    plan.input = command.stdin_mode == Stdin::pipe ? input->read.get() : nothing.get();
    plan.output = output->write.get();
    plan.errors =
        command.stderr_mode == Stderr::separate ? errors->write.get() : output->write.get();
    plan.failure = failed->write.get();

    Process process;
    process.pid_ = ::fork();
    if (process.pid_ == 0) {
        run_child(plan);
    }
    if (process.pid_ < 0) {
        return Error{ErrorKind::internal, "exec", "", std::strerror(errno), ""};
    }
    failed->write.reset();
    StartFailure failure{};
    if (::read(failed->read.get(), &failure, sizeof failure) == sizeof failure) {
        return Error{ErrorKind::not_found, "exec", "", describe(failure, command.argv.front()), ""};
    }
    // glibc 2.36 declares pidfd_open for C only.
    process.pid_fd_ = UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, process.pid_, 0U)));
    process.output = std::move(output->read);
    make_nonblocking(process.output);
    if (command.stdin_mode == Stdin::pipe) {
        process.input = std::move(input->write);
        make_nonblocking(process.input);
    }
    if (command.stderr_mode == Stderr::separate) {
        process.errors = std::move(errors->read);
        make_nonblocking(process.errors);
    }
    return process;
}

int Process::wait() {
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT) < 0 &&
           errno == EINTR) {
    }
    // Before the leader is reaped: until then nothing else can have its group's id.
    ::kill(-pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Process::~Process() {
    if (pid_ > 0) {
        ::kill(-pid_, SIGKILL);
        ::kill(pid_, SIGKILL); // it may not have its own group yet
        wait();
    }
}

} // namespace di::kubesim
