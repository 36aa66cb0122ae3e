#include "support/table_tests.hpp"
#include "unit/ws/server_frames.hpp"
#include "ws/exec_session.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace di;
using namespace di::test;
using ws::Ending;

namespace {

enum class Eof : std::uint8_t { no, yes };

ws::UpgradeRequest request() {
    ws::UpgradeRequest asked;
    asked.target = "/api/v1/namespaces/n/pods/p/exec?command=sh&stdout=true";
    asked.host = "127.0.0.1:6443";
    asked.nonce = {'t', 'h', 'e', ' ', 's', 'a', 'm', 'p', 'l', 'e', ' ', 'n', 'o', 'n', 'c', 'e'};
    asked.protocols = {"v5.channel.k8s.io", "v4.channel.k8s.io"};
    return asked;
}

std::string upgraded(std::string_view protocol = "v5.channel.k8s.io") {
    return switching(ws::expected_accept(request().nonce), protocol);
}

constexpr ws::Caps k_caps{1U << 20U, 64U << 10U};

struct Case {
    std::string name;
    std::string bytes;
    Eof eof;
    Ending ending;
    std::string out;
    std::string detail; ///< part of it
    std::string status;
};

const std::string k_start = on_channel(1, ""); // the server opens its lowest channel with nothing

// Truth table of the exec conversation; the names are those of kubectl's observed behaviours.
std::vector<Case> truth_table() {
    const std::string data = k_start + on_channel(1, "hello\n");
    const std::string success = on_channel(3, k_success);
    const std::string status(k_success);
    const std::string lost = "connection closed before the exit status";
    return {
        {"WS1 a Status, then a close: done",
         upgraded() + data + success + close_frame(1000),
         Eof::yes,
         Ending::status,
         "hello\n",
         "",
         status},
        {"WS2 an exit code other than 0 is recorded",
         upgraded() + data + on_channel(3, k_exit_7) + close_frame(1000),
         Eof::yes,
         Ending::status,
         "hello\n",
         "",
         std::string(k_exit_7)},
        {"WS4 (deviation) a close without a Status is no success",
         upgraded() + data + close_frame(1000),
         Eof::yes,
         Ending::lost,
         "hello\n",
         lost + " (code 1000)",
         ""},
        {"WS5 an end without close and Status is an error",
         upgraded() + data,
         Eof::yes,
         Ending::lost,
         "hello\n",
         lost,
         ""},
        {"WS6 a server that goes away without a Status is an error",
         upgraded() + data + close_frame(1001),
         Eof::yes,
         Ending::lost,
         "hello\n",
         lost + " (code 1001)",
         ""},
        {"WS7 (deviation) a Status, then an end without close: done",
         upgraded() + data + success,
         Eof::yes,
         Ending::status,
         "hello\n",
         "",
         status},
        {"WS8 a Status that is no JSON is handed on as it came",
         upgraded() + on_channel(3, "{") + close_frame(1000),
         Eof::yes,
         Ending::status,
         "",
         "",
         "{"},
        {"WS9 a text message is a violation of the protocol",
         upgraded() + frame(k_text, "\x01hello"),
         Eof::no,
         Ending::violation,
         "",
         "text message",
         ""},
        {"WS10 messages in fragments, and a Status in two messages",
         upgraded() + frame(k_binary, "\x01hel", Fin::no) + frame(k_ping, "x") +
             frame(k_continuation, "lo\n") + on_channel(3, k_success.substr(0, 9)) +
             on_channel(3, k_success.substr(9)) + close_frame(1000),
         Eof::yes,
         Ending::status,
         "hello\n",
         "",
         status},
        {"WS11 an unknown channel is ignored",
         upgraded() + on_channel(9, "?") + data + success + close_frame(1000),
         Eof::yes,
         Ending::status,
         "hello\n",
         "",
         status},
        {"WS12 (deviation) a message of no bytes is ignored",
         upgraded() + frame(k_binary, "") + data + success + close_frame(1000),
         Eof::yes,
         Ending::status,
         "hello\n",
         "",
         status},
        {"WS13 (deviation) no subprotocol chosen: an error, no second try over SPDY",
         upgraded(""),
         Eof::no,
         Ending::violation,
         "",
         "chose no subprotocol",
         ""},
        {"WS13 (deviation) a subprotocol that was not offered is an error",
         upgraded("channel.k8s.io"),
         Eof::no,
         Ending::violation,
         "",
         "not offered: channel.k8s.io",
         ""},
        {"WS13 (deviation) v4 is offered too, so it may be chosen",
         upgraded("v4.channel.k8s.io") + data + success,
         Eof::yes,
         Ending::status,
         "hello\n",
         "",
         status},
        {"WS16 an end in the middle of a frame is truncation",
         upgraded() + data + on_channel(1, "more").substr(0, 4),
         Eof::yes,
         Ending::lost,
         "",
         "in the middle of a message",
         ""},
        {"the stream ends between fragments",
         upgraded() + frame(k_binary, "\x01hello\n", Fin::no),
         Eof::yes,
         Ending::lost,
         "hello\n",
         "in the middle of a message",
         ""},
        {"a close without a code",
         upgraded() + data + success + frame(k_close, ""),
         Eof::yes,
         Ending::status,
         "hello\n",
         "",
         status},
        {"a frame with reserved bits",
         upgraded() + "\xF2\x01\x01",
         Eof::no,
         Ending::violation,
         "",
         "malformed WebSocket frame",
         ""},
        {"a frame of an unknown opcode",
         upgraded() + frame(5, "x"),
         Eof::no,
         Ending::violation,
         "",
         "malformed WebSocket frame",
         ""},
        {"a control frame of more than 125 bytes",
         upgraded() + frame(k_ping, std::string(126, 'x')),
         Eof::no,
         Ending::violation,
         "",
         "malformed WebSocket frame",
         ""},
        {"a server that closes without a word",
         "",
         Eof::yes,
         Ending::lost,
         "",
         "before the answer to the upgrade",
         ""},
        {"a server that closes in its answer",
         "HTTP/1.1 101 Switch",
         Eof::yes,
         Ending::lost,
         "",
         "before the answer to the upgrade",
         ""},
        {"a server that speaks something else than HTTP",
         "SSH-2.0-OpenSSH_9.2\r\n",
         Eof::no,
         Ending::violation,
         "",
         "not HTTP/1.1",
         ""},
        {"interim answers come before the upgrade",
         "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + upgraded() + data + success +
             close_frame(1000),
         Eof::yes,
         Ending::status,
         "hello\n",
         "",
         status},
    };
}

void check(const Case& wanted, const ws::ExecSession& session) {
    REQUIRE(session.ended());
    const auto& ended = *session.ended();
    CHECK(ended.ending == wanted.ending);
    CHECK_THAT(ended.detail, Catch::Contains(wanted.detail));
    CHECK(ended.status == wanted.status);
    if (!wanted.out.empty()) {
        CHECK(session.out() == wanted.out);
    }
}

/// Whatever the pieces in which the bytes arrive.
void check_row(const Case& wanted) {
    for (const std::size_t piece : {1U, 2U, 7U, 64U, 1U << 20U}) {
        CAPTURE(piece);
        ws::ExecSession session(request(), k_caps, 1);
        for (std::size_t at = 0; at < wanted.bytes.size(); at += piece) {
            session.receive(std::string_view(wanted.bytes).substr(at, piece));
        }
        if (wanted.eof == Eof::yes) {
            session.end_of_stream();
        }
        check(wanted, session);
    }
}

const TableTests<Case> k_truth_table(truth_table(), check_row);

} // namespace

