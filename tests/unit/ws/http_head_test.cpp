#include "ws/http_head.hpp"

#include <catch2/catch.hpp>

using namespace di;
using ws::HeadState;

TEST_CASE("a head is read up to its empty line") {
    const auto read = ws::read_head("HTTP/1.1 200 OK\r\nA: 1\r\nb:  two \r\na: 3\r\n\r\nbody");
    REQUIRE(read.state == HeadState::complete);
    CHECK(read.head.status == 200);
    CHECK(read.head.size == 41);
    CHECK(read.head.find("a") == "1");
    CHECK(read.head.find("B") == "two");
    CHECK_FALSE(read.head.find("c"));
}

TEST_CASE("heads that are cut, or are none") {
    struct Case {
        std::string bytes;
        HeadState state;
    };

    const auto wanted = GENERATE(values<Case>({
        {"", HeadState::incomplete},
        {"HT", HeadState::incomplete},
        {"HTTP/1.1 200 OK\r\nA: 1\r\n", HeadState::incomplete},
        {"HTTP/2 200\r\n\r\n", HeadState::malformed},
        {"\x15\x03\x01", HeadState::malformed},
        {"HTTP/1.1 20 OK\r\n\r\n", HeadState::malformed},
        {"HTTP/1.1 2000\r\n\r\n", HeadState::malformed},
        {"HTTP/1.1 700 No\r\n\r\n", HeadState::malformed},
        {"HTTP/1.1 200\r\n\r\n", HeadState::complete},
        {"HTTP/1.0 404 Not Found\r\n\r\n", HeadState::complete},
        {"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", HeadState::malformed},
        {"HTTP/1.1 200 OK\r\n: no name\r\n\r\n", HeadState::malformed},
        {"HTTP/1.1 200 OK\r\nA: " + std::string(70000, 'x'), HeadState::malformed},
    }));
    CAPTURE(wanted.bytes.substr(0, 40));
    CHECK(ws::read_head(wanted.bytes).state == wanted.state);
}

TEST_CASE("a body ends where its framing says") {
    struct Case {
        std::string header;
        std::string value;
        std::string bytes;
        std::string text;
        bool complete;
    };

    const auto wanted = GENERATE(values<Case>({
        {"Content-Length", "3", "abc", "abc", true},
        {"Content-Length", "3", "abcd", "abc", true},
        {"Content-Length", "3", "ab", "ab", false},
        {"Content-Length", "0", "", "", true},
        {"Content-Length", "-1", "ab", "ab", false},
        {"Server", "x", "ab", "ab", false},
        {"Transfer-Encoding", "Chunked", "1\r\na\r\n0\r\n\r\n", "a", true},
        {"Transfer-Encoding", "chunked", "1\r\na\r\n", "a", false},
        {"Transfer-Encoding", "chunked", "3\r\na", "a", false},
        {"Transfer-Encoding", "chunked", "3", "", false},
        {"Transfer-Encoding", "chunked", "zz\r\na", "", true},
        {"Transfer-Encoding", "chunked", "FFFFFFFFFFFF\r\na", "", true},
    }));
    CAPTURE(wanted.header, wanted.value, wanted.bytes);
    ws::ResponseHead head;
    head.headers = {{wanted.header, wanted.value}};
    const auto body = ws::read_body(head, wanted.bytes);
    CHECK(body.text == wanted.text);
    CHECK(body.complete == wanted.complete);
}
