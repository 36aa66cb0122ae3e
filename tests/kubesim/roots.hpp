// Private copies of the scenario's root trees, made ready for commands on first use.
#pragma once

#include "kubesim/process.hpp"
#include "kubesim/store.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace di::kubesim {

/// Which shell and tools kubesim adds to a tree; `shell:` in the tree's `.kubesim` file.
enum class Shell : std::uint8_t {
    full,    ///< /bin/sh is dash, busybox applets in /bin
    busybox, ///< /bin/sh is busybox too
    sh_only, ///< dash and nothing else
    none,
};

/// The file `.kubesim` at the top of a tree: lines `shell: full|busybox|sh-only|none`, `uid: N`.
struct RootOptions {
    Shell shell = Shell::full;
    unsigned uid = 0;
};

Result<RootOptions> parse_root_options(std::string_view text);

/// How this process can run commands in a tree, found out by trying it in `workspace`.
Isolation detect_isolation(const std::filesystem::path& workspace);

/// A path inside a tree, with symbolic links followed as a process rooted there follows them;
/// never a path outside `root`.
std::filesystem::path resolve_inside(const std::filesystem::path& root,
                                     const std::filesystem::path& path);

class Roots {
public:
    /// `directory` holds the trees, under roots/; copies go into `workspace`.
    Roots(std::filesystem::path directory, std::filesystem::path workspace, Isolation isolation);
    Roots(const Roots&) = delete;
    Roots& operator=(const Roots&) = delete;
    Roots(Roots&&) = delete;
    Roots& operator=(Roots&&) = delete;
    ~Roots();

    /// Every tree that a pod names exists and its `.kubesim` file can be read.
    [[nodiscard]] Outcome check(const Collection& pods) const;

    /// The tree's directory as the scenario has it: roots/<namespace>/<pod>, else the one named by
    /// the pod's annotation; empty for a pod without a tree.
    [[nodiscard]] std::filesystem::path source_of(const Object& pod) const;

    /// The pod's tree, copied on first use. The pointer stays valid. A pod without a tree gets an
    /// empty one with a full shell.
    Result<const RootTree*> prepare(const Object& pod);

private:
    class Toolbox;

    Result<RootTree> make(const std::filesystem::path& source, const std::filesystem::path& target);

    std::filesystem::path directory_;
    std::filesystem::path workspace_;
    Isolation isolation_;
    std::unique_ptr<Toolbox> tools_;
    std::mutex mutex_;
    std::map<std::filesystem::path, RootTree> trees_; ///< by source
};

} // namespace di::kubesim