TEST_CASE("a refused upgrade keeps status, headers and body") {
    struct Refusal {
        std::string name;
        std::string bytes;
        Eof eof;
        int status;
        std::string body;
    };

    const std::vector<Refusal> table{
        {"WS14 empty 403", "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", Eof::no, 403, ""},
        {"WS14 empty 403 that closes", "HTTP/1.1 403 Forbidden\r\n\r\n", Eof::yes, 403, ""},
        {"WS15 JSON",
         "HTTP/1.1 403 Forbidden\r\ncontent-length: 8\r\n\r\n{\"a\":1}\n",
         Eof::no,
         403,
         "{\"a\":1}\n"},
        {"chunked HTML",
         "HTTP/1.1 502 Bad Gateway\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n<html>\r\n"
         "a;x=y\r\n502 sorry!\r\n0\r\n\r\n",
         Eof::no,
         502,
         "<html>502 sorry!"},
        {"body cut short",
         "HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\nerror dial",
         Eof::yes,
         500,
         "error dial"},
    };
    for (const auto& wanted : table) {
        for (const std::size_t piece : {1U, 7U, 4096U}) {
            CAPTURE(wanted.name, piece);
            ws::ExecSession session(request(), k_caps, 1);
            for (std::size_t at = 0; at < wanted.bytes.size(); at += piece) {
                session.receive(std::string_view(wanted.bytes).substr(at, piece));
            }
            if (wanted.eof == Eof::yes) {
                session.end_of_stream();
            }
            REQUIRE(session.ended());
            CHECK(session.ended()->ending == Ending::refused);
            CHECK(session.ended()->head.status == wanted.status);
            CHECK(session.ended()->body == wanted.body);
            CHECK_FALSE(session.upgraded());
        }
    }
}

