#include "kube/exec_outcome.hpp"

#include <catch2/catch.hpp>

using namespace di;
using model::ExecOutcome;
using model::SkipReason;
using ws::Ending;

namespace {

const std::string k_script =
    "printf '%s\\n' \"section $0\"; cat /sys/class/infiniband/*/ports/1/state; exit 0 "
    "# SECRET-MARK";

model::ProbeTask task() {
    return {0, "ns", "pod-0", "main", {"sh", "-c", k_script, "nonce"}};
}

std::string failure(const std::string& message, const std::string& more = "") {
    return R"({"kind":"Status","status":"Failure","message":")" + message + '"' + more + '}';
}

ws::Ended refusal(int status, const std::string& body) {
    ws::Ended ended;
    ended.ending = Ending::refused;
    ended.head.status = status;
    ended.body = body;
    return ended;
}

ws::Ended channel_3(const std::string& status) {
    ws::Ended ended;
    ended.ending = Ending::status;
    ended.status = status;
    return ended;
}

ws::Ended exit_code(int code) {
    return channel_3(R"({"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[)"
                     R"({"reason":"ExitCode","message":")" +
                     std::to_string(code) + "\"}]}}");
}

ws::Ended ending(Ending how, const std::string& detail) {
    ws::Ended ended;
    ended.ending = how;
    ended.detail = detail;
    return ended;
}

struct Case {
    std::string name;
    ws::Ended ended;
    ExecOutcome outcome;
    SkipReason refusal;
    std::string detail; ///< part of it
    bool retryable;
};

void check(const std::vector<Case>& table) {
    for (const auto& wanted : table) {
        CAPTURE(wanted.name);
        const auto result = kube::classify(wanted.ended, task());
        CHECK(result.outcome == wanted.outcome);
        if (wanted.outcome == ExecOutcome::refused) {
            CHECK(result.refusal == wanted.refusal);
        }
        CHECK_THAT(result.detail, Catch::Contains(wanted.detail));
        CHECK(result.retryable == wanted.retryable);
        CHECK_THAT(result.detail, !Catch::Contains("SECRET-MARK"));
    }
}

constexpr auto k_no_get = "pods \\\"p\\\" is forbidden: User \\\"u\\\" cannot get resource "
                          "\\\"pods/exec\\\" in API group \\\"\\\" in the namespace \\\"n\\\"";

} // namespace

TEST_CASE("an exec that ran is completed with its exit code") {
    CHECK(kube::classify(channel_3(R"({"status":"Success"})"), task()).outcome ==
          ExecOutcome::completed);
    for (const int code : {1, 126, 127, 137, 255}) {
        const auto result = kube::classify(exit_code(code), task(), "some output");
        CAPTURE(code);
        CHECK(result.outcome == ExecOutcome::completed);
        CHECK(result.exit_code == code);
    }
}

TEST_CASE("126 and 127 without output of the command's own mean that it is not in the image") {
    struct Silence {
        int code;
        std::string out;
        ExecOutcome outcome;
    };

    const auto wanted = GENERATE(values<Silence>({
        {127, "", ExecOutcome::refused},
        {126, "\r\n", ExecOutcome::refused},
        {127, "OCI runtime exec failed: exec failed: ...", ExecOutcome::refused},
        {127, "===begin", ExecOutcome::completed},
        {1, "", ExecOutcome::completed},
    }));
    CAPTURE(wanted.code, wanted.out);
    const auto result = kube::classify(exit_code(wanted.code), task(), wanted.out);
    CHECK(result.outcome == wanted.outcome);
    if (wanted.outcome == ExecOutcome::refused) {
        CHECK(result.refusal == SkipReason::tool_missing);
        CHECK_THAT(result.detail, Catch::StartsWith("sh cannot be run in the container"));
    }
}

