#include "kubesim/process.hpp"
#include "kubesim/roots.hpp"
#include "kubesim/transcript.hpp"
#include "sample.hpp"

#include <optional>

using namespace di::kubesim;
using di::kubesim::test::Folder;

namespace {

/// A tree with a full shell; nothing where commands cannot be run.
class Trees {
public:
    Trees()
        : roots_(folder_.path(), workspace_.path(), detect_isolation(workspace_.path())) {}

    const RootTree* tree() {
        const auto prepared =
            roots_.prepare(di::kubesim::test::read_pod(R"({"metadata":{"name":"p"}})"));
        if (!prepared) {
            WARN("commands cannot be run here: not tried");
            return nullptr;
        }
        return *prepared;
    }

private:
    Folder folder_;
    Folder workspace_;
    Roots roots_;
};

Command shell(const RootTree* tree, const std::string& script) {
    return {.tree = tree, .argv = {"sh", "-c", script}, .env = {"PATH=/sbin:/bin", "NAME=value"}};
}

} // namespace

TEST_CASE("a command's streams and exit code are its own", "[kubesim][process]") {
    Trees trees;
    const auto* const tree = trees.tree();
    if (tree == nullptr) {
        return;
    }
    const StopSignal stop;
    const auto done = run_to_end(
        shell(tree, "echo $NAME; echo err >&2; cat /dev/null; pwd; ls -d /root* /home; exit 9"),
        stop);
    REQUIRE(done.ok());
    CHECK(done->output == "value\n/\n");
    CHECK(done->errors.substr(0, 4) == "err\n");
    CHECK(done->exit_code == 9);
    CHECK(run_to_end(shell(tree, "kill -TERM $$"), stop)->exit_code == 143);
}

TEST_CASE("large output is complete", "[kubesim][process]") {
    Trees trees;
    const auto* const tree = trees.tree();
    if (tree == nullptr) {
        return;
    }
    const StopSignal stop;
    const auto done =
        run_to_end(shell(tree, "head -c 3000000 /dev/zero; head -c 1000000 /dev/zero >&2"), stop);
    REQUIRE(done.ok());
    CHECK(done->output == std::string(3'000'000, '\0'));
    CHECK(done->errors.size() == 1'000'000);
}

TEST_CASE("a stream that is held open keeps the command open", "[kubesim][process]") {
    Trees trees;
    const auto* const tree = trees.tree();
    if (tree == nullptr) {
        return;
    }
    const StopSignal stop;
    const auto done = run_to_end(shell(tree, "(sleep 0.1; echo late) & exit 4"), stop);
    REQUIRE(done.ok());
    CHECK(done->output == "late\n");
    CHECK(done->exit_code == 4);
}

TEST_CASE("commands that cannot start are explained as a runtime explains them",
          "[kubesim][process]") {
    Trees trees;
    const auto* const tree = trees.tree();
    if (tree == nullptr) {
        return;
    }
    const auto cause = [&](const std::string& program) {
        const auto process =
            Process::start({.tree = tree, .argv = {program}, .env = {"PATH=/bin"}});
        REQUIRE_FALSE(process.ok());
        return process.error().cause;
    };
    CHECK(cause("nope") == R"(exec: "nope": executable file not found in $PATH)");
    CHECK(cause("/nope") == R"(exec: "/nope": stat /nope: no such file or directory)");
    CHECK(cause("/tmp") == R"(exec: "/tmp": permission denied)");
    const RootTree lost{"/no/such/tree", 0, Isolation::chroot, {}};
    const auto process = Process::start({.tree = &lost, .argv = {"sh"}, .env = {"PATH=/bin"}});
    REQUIRE_FALSE(process.ok());
    CHECK(process.error().cause.find("cannot enter the root tree") == 0);
}

TEST_CASE("stopping the cluster ends a command", "[kubesim][process]") {
    Trees trees;
    const auto* const tree = trees.tree();
    if (tree == nullptr) {
        return;
    }
    StopSignal stop;
    stop.stop();
    CHECK_FALSE(run_to_end(shell(tree, "sleep 1000"), stop).ok());
}
