#include "kubesim/encoding.hpp"

#include <catch2/catch.hpp>

using namespace di::kubesim;

TEST_CASE("base64 goes both ways for every length", "[kubesim][encoding]") {
    std::string bytes;
    for (int i = 0; i < 40; ++i) {
        CAPTURE(bytes.size());
        CHECK(from_base64(base64(bytes)) == bytes);
        bytes += static_cast<char>(i * 37);
    }
    CHECK(base64("hello") == "aGVsbG8=");
}

TEST_CASE("what is no base64 is refused", "[kubesim][encoding]") {
    for (const auto* const text : {"a", "ab", "abc", "a!==", "=====", "aGVsbG8"}) {
        CAPTURE(text);
        CHECK_FALSE(from_base64(text).has_value());
    }
}

TEST_CASE("a plus is a space in queries only", "[kubesim][encoding]") {
    CHECK(url_decode("a+b%20c%2Bd", UrlPart::query) == "a b c+d");
    CHECK(url_decode("a+b%20c", UrlPart::path) == "a+b c");
    CHECK(url_decode("100%", UrlPart::query) == "100%");
    CHECK(url_decode("%zz%4", UrlPart::query) == "%zz%4");
    CHECK(url_decode("%00", UrlPart::query) == std::string(1, '\0'));
}

TEST_CASE("queries keep order and repeated keys", "[kubesim][encoding]") {
    const auto query = parse_query("command=sh&command=-c&&command=echo+%22a%26b%22&stdin&x=");
    const Query expected{{"command", "sh"},
                         {"command", "-c"},
                         {"command", "echo \"a&b\""},
                         {"stdin", ""},
                         {"x", ""}};
    CHECK(query == expected);
    CHECK(first_value(query, "command") == "sh");
    CHECK(first_value(query, "nothing").empty());
    CHECK(parse_query("").empty());
}

TEST_CASE("flags are true unless they are missing, 0 or false", "[kubesim][encoding]") {
    const auto query = parse_query("a=1&b=0&c=false&d=FALSE&e=&f=no&g=0&g=1");
    for (const auto* const key : {"a", "e", "f"}) {
        CAPTURE(key);
        CHECK(flag_value(query, key));
    }
    for (const auto* const key : {"b", "c", "d", "g", "missing"}) {
        CAPTURE(key);
        CHECK_FALSE(flag_value(query, key));
    }
}

TEST_CASE("the accept header is the one of RFC 6455", "[kubesim][encoding]") {
    CHECK(websocket_accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST_CASE("random text is as long as asked and never the same", "[kubesim][encoding]") {
    CHECK(random_hex(16).size() == 32);
    CHECK(random_hex(16) != random_hex(16));
}
