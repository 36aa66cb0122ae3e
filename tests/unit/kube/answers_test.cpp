#include "kube/api_error.hpp"
#include "kube/identity.hpp"
#include "kube/warnings.hpp"

#include <catch2/catch.hpp>

using namespace di;

TEST_CASE("an answer that is none becomes an error of its kind, with a next command") {
    struct Case {
        int status;
        std::string body;
        ErrorKind kind;
        std::string cause;
        std::string hint;
    };

    const auto wanted = GENERATE(values<Case>({
        {401,
         "",
         ErrorKind::auth,
         "You must be logged in to the server (Unauthorized)",
         "kubectl auth whoami"},
        {403,
         R"({"kind":"Status","reason":"Forbidden","message":"pods is forbidden"})",
         ErrorKind::permission,
         "Error from server (Forbidden): pods is forbidden",
         "kubectl auth can-i list pods -n n"},
        {404,
         "404 page not found\n",
         ErrorKind::not_found,
         "the server answered 404: 404 page not found",
         "kubectl config view --minify"},
        {400,
         R"({"kind":"Status","reason":"BadRequest","message":"unable to parse"})",
         ErrorKind::protocol,
         "Error from server (BadRequest): unable to parse",
         "kubectl"},
        {429, "", ErrorKind::network, "the server answered 429", "readyz"},
        {502, "<html>\n<body>", ErrorKind::network, "the server answered 502: <html>", "readyz"},
        {302, "", ErrorKind::protocol, "the server answered 302", "kubectl"},
    }));
    CAPTURE(wanted.status);
    const kube::Asked asked{kube::Use::list_pods, "/api/v1/namespaces/n/pods", "n"};
    const auto error = kube::to_error("cannot list pods", asked, {wanted.status, {}, wanted.body});
    CHECK(error.kind == wanted.kind);
    CHECK(error.what == "cannot list pods");
    CHECK(error.object == "namespace n");
    CHECK(error.cause == wanted.cause);
    CHECK_THAT(error.hint, Catch::Contains(wanted.hint));
}

TEST_CASE("warning headers: code 299 only, quoted text, several in a line") {
    struct Case {
        std::string header;
        std::vector<std::string> texts;
    };

    const auto wanted = GENERATE(values<Case>({
        {R"(299 - "v1alpha1 is deprecated")", {"v1alpha1 is deprecated"}},
        {R"(299 - "a, \"b\" \\c" "Wed, 21 Oct 2026 07:28:00 GMT", 299 agent "d")",
         {"a, \"b\" \\c", "d"}},
        {R"(199 - "other", 299 - "mine")", {"mine"}},
        {R"(299 - "ok", 29 - "short code", 299 - "after")", {"ok"}},
        {R"(299 - "not ended)", {}},
        {R"(299 - )", {}},
        {R"(299 "no agent")", {}},
        {R"(299 - "trailing" junk)", {"trailing"}},
        {"299 - \"escape \x1b[2J\"", {}},
        {"299 - \"bad utf-8 \xff\"", {}},
        {"", {}},
        {" , ", {}},
    }));
    CAPTURE(wanted.header);
    CHECK(kube::read_warnings(wanted.header) == wanted.texts);
}

namespace {

std::string header_of(const net::Headers& headers, const std::string& name) {
    std::string values;
    for (const auto& [key, value] : headers) {
        if (key == name) {
            values += (values.empty() ? "" : "|") + value;
        }
    }
    return values;
}

const net::Url k_tls{"https", "h", 443, "", ""};
const net::Url k_plain{"http", "h", 80, "", ""};

} // namespace

TEST_CASE("a token, or name and password, authenticate over TLS only") {
    model::ClientConfig config;
    model::Credentials who;
    who.token = model::Secret("t");
    CHECK(header_of(*kube::identity_headers(config, who, k_tls), "Authorization") == "Bearer t");
    CHECK(header_of(*kube::identity_headers(config, who, k_plain), "Authorization").empty());
    who = {};
    who.username = "Aladdin";
    who.password = model::Secret("open sesame");
    CHECK(header_of(*kube::identity_headers(config, who, k_tls), "Authorization") ==
          "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="); // RFC 7617's own example
    CHECK(header_of(*kube::identity_headers(config, {}, k_tls), "Authorization").empty());
}

TEST_CASE("R2 impersonation headers, keys escaped as client-go does") {
    model::ClientConfig config;
    config.impersonation.user = "u";
    config.impersonation.uid = "7";
    config.impersonation.groups = {"g1", "g2"};
    config.impersonation.extra = {{"First", "a"},
                                  {"test.example.com/thing.thing", "b"},
                                  {"test.example.com/thing.thing%20another.thing", "c"},
                                  {"@=:", "d"},
                                  {"\xE2\x98\x83", "e"}};
    const auto headers = kube::identity_headers(config, {}, k_plain);
    REQUIRE(headers);
    CHECK(header_of(*headers, "Impersonate-User") == "u");
    CHECK(header_of(*headers, "Impersonate-Uid") == "7");
    CHECK(header_of(*headers, "Impersonate-Group") == "g1|g2");
    CHECK(header_of(*headers, "Impersonate-Extra-first") == "a");
    CHECK(header_of(*headers, "Impersonate-Extra-test.example.com%2Fthing.thing") == "b");
    CHECK(header_of(*headers,
                    "Impersonate-Extra-test.example.com%2Fthing.thing%2520another.thing") == "c");
    CHECK(header_of(*headers, "Impersonate-Extra-%40%3D%3A") == "d");
    CHECK(header_of(*headers, "Impersonate-Extra-%E2%98%83") == "e");
}

TEST_CASE("a value that would break the header is an error that does not show it") {
    const auto token = GENERATE(
        as<std::string>(), "secret\nX: y", "secret\r", std::string("secret\0", 7), "secret\x7f");
    model::Credentials who;
    who.token = model::Secret(token);
    const auto headers = kube::identity_headers({}, who, k_tls);
    REQUIRE_FALSE(headers);
    CHECK(headers.error().kind == ErrorKind::auth);
    CHECK(headers.error().cause == "invalid header field value for \"Authorization\"");
    CHECK_THAT(to_text(headers.error()), !Catch::Contains("secret"));
}
