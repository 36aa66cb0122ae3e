#include "local_exec.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

extern char** environ; // NOLINT(readability-redundant-declaration): unistd.h has it only for GNU

namespace di::app {
namespace {

using namespace std::chrono_literals;
using model::ExecOutcome;
using model::RawResult;

/// The script caps each section itself; this bounds a shell that does not.
constexpr std::size_t k_most_output = std::size_t{4} << 20U;

/// A child may close its output and live on: look after it at least this often.
constexpr Millis k_look_again = 20ms;

/// A pipe from a child to us; closes itself.
class Pipe {
public:
    Pipe() {
        if (pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
            ends_ = {-1, -1};
        }
    }

    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    Pipe(Pipe&&) = delete;
    Pipe& operator=(Pipe&&) = delete;

    ~Pipe() {
        close_end(0);
        close_end(1);
    }

    [[nodiscard]] int reading() const { return ends_[0]; }

    [[nodiscard]] int writing() const { return ends_[1]; }

    void close_writing() { close_end(1); }

    /// Takes what is there, up to the cap; at the end the pipe is closed.
    void drain(std::string& text) {
        std::array<char, 65536> piece{};
        for (;;) {
            const auto count = read(ends_[0], piece.data(), piece.size());
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count <= 0) {
                if (count == 0) {
                    close_end(0); // poll() would report it again and again
                }
                return;
            }
            const auto room = k_most_output - std::min(k_most_output, text.size());
            text.append(piece.data(), std::min(room, static_cast<std::size_t>(count)));
        }
    }

private:
    void close_end(std::size_t end) {
        if (ends_.at(end) >= 0) {
            close(std::exchange(ends_.at(end), -1));
        }
    }

    std::array<int, 2> ends_{-1, -1};
};

std::vector<char*> to_pointers(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (auto& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

/// Our environment and, in front, where getenv(3) finds them first, more variables.
std::vector<std::string> environment_with(std::vector<std::string> variables) {
    for (char** entry = environ; *entry != nullptr; ++entry) {
        variables.emplace_back(*entry);
    }
    return variables;
}

/// Starts argv with its output in the pipes; 0 on success, else an errno. The reading ends do not
/// block us; the writing ends block the child, as its tools expect.
int spawn_child(pid_t& child,
                std::vector<std::string> argv,
                std::vector<std::string> variables,
                const Pipe& out,
                const Pipe& err) {
    const auto words = to_pointers(argv);
    const auto environment = to_pointers(variables);
    for (const int end : {out.writing(), err.writing()}) {
        fcntl(end, F_SETFL, 0);
    }
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.writing(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.writing(), STDERR_FILENO);
    sigset_t defaults{}; // we ignore SIGPIPE; the probe's pipelines must not
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    const int failed = posix_spawnp(
        &child, words.front(), &actions, &attributes, words.data(), environment.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/// One child, from its start to its end.
class Child {
public:
    Child(const model::ProbeTask& what, const std::vector<std::string>& variables, Instant now)
        : started_(now) {
        failed_ = spawn_child(pid_, what.argv, environment_with(variables), out_, err_);
        out_.close_writing();
        err_.close_writing();
    }

    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    Child(Child&&) = delete;
    Child& operator=(Child&&) = delete;

    ~Child() {
        if (is_running()) {
            kill(-pid_, SIGKILL);
            while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
            }
        }
    }

    [[nodiscard]] std::array<int, 2> descriptors() const {
        return {out_.reading(), err_.reading()};
    }

    /// Takes what was printed; true when the child has ended.
    bool work() {
        int status = 0;
        const bool ended = failed_ != 0 || waitpid(pid_, &status, WNOHANG) == pid_;
        out_.drain(result_.out);
        err_.drain(result_.err);
        if (ended) {
            end(status);
        }
        return ended;
    }

    [[nodiscard]] RawResult take_result(Instant now) {
        result_.duration = std::chrono::duration_cast<Millis>(now - started_);
        return std::move(result_);
    }

private:
    [[nodiscard]] bool is_running() const { return failed_ == 0 && !reaped_; }

    void end(int status) {
        reaped_ = failed_ == 0;
        if (failed_ != 0) {
            result_.outcome = ExecOutcome::refused;
            result_.refusal =
                failed_ == ENOENT ? model::SkipReason::tool_missing : model::SkipReason::unreadable;
            result_.detail = std::strerror(failed_);
        } else if (WIFSIGNALED(status)) {
            result_.outcome = ExecOutcome::truncated;
            result_.detail = std::string("the probe was ended: ") + strsignal(WTERMSIG(status));
        } else {
            result_.outcome = ExecOutcome::completed;
            result_.exit_code = WEXITSTATUS(status);
        }
    }

    Instant started_;
    Pipe out_;
    Pipe err_;
    pid_t pid_ = -1;
    int failed_ = 0; ///< errno of the start
    bool reaped_ = false;
    RawResult result_;
};

class LocalTransport final : public model::ExecTransport {
public:
    LocalTransport(const Clock& clock, int interrupt_descriptor, std::vector<std::string> variables)
        : clock_(clock),
          interrupt_descriptor_(interrupt_descriptor),
          variables_(std::move(variables)) {}

    void start(std::size_t task, const model::ProbeTask& what) override {
        children_.emplace(task, std::make_unique<Child>(what, variables_, clock_.now()));
    }

    std::vector<model::EndedExec> wait(Instant until) override {
        for (;;) {
            auto ended = work();
            if (!ended.empty() || clock_.now() >= until || wait_for_news(until)) {
                return ended;
            }
        }
    }

    RawResult cancel(std::size_t task) override {
        const auto found = children_.find(task);
        found->second->work();
        auto result = found->second->take_result(clock_.now());
        children_.erase(found);
        return result;
    }

private:
    std::vector<model::EndedExec> work() {
        std::vector<model::EndedExec> ended;
        std::erase_if(children_, [&](auto& entry) {
            const bool over = entry.second->work();
            if (over) {
                ended.push_back({entry.first, entry.second->take_result(clock_.now())});
            }
            return over;
        });
        return ended;
    }

    /// Sleeps until there is something to do; true when the user wants to stop.
    bool wait_for_news(Instant until) {
        std::vector<pollfd> watched{{interrupt_descriptor_, POLLIN, 0}};
        for (const auto& [task, child] : children_) {
            for (const int descriptor : child->descriptors()) {
                watched.push_back({descriptor, POLLIN, 0});
            }
        }
        const auto left = std::chrono::duration_cast<Millis>(until - clock_.now());
        const auto most = std::clamp(left, Millis{0}, k_look_again);
        poll(watched.data(), watched.size(), static_cast<int>(most.count()));
        return (watched.front().revents & POLLIN) != 0;
    }

    const Clock& clock_;
    int interrupt_descriptor_;
    std::vector<std::string> variables_;
    std::map<std::size_t, std::unique_ptr<Child>> children_;
};

} // namespace

std::unique_ptr<model::ExecTransport> make_local_transport(const Clock& clock,
                                                           int interrupt_descriptor,
                                                           std::vector<std::string> variables) {
    return std::make_unique<LocalTransport>(clock, interrupt_descriptor, std::move(variables));
}

} // namespace di::app
