#include "container.hpp"

#include "probe/script.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace di::probe {
namespace fs = std::filesystem;

namespace {

constexpr std::array k_applets = {
    "cat", "grep", "head", "kill", "ln", "sleep", "timeout", "tr", "yes", "printf", "env"};

std::string first_existing(std::initializer_list<const char*> paths) {
    for (const char* path : paths) {
        if (fs::exists(path)) {
            return path;
        }
    }
    return {};
}

std::string shell_path(const std::string& name) {
    return first_existing({("/usr/bin/" + name).c_str(), ("/bin/" + name).c_str()});
}

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Absolute paths in the output of ldd; none for a static program.
std::vector<std::string> libraries_of(const std::string& program) {
    std::vector<std::string> found;
    FILE* const listing = popen(("ldd " + program + " 2>/dev/null").c_str(), "r");
    REQUIRE(listing != nullptr);
    std::array<char, 4096> line{};
    while (fgets(line.data(), line.size(), listing) != nullptr) {
        std::istringstream words(line.data());
        for (std::string word; words >> word;) {
            if (word.front() == '/') {
                found.push_back(word);
            }
        }
    }
    pclose(listing);
    return found;
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

struct Pipe {
    std::array<int, 2> ends{};

    Pipe() { REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0); }
};

int exit_code(pid_t child) {
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Reads both until both end.
void read_both(int out, int err, Ran& ran) {
    std::array<pollfd, 2> open = {pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
    std::array<std::string*, 2> texts = {&ran.out, &ran.err};
    while (open[0].fd >= 0 || open[1].fd >= 0) {
        poll(open.data(), open.size(), -1);
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (open[i].fd < 0 || open[i].revents == 0) {
                continue;
            }
            std::array<char, 65536> chunk{};
            const auto got = read(open[i].fd, chunk.data(), chunk.size());
            if (got > 0) {
                texts[i]->append(chunk.data(), static_cast<std::size_t>(got));
            } else {
                close(open[i].fd);
                open[i].fd = -1;
            }
        }
    }
}

} // namespace

std::vector<Shell> shells() {
    std::vector<Shell> found;
    if (!shell_path("dash").empty()) {
        found.push_back({"dash", {"/bin/sh", "-c"}});
    }
    if (!shell_path("bash").empty()) {
        found.push_back({"bash", {"/bin/sh", "-c"}});
        found.push_back({"bash", {"/bin/bash", "-c"}});
    }
    if (!shell_path("busybox").empty()) {
        found.push_back({"busybox", {"/bin/sh", "-c"}});
    }
    return found;
}

std::string Container::why_not() {
    if (geteuid() != 0) {
        return "chroot needs root";
    }
    const auto path = fs::temp_directory_path() / ("di-device-" + std::to_string(getpid()));
    const bool made = mknod(path.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0;
    const int opened = made ? open(path.c_str(), O_RDWR | O_CLOEXEC) : -1;
    if (opened >= 0) {
        close(opened);
    }
    fs::remove(path);
    return opened >= 0 ? "" : "device nodes cannot be made or opened here";
}

Container::Container(const Shell& shell, Tools tools)
    : shell_(shell) {
    auto name = (fs::temp_directory_path() / "di-container-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root_ = name;
    fs::permissions(root_, fs::perms(0755));
    copy("/bin/sh", shell_path(shell.name));
    if (shell.name == "bash") {
        copy("/bin/bash", shell_path("bash"));
    }
    null_device("/dev/null");
    directory("/proc");
    if (tools == Tools::busybox) {
        copy("/bin/busybox", shell_path("busybox"));
        for (const char* applet : k_applets) {
            link(std::string("/bin/") + applet, "busybox");
        }
    }
}

Container::~Container() {
    for (const pid_t child : started_) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    fs::remove_all(root_);
}

fs::path Container::inside(const std::string& path) const {
    return root_ / path.substr(1);
}

Container& Container::file(const std::string& path, const std::string& text, unsigned mode) {
    directory(fs::path(path).parent_path().string());
    std::ofstream(inside(path), std::ios::binary) << text;
    fs::permissions(inside(path), fs::perms(mode));
    return *this;
}

Container& Container::directory(const std::string& path, unsigned mode) {
    fs::create_directories(inside(path));
    fs::permissions(inside(path), fs::perms(mode));
    return *this;
}

Container& Container::link(const std::string& path, const std::string& target) {
    directory(fs::path(path).parent_path().string());
    fs::create_symlink(target, inside(path));
    return *this;
}

Container& Container::null_device(const std::string& path, unsigned mode) {
    directory(fs::path(path).parent_path().string());
    REQUIRE(mknod(inside(path).c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0);
    fs::permissions(inside(path), fs::perms(mode));
    return *this;
}

Container& Container::program(const std::string& path, const std::string& shell_text) {
    return file(path, "#!/bin/sh\n" + shell_text + "\n", 0755);
}

Container& Container::copy(const std::string& path, const std::string& from) {
    directory(fs::path(path).parent_path().string());
    fs::copy_file(from, inside(path), fs::copy_options::overwrite_existing);
    for (const auto& library : libraries_of(from)) {
        directory(fs::path(library).parent_path().string());
        fs::copy_file(library, inside(library), fs::copy_options::skip_existing);
    }
    return *this;
}

Container& Container::real_proc() {
    real_proc_ = true;
    return *this;
}

Container& Container::user(uid_t uid) {
    uid_ = uid;
    return *this;
}

Container& Container::environment(std::vector<std::string> entries) {
    for (auto& entry : entries) {
        environment_.push_back(std::move(entry));
    }
    return *this;
}

/// Runs in the child, where nothing may return and no assertion can be reported.
void Container::enter_and_run(const std::vector<std::string>& argv,
                              const std::vector<std::string>& env) const {
    const bool entered =
        (!real_proc_ || (unshare(CLONE_NEWNS) == 0 &&
                         mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         mount("proc", inside("/proc").c_str(), "proc", 0, nullptr) == 0)) &&
        chroot(root_.c_str()) == 0 && chdir("/") == 0 && setgid(uid_) == 0 && setuid(uid_) == 0;
    if (entered) {
        execve(argv.front().c_str(), pointers(argv).data(), pointers(env).data());
    }
    _exit(99);
}

void Container::start(const std::vector<std::string>& argv, const std::vector<std::string>& env) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        const int null = open("/dev/null", O_RDWR);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        enter_and_run(argv, env);
    }
    started_.push_back(child);
    int status = 0;
    REQUIRE(waitpid(child, &status, WUNTRACED) == child);
    REQUIRE(WIFSTOPPED(status));
}

std::vector<std::string> Container::probe_argv(const std::string& nonce) const {
    auto argv = shell_.launch;
    argv.emplace_back(script());
    argv.push_back(nonce);
    return argv;
}

Ran Container::probe(const std::string& nonce) const {
    Pipe out;
    Pipe err;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        const int null = open("/dev/null", O_RDONLY);
        dup2(null, STDIN_FILENO);
        dup2(out.ends[1], STDOUT_FILENO);
        dup2(err.ends[1], STDERR_FILENO);
        enter_and_run(probe_argv(nonce), environment_);
    }
    close(out.ends[1]);
    close(err.ends[1]);
    Ran ran;
    read_both(out.ends[0], err.ends[0], ran);
    ran.code = exit_code(child);
    return ran;
}

int Container::probe_until(const std::string& nonce, std::size_t bytes) const {
    Pipe out;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        dup2(out.ends[1], STDOUT_FILENO);
        enter_and_run(probe_argv(nonce), environment_);
    }
    close(out.ends[1]);
    for (char byte = 0; bytes > 0 && read(out.ends[0], &byte, 1) == 1; --bytes) {
    }
    close(out.ends[0]);
    return exit_code(child);
}

std::vector<std::string> Container::left_running() const {
    std::vector<std::string> found = running_now();
    for (int i = 0; i < 100 && !found.empty(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        found = running_now();
    }
    return found;
}

std::vector<std::string> Container::running_now() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::error_code unreadable;
        const auto pid = entry.path().filename().string();
        const bool ours = std::any_of(started_.begin(), started_.end(), [&](pid_t child) {
            return std::to_string(child) == pid;
        });
        if (!ours && fs::equivalent(entry.path() / "root", root_, unreadable) && !unreadable) {
            found.push_back(text_of(entry.path() / "cmdline"));
        }
    }
    return found;
}

} // namespace di::probe
