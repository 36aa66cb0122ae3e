// The truth table of execs, WS1 to WS16, over real TLS, however the writes are chopped.
#include "net/exec_fixtures.hpp"
#include "support/table_tests.hpp"

#include <functional>

using namespace di;
using namespace di::test;
using model::ExecOutcome;
using model::SkipReason;

namespace {

struct Case {
    std::string name;
    std::function<std::string(const std::string& head)> answer;
    ExecOutcome outcome;
    SkipReason refusal;
    int exit_code;
    bool retryable;
    std::string detail; ///< part of it
};

std::vector<Case> truth_table() {
    const auto frames = [](std::string bytes) {
        return [bytes](const std::string& head) { return accept(head) + bytes; };
    };
    const auto page = [](int status, std::string body) {
        return [=](const std::string&) { return answer(status, body); };
    };
    const auto none = SkipReason::unreadable;
    const auto completed = ExecOutcome::completed;
    const auto refused = ExecOutcome::refused;
    const auto lost = ExecOutcome::truncated;
    const std::string internal =
        R"({"status":"Failure","reason":"InternalError","code":500,"message":"Internal error occurred: x"})";
    return {
        {"WS1 over TLS: a Status, then a close",
         frames(k_data + k_done + close_frame(1000)),
         completed,
         none,
         0,
         false,
         ""},
        {"WS2 over TLS: exit code 7 is recorded",
         frames(k_data + on_channel(3, k_exit_7) + close_frame(1000)),
         completed,
         none,
         7,
         false,
         ""},
        {"WS3 over TLS: an internal error of the server is a refusal with its words",
         frames(k_data + on_channel(3, internal) + close_frame(1000)),
         refused,
         none,
         0,
         false,
         "Internal error occurred: x"},
        {"WS4 (deviation) over TLS: a close without a Status is no success",
         frames(k_data + close_frame(1000)),
         lost,
         none,
         0,
         true,
         "connection closed before the exit status"},
        {"WS5 over TLS: an end without close and Status is an error",
         frames(k_data),
         lost,
         none,
         0,
         true,
         "connection closed before the exit status"},
        {"WS6 over TLS: a server that goes away is an error",
         frames(k_data + close_frame(1001)),
         lost,
         none,
         0,
         true,
         "code 1001"},
        {"WS7 (deviation) over TLS: a Status without a close is enough",
         frames(k_data + k_done),
         completed,
         none,
         0,
         false,
         ""},
        {"WS8 over TLS: a Status that is no JSON is a protocol error",
         frames(k_data + on_channel(3, "{") + close_frame(1000)),
         refused,
         none,
         0,
         false,
         "protocol error"},
        {"WS9 over TLS: a text message is a protocol error",
         frames(k_data + frame(k_text, "\x01x")),
         refused,
         none,
         0,
         false,
         "text message"},
        {"WS10 over TLS: messages in fragments, and a Status in two messages",
         frames(on_channel(2, "oops\n") + frame(k_binary, "\x01hel", Fin::no) +
                frame(k_continuation, "lo\n") + on_channel(3, k_success.substr(0, 9)) +
                on_channel(3, k_success.substr(9)) + close_frame(1000)),
         completed,
         none,
         0,
         false,
         ""},
        {"WS11 over TLS: an unknown channel is ignored",
         frames(on_channel(9, "?") + k_data + k_done),
         completed,
         none,
         0,
         false,
         ""},
        {"WS12 (deviation) over TLS: a message of no bytes is ignored",
         frames(frame(k_binary, "") + k_data + k_done),
         completed,
         none,
         0,
         false,
         ""},
        {"WS13 (deviation) over TLS: no subprotocol chosen is an error",
         [](const auto& head) { return accept(head, ""); },
         refused,
         none,
         0,
         false,
         "chose no subprotocol"},
        {"WS13 (deviation) over TLS: v4 may be chosen",
         [](const auto& head) { return accept(head, "v4.channel.k8s.io") + k_data + k_done; },
         completed,
         none,
         0,
         false,
         ""},
        {"WS14 (deviation) an empty 403 means that no subprotocol of ours is spoken",
         page(403, ""),
         refused,
         none,
         0,
         false,
         "no exec WebSocket protocol"},
        {"WS15 (deviation) a 403 with a Status gives its words and the missing permission",
         page(403,
              R"({"kind":"Status","code":403,"reason":"Forbidden","message":"pods \"p\" is )"
              R"(forbidden: User \"u\" cannot get resource \"pods/exec\""})"),
         refused,
         SkipReason::no_permission,
         0,
         false,
         "cannot get resource \"pods/exec\""},
        {"WS16 over TLS: an end in the middle of a frame is truncation",
         frames(k_data + on_channel(1, "more").substr(0, 4)),
         lost,
         none,
         0,
         true,
         "in the middle of a message"},
        {"I17 a page of a gateway says that exec streams do not pass",
         page(404, "<html>no</html>"),
         refused,
         none,
         0,
         false,
         "does not support exec streams"},
    };
}

void check_row(const Case& wanted) {
    for (const std::size_t piece : {0U, 1U, 2U, 7U}) {
        CAPTURE(piece);
        ScriptedServer server(
            Wire::tls, [&](Peer& peer) { peer.write(wanted.answer(peer.read_head()), piece); });
        const auto result = run_against(server);
        CHECK(result.outcome == wanted.outcome);
        CHECK(result.exit_code == wanted.exit_code);
        CHECK(result.retryable == wanted.retryable);
        CHECK_THAT(result.detail, Catch::Contains(wanted.detail));
        if (wanted.outcome == ExecOutcome::refused) {
            CHECK(result.refusal == wanted.refusal);
        } else {
            CHECK_THAT(result.out, Catch::StartsWith("hello\n"));
            CHECK(result.err == "oops\n");
        }
    }
}

const TableTests<Case> k_truth_table(truth_table(), check_row);

} // namespace
