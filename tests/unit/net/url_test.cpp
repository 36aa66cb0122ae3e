#include "net/url.hpp"

#include <catch2/catch.hpp>

using namespace di;

TEST_CASE("I14 and I15: server URLs are taken apart, with IPv6 addresses and prefixes") {
    struct Case {
        std::string text;
        std::string origin;
        std::string host;
        int port;
        std::string path;
    };

    const auto wanted = GENERATE(values<Case>({
        {"https://api.example", "https://api.example", "api.example", 443, ""},
        {"HTTPS://api.example:443/", "https://api.example", "api.example", 443, ""},
        {"https://10.0.0.1:6443", "https://10.0.0.1:6443", "10.0.0.1", 6443, ""},
        {"https://[fd00::1]:6443/p", "https://[fd00::1]:6443", "fd00::1", 6443, "/p"},
        {"https://[::1]", "https://[::1]", "::1", 443, ""},
        {"http://localhost:8080//", "http://localhost:8080", "localhost", 8080, ""},
        {"https://rancher.example/k8s/clusters/c-xyz/",
         "https://rancher.example",
         "rancher.example",
         443,
         "/k8s/clusters/c-xyz"},
        {"https://h/a?b=c#d", "https://h", "h", 443, "/a"},
    }));
    CAPTURE(wanted.text);
    const auto url = net::parse_url(wanted.text);
    REQUIRE(url);
    CHECK(url->origin() == wanted.origin);
    CHECK(url->host == wanted.host);
    CHECK(url->port == wanted.port);
    CHECK(url->path == wanted.path);
}

TEST_CASE("what is no URL is a configuration error") {
    const auto text = GENERATE(as<std::string>(),
                               "",
                               "api.example",
                               "https://",
                               "https://h:99999",
                               "https://h:x",
                               "https://h:0",
                               std::string("https://h\0.example", 18),
                               "https://fd00::1:6443",
                               "https://[fd00::1",
                               "https://a b");
    CAPTURE(text);
    const auto url = net::parse_url(text);
    REQUIRE_FALSE(url);
    CHECK(url.error().kind == ErrorKind::config);
    CHECK_FALSE(url.error().hint.empty());
}

TEST_CASE("what is no URL is shown without the name and the password in it") {
    const auto text = GENERATE(as<std::string>(),
                               "https://me:secret@h:x",
                               "https://me:secret@h:x/p@q",
                               "https://me:sec@ret@h:x",
                               "me:secret@h");
    CAPTURE(text);
    const auto url = net::parse_url(text);
    REQUIRE_FALSE(url);
    CHECK_THAT(to_text(url.error()), !Catch::Contains("sec") && Catch::Contains("h"));
}

TEST_CASE("user info is kept apart from what messages show") {
    const auto url = net::parse_url("http://user:pass@proxy:3128");
    REQUIRE(url);
    CHECK(url->user_info == "user:pass");
    CHECK(url->origin() == "http://proxy:3128");
}

TEST_CASE("every byte that is not unreserved is escaped") {
    CHECK(net::escape("aZ09-._~") == "aZ09-._~");
    CHECK(net::escape("a b+c\"d\n/%&=") == "a%20b%2Bc%22d%0A%2F%25%26%3D");
    CHECK(net::escape_query("a b+c  d ") == "a+b%2Bc++d+");
    CHECK(net::escape_query("").empty());
    CHECK(net::escape_query(" ") == "+");
    CHECK(net::escape(std::string("\0\xC3\xA9", 3)) == "%00%C3%A9");
}