TEST_CASE("I4 an empty first message on channel 3 is no Status") {
    ws::ExecSession session(request(), k_caps, 1);
    session.receive(upgraded() + on_channel(3, "") + on_channel(1, "hello\n"));
    CHECK(session.status().empty());
    CHECK_FALSE(session.ended());
    session.receive(on_channel(3, k_success) + close_frame(1000));
    REQUIRE(session.ended());
    CHECK(session.ended()->status == k_success);
    CHECK(session.out() == "hello\n");
}

TEST_CASE("I5 bytes stay as they are, also a character split over two messages") {
    std::string all;
    for (int byte = 0; byte < 256; ++byte) {
        all += static_cast<char>(byte);
    }
    ws::ExecSession session(request(), k_caps, 1);
    session.receive(upgraded() + on_channel(1, all) + on_channel(1, "\xE2\x98") +
                    on_channel(2, "between") + on_channel(1, "\x83"));
    CHECK(session.out() == all + "\xE2\x98\x83");
    CHECK(session.err() == "between");
}

TEST_CASE("an endless refusal ends at 64 KiB") {
    ws::ExecSession session(request(), k_caps, 1);
    session.receive("HTTP/1.1 503 Busy\r\n\r\n");
    for (int i = 0; i < 100 && !session.ended(); ++i) {
        session.receive(std::string(4096, 'x'));
    }
    REQUIRE(session.ended());
    CHECK(session.ended()->body.size() == 65536);
}

TEST_CASE("stderr is kept up to its cap") {
    ws::ExecSession session(request(), {10, 4}, 1);
    session.receive(upgraded() + on_channel(2, "abc") + on_channel(2, "def") +
                    on_channel(3, k_success) + close_frame(1000));
    REQUIRE(session.ended());
    CHECK(session.ended()->ending == Ending::status);
    CHECK(session.err() == "abcd");
}

TEST_CASE("stdout beyond its cap ends the conversation, with what fits kept") {
    for (const std::size_t size : {11U, 8U << 20U}) {
        CAPTURE(size);
        ws::ExecSession session(request(), {10, 4}, 1);
        session.receive(upgraded() + on_channel(1, "0123456789"));
        CHECK_FALSE(session.ended());
        session.receive(on_channel(1, std::string(size, 'x')) + on_channel(3, k_success));
        REQUIRE(session.ended());
        CHECK(session.ended()->ending == Ending::overflow);
        CHECK(session.out() == "0123456789");
    }
}

TEST_CASE("an endless Status is a violation") {
    ws::ExecSession session(request(), k_caps, 1);
    session.receive(upgraded());
    for (int i = 0; i < 100 && !session.ended(); ++i) {
        session.receive(on_channel(3, std::string(8192, '{')));
    }
    REQUIRE(session.ended());
    CHECK(session.ended()->ending == Ending::violation);
}

TEST_CASE("a Status is accepted without a close when the server goes silent") {
    ws::ExecSession session(request(), k_caps, 1);
    session.receive(upgraded());
    session.accept_status();
    CHECK_FALSE(session.ended()); // there is none yet
    session.receive(on_channel(3, k_success));
    CHECK_FALSE(session.ended());
    CHECK(session.status() == k_success);
    session.accept_status();
    REQUIRE(session.ended());
    CHECK(session.ended()->ending == Ending::status);
}

TEST_CASE("bytes after the end change nothing") {
    ws::ExecSession session(request(), k_caps, 1);
    session.receive(upgraded() + on_channel(3, k_success) + close_frame(1000) +
                    on_channel(1, "late"));
    session.receive(on_channel(1, "later"));
    session.end_of_stream("reset");
    CHECK(session.ended()->ending == Ending::status);
    CHECK(session.out().empty());
}

TEST_CASE("I28 pings are sent while the command runs, and at no other time") {
    ws::ExecSession session(request(), k_caps, 1);
    CHECK_THAT(session.take_output(), Catch::StartsWith("GET /api/v1/namespaces/n/pods/p/exec?"));
    session.ping();
    CHECK(session.take_output().empty());
    session.receive(upgraded());
    session.ping();
    const std::string ping = session.take_output();
    REQUIRE(ping.size() == 6); // two bytes of head, four of mask, no payload
    CHECK(ping.substr(0, 2) == "\x89\x80");
    session.receive(frame(k_ping, "are you there"));
    CHECK(session.take_output().substr(0, 1) == "\x8A");
    session.receive(on_channel(3, "{"));
    session.ping();
    session.receive(frame(k_ping, "still there"));
    CHECK(session.take_output().empty());
}
