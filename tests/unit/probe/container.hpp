// A container image in a temporary directory, and the probe script run inside it by chroot(2).
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace di::probe {

/// What `sh` is in the image.
struct Shell {
    std::string name;                ///< dash, bash, busybox
    std::vector<std::string> launch; ///< argv before the script: {"/bin/sh", "-c"}
};

/// dash, bash as sh, bash as itself, and busybox: those that this machine has.
std::vector<Shell> shells();

struct Ran {
    int code = -1; ///< exit code; 128 + signal when killed
    std::string out;
    std::string err;
};

enum class Tools { none, busybox };

/// Needs root; `why_not` says so when it cannot be made.
class Container {
public:
    explicit Container(const Shell& shell, Tools tools = Tools::none);
    ~Container();
    Container(const Container&) = delete;
    Container& operator=(const Container&) = delete;
    Container(Container&&) = delete;
    Container& operator=(Container&&) = delete;

    /// Empty when containers can be made on this machine by this user.
    static std::string why_not();

    Container& file(const std::string& path, const std::string& text, unsigned mode = 0644);
    Container& directory(const std::string& path, unsigned mode = 0755);
    Container& link(const std::string& path, const std::string& target);
    Container& null_device(const std::string& path, unsigned mode = 0666); ///< opens like any
    Container& program(const std::string& path, const std::string& shell_text);
    Container& copy(const std::string& path, const std::string& from); ///< with its libraries

    /// /proc is the kernel's, for all later runs, instead of the files below it.
    Container& real_proc();
    Container& user(uid_t uid);
    Container& environment(std::vector<std::string> entries);

    [[nodiscard]] const std::filesystem::path& path() const { return root_; }

    /// Starts `argv` inside, as the present user, and waits until it stops itself (`kill -STOP
    /// $$`). It ends with the container.
    void start(const std::vector<std::string>& argv, const std::vector<std::string>& env);

    /// The probe script, to its end.
    [[nodiscard]] Ran probe(const std::string& nonce) const;

    /// The probe script with a reader that goes away after `bytes`.
    [[nodiscard]] int probe_until(const std::string& nonce, std::size_t bytes) const;

    /// Command lines of processes that live inside, those of `start` aside; one that is dying is
    /// given a moment.
    [[nodiscard]] std::vector<std::string> left_running() const;

private:
    [[nodiscard]] std::vector<std::string> running_now() const;
    [[nodiscard]] std::filesystem::path inside(const std::string& path) const;
    [[noreturn]] void enter_and_run(const std::vector<std::string>& argv,
                                    const std::vector<std::string>& env) const;
    [[nodiscard]] std::vector<std::string> probe_argv(const std::string& nonce) const;

    Shell shell_;
    std::filesystem::path root_;
    uid_t uid_ = 0;
    bool real_proc_ = false;
    std::vector<std::string> environment_ = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin"};
    std::vector<pid_t> started_;
};

} // namespace di::probe