TEST_CASE("I9 refusals before the upgrade say who refused and why") {
    const auto refused = ExecOutcome::refused;
    check({
        {"401",
         refusal(401, failure("Unauthorized", R"(,"code":401)")),
         refused,
         SkipReason::no_permission,
         "You must be logged in",
         false},
        {"403 get",
         refusal(403, failure(k_no_get, R"(,"code":403)")),
         refused,
         SkipReason::no_permission,
         "cannot get resource \"pods/exec\"",
         false},
        {"403 create check of 1.35",
         refusal(403, failure(R"(pods \"p\" is forbidden: )")),
         refused,
         SkipReason::no_permission,
         "create on pods/exec",
         false},
        {"403 empty",
         refusal(403, ""),
         refused,
         SkipReason::unreadable,
         "no exec WebSocket protocol",
         false},
        {"403 of kubectl proxy",
         refusal(403, "Forbidden\nmore"),
         refused,
         SkipReason::no_permission,
         "Forbidden",
         false},
        {"403 of a firewall",
         refusal(403, "<html><h1>Blocked</h1>\n<p>x"),
         refused,
         SkipReason::unreadable,
         "does not support exec streams (HTTP 403): <html>",
         false},
        {"400 upgrade removed",
         refusal(400, failure("Upgrade request required")),
         refused,
         SkipReason::unreadable,
         "a proxy on the way removes",
         false},
        {"400 wrong container",
         refusal(400, failure("container x is not valid for pod p")),
         refused,
         SkipReason::not_running,
         "is not valid for pod",
         false},
        {"400 not scheduled",
         refusal(400, failure("pod p does not have a host assigned")),
         refused,
         SkipReason::not_running,
         "host assigned",
         false},
        {"404 pod gone",
         refusal(404, failure(R"(pods \"p\" not found)", R"(,"reason":"NotFound")")),
         refused,
         SkipReason::not_running,
         "not found",
         false},
        {"404 kubelet",
         refusal(404, "pod does not exist"),
         refused,
         SkipReason::not_running,
         "pod does not exist",
         false},
        {"404 gateway",
         refusal(404, "404 page not found"),
         refused,
         SkipReason::unreadable,
         "does not support exec streams",
         false},
        {"405", refusal(405, ""), refused, SkipReason::unreadable, "HTTP 405", false},
        {"429 tokens",
         refusal(429, "Too many requests"),
         refused,
         SkipReason::unreadable,
         "Too many requests",
         true},
        {"500 container",
         refusal(500, "container not found (\"main\")"),
         refused,
         SkipReason::not_running,
         "container not found",
         false},
        {"500 kubelet",
         refusal(500, failure("error dialing backend: dial tcp 10.0.0.1:10250: i/o timeout")),
         refused,
         SkipReason::unreadable,
         "kubelet unreachable: error dialing backend",
         false},
        {"500 kubelet, with words of something else",
         refusal(500, failure("error dialing backend: open /x: no such file or directory")),
         refused,
         SkipReason::unreadable,
         "kubelet unreachable",
         false},
        {"502",
         refusal(502, "<html>\n<title>Bad Gateway"),
         refused,
         SkipReason::unreadable,
         "HTTP 502",
         true},
        {"503", refusal(503, ""), refused, SkipReason::unreadable, "answered 503", true},
        {"418",
         refusal(418, "short and\nstout"),
         refused,
         SkipReason::unreadable,
         "short and",
         false},
        {"escapes", refusal(418, "\x1b[2J"), refused, SkipReason::unreadable, "\\x1b[2J", false},
    });
}

