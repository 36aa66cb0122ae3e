#include "unit/parse/captured.hpp"

namespace di::parse {
namespace {

using model::SkipReason;

struct Silence {
    int rc;
    std::string out;
    std::string err;
    SkipReason reason;
};

TEST_CASE("a tool that could not speak is told from what shells and runtimes print") {
    const auto& [rc, out, err, reason] = GENERATE(values<Silence>({
        {127, "", "sh: 1: ibstat: not found", SkipReason::tool_missing},
        {127, "", "sh: ibstat: not found", SkipReason::tool_missing},
        {127, "", "/bin/sh: 1: /usr/sbin/ibstat: not found", SkipReason::tool_missing},
        {127, "", "bash: line 1: ibstat: command not found", SkipReason::tool_missing},
        {127, "", "zsh:1: command not found: ibstat", SkipReason::tool_missing},
        {1, "", "sh: 1: ibstat: not found", SkipReason::tool_missing},
        {0, "", "sh: 1: ibstat: not found", SkipReason::tool_missing},
        {0, "sh: 1: ibstat: not found\n", "", SkipReason::tool_missing},
        {127,
         "",
         "timeout: failed to run command 'ibstat': No such file or directory",
         SkipReason::tool_missing},
        {127,
         "",
         "timeout: can't execute 'ibstat': No such file or directory",
         SkipReason::tool_missing},
        {126,
         "",
         "timeout: failed to run command 'ibstat': Permission denied",
         SkipReason::no_permission},
        {127,
         "",
         "ibstat: error while loading shared libraries: libibumad.so.3: cannot open shared "
         "object file",
         SkipReason::tool_missing},
        {127, "", "", SkipReason::tool_missing},
        {126, "", "", SkipReason::tool_missing},
        {126, "", "sh: 1: ibstat: Permission denied", SkipReason::no_permission},
        {126,
         "OCI runtime exec failed: exec failed: unable to start container process: exec: "
         "\"ibstat\": executable file not found in $PATH: unknown\n",
         "",
         SkipReason::tool_missing},
        {1,
         "",
         "error: Internal error occurred: error executing command in container: failed to "
         "exec in container: failed to start exec \"4af\": OCI runtime exec failed: exec "
         "failed: unable to start container process: exec: \"ibstat\": executable file not "
         "found in $PATH: unknown",
         SkipReason::tool_missing},
        {1,
         "",
         "error: Internal error occurred: error executing command in container: executable "
         "file `ibstat` not found in $PATH: No such file or directory: OCI runtime attempted "
         "to invoke a command that was not found",
         SkipReason::tool_missing},
        {128,
         "",
         "OCI runtime exec failed: exec failed: unable to start container process: exec: "
         "\"/bin/sh\": stat /bin/sh: no such file or directory: unknown",
         SkipReason::tool_missing},
        {126,
         "",
         "OCI runtime exec failed: exec failed: unable to start container process: exec: "
         "\"ibstat\": permission denied: unknown",
         SkipReason::no_permission},
        {1,
         "",
         "Error from server (Forbidden): pods \"w-0\" is forbidden: User \"viewer\" cannot "
         "create resource \"pods/exec\" in API group \"\" in the namespace \"prod\"",
         SkipReason::no_permission},
        {1,
         "",
         "error: unable to upgrade connection: Forbidden (user=kubelet)",
         SkipReason::no_permission},
        {1, "", "Error from server (NotFound): pods \"w-0\" not found", SkipReason::not_running},
        {1,
         "",
         "error: unable to upgrade connection: container not found (\"main\")",
         SkipReason::not_running},
        {1,
         "",
         "error: cannot exec into a container in a completed pod; current phase is Succeeded",
         SkipReason::not_running},
        {1,
         "",
         "error: Internal error occurred: error executing command in container: container is "
         "not created or running",
         SkipReason::not_running},
        {1,
         "",
         "Error from server: error dialing backend: dial tcp 192.0.2.9:10250: i/o timeout",
         SkipReason::timed_out},
        {1,
         "",
         "The connection to the server 192.0.2.1:6443 was refused - did you specify the right "
         "host or port?",
         SkipReason::unreadable},
        {124, "CA 'mlx5_0'\n", "", SkipReason::timed_out},
        {137, "CA 'mlx5_0'\n", "Killed", SkipReason::timed_out},
        {143, "", "Terminated", SkipReason::timed_out},
        {139, "", "Segmentation fault (core dumped)", SkipReason::unreadable},
    }));
    CAPTURE(rc, out, err);
    const auto silent = why_silent({out, err, rc}, "ibstat");
    REQUIRE(silent);
    CHECK(silent->reason == reason);
    CHECK_FALSE(silent->why.empty());
    CHECK(silent->why.find('\n') == std::string::npos);
}

TEST_CASE("a tool that spoke is left to its parser, whatever its exit code") {
    const auto& [rc, out, err, reason] = GENERATE(values<Silence>({
        {0, "CA 'mlx5_0'\n", "", {}},
        {0, "", "", {}},
        {0, "x\n", "Defaulted container \"main\" out of: main, otel-sidecar", {}},
        {1, "", "", {}},
        {255, "", "No IB devices found", {}},
        {2, "", "ls: cannot access '/dev/gdrdrv': No such file or directory", {}},
        {2, "", "ls: cannot open directory '/dev/infiniband': Permission denied", {}},
        {9,
         "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n",
         "",
         {}},
        {1, "", "command terminated with exit code 1", {}},
    }));
    CAPTURE(rc, out, err);
    CHECK_FALSE(why_silent({out, err, rc}, "ls"));
}

TEST_CASE("the corpus' silent tools are silent for the reason an expert gives") {
    struct Case {
        std::string name;
        std::string tool;
        SkipReason reason;
    };

    const auto& [name, tool, reason] = GENERATE(values<Case>({
        {"ibstat-not-found-busybox", "ibstat", SkipReason::tool_missing},
        {"ibdev-distroless-no-ls", "ls", SkipReason::tool_missing},
        {"lsmod-missing-in-pipeline", "lsmod", SkipReason::tool_missing},
        {"ucxd-missing-bash", "ucx_info", SkipReason::tool_missing},
    }));
    CAPTURE(name);
    const auto silent = why_silent(captured(name).view(), tool);
    REQUIRE(silent);
    CHECK(silent->reason == reason);
}

TEST_CASE("hostile words of a failed exec are shown escaped and short") {
    const std::string err = "error: \x1b[2Jforged" + std::string(5000, 'x');
    const auto silent = why_silent({{}, err, 1}, "ibstat");
    REQUIRE(silent);
    CHECK(silent->reason == SkipReason::unreadable);
    CHECK(silent->why.find('\x1b') == std::string::npos);
    CHECK(silent->why.size() < 300);
}

} // namespace
} // namespace di::parse