TEST_CASE("I16 failures on channel 3 mean what the same refusals mean before the upgrade") {
    const auto refused = ExecOutcome::refused;
    const std::string oci =
        "error executing command in container: failed to exec in container: failed to start exec "
        "\\\"abc\\\": OCI runtime exec failed: exec failed: unable to start container process: "
        "exec: \\\"sh\\\": executable file not found in $PATH: unknown";
    check({
        {"containerd, no program",
         channel_3(failure(oci)),
         refused,
         SkipReason::tool_missing,
         "executable file not found",
         false},
        {"crun, no program",
         channel_3(failure("OCI runtime error: executable file `sh` not found in $PATH: No such "
                           "file or directory")),
         refused,
         SkipReason::tool_missing,
         "No such file or directory",
         false},
        {"no execute bit",
         channel_3(failure("exec: \\\"sh\\\": permission denied")),
         refused,
         SkipReason::no_permission,
         "permission denied",
         false},
        {"container gone",
         channel_3(failure("unable to upgrade connection: container not found (\\\"main\\\")")),
         refused,
         SkipReason::not_running,
         "container not found",
         false},
        {"container stopped",
         channel_3(failure("container is in CONTAINER_EXITED state")),
         refused,
         SkipReason::not_running,
         "CONTAINER_EXITED",
         false},
        {"kubelet",
         channel_3(failure("unable to upgrade connection: 404 page not found")),
         refused,
         SkipReason::unreadable,
         "kubelet unreachable",
         false},
        {"kubelet busy",
         channel_3(failure("too many requests", R"(,"code":429)")),
         refused,
         SkipReason::unreadable,
         "too many requests",
         true},
        {"admission",
         channel_3(failure("denied by policy", R"(,"code":403)")),
         refused,
         SkipReason::no_permission,
         "denied by policy",
         false},
        {"anything else",
         channel_3(failure("boom", R"(,"code":500)")),
         refused,
         SkipReason::unreadable,
         "boom",
         false},
        {"WS8 no JSON", channel_3("{"), refused, SkipReason::unreadable, "protocol error", false},
    });
}

TEST_CASE("I27 a role with one verb only is told which of the two is missing") {
    const auto get_only =
        kube::classify(refusal(403, failure(R"(pods \"p\" is forbidden: )")), task());
    CHECK_THAT(get_only.detail, Catch::Contains("the verb create on pods/exec as well as get"));
    const auto create_only = kube::classify(refusal(403, failure(k_no_get)), task());
    CHECK_THAT(create_only.detail, Catch::Contains("cannot get resource \"pods/exec\""));
    CHECK_THAT(create_only.detail, !Catch::Contains("create"));
}

TEST_CASE("the command is never repeated, however the server quotes it") {
    std::string quoted = "\\\"sh\\\" \\\"-c\\\" \\\"";
    std::string plain;
    for (const char c : k_script) {
        plain += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    }
    for (const auto& message : {"error executing command [sh -c " + plain + " nonce]: boom",
                                "error executing command [" + quoted + plain + "\\\"]: boom",
                                "command '" + plain + "' failed: boom",
                                "error executing command [sh -c " + plain}) {
        const auto result = kube::classify(channel_3(failure(message)), task());
        CAPTURE(message, result.detail);
        CHECK_THAT(result.detail, !Catch::Contains("SECRET-MARK"));
        CHECK_THAT(result.detail, Catch::Contains("command"));
    }
}

TEST_CASE("what was lost on the way is truncated and may be read again") {
    const auto truncated = ExecOutcome::truncated;
    check({
        {"lost",
         ending(Ending::lost, "connection closed before the exit status"),
         truncated,
         {},
         "before the exit status",
         true},
        {"overflow",
         ending(Ending::overflow, "stdout is longer than 9 bytes"),
         truncated,
         {},
         "longer than 9",
         false},
        {"violation",
         ending(Ending::violation, "text message"),
         ExecOutcome::refused,
         SkipReason::unreadable,
         "protocol error: text message",
         false},
    });
    const auto unreached = kube::classify(
        Error{ErrorKind::network, "Unable to connect to the server", "", "refused", ""});
    CHECK(unreached.outcome == truncated);
    CHECK(unreached.retryable);
    CHECK(unreached.detail == "Unable to connect to the server: refused");
}
