#include "net/failure.hpp"

#include <catch2/catch.hpp>

using namespace di;
using net::FailureKind;

TEST_CASE("a failure says what happened in kubectl's words, and what to type next") {
    struct Case {
        FailureKind kind;
        std::string proxy;
        int proxy_answer;
        std::string cause;
        std::string hint;
    };

    const auto wanted = GENERATE(values<Case>({
        {FailureKind::refused,
         "",
         0,
         "The connection to the server h:6443 was refused - did you specify the right host or "
         "port?",
         "kubectl config view"},
        {FailureKind::unreachable, "", 0, "no route to h:6443: words", "kubectl"},
        {FailureKind::name_lookup, "", 0, "lookup h: no such host", "kubectl config view"},
        {FailureKind::proxy,
         "http://p:1",
         407,
         "proxy http://p:1 answered 407 to CONNECT h:6443",
         "_proxy"},
        {FailureKind::proxy, "http://p:1", 0, "proxy http://p:1: words", "_proxy"},
        {FailureKind::certificate,
         "",
         0,
         "tls: failed to verify certificate: words",
         "openssl s_client -connect h:6443"},
        {FailureKind::tls, "", 0, "tls: words", "openssl s_client"},
        {FailureKind::timeout, "", 0, "timed out: words", "kubectl"},
        {FailureKind::too_long, "", 0, "words", "kubectl"},
        {FailureKind::broken, "", 0, "words", "kubectl"},
    }));
    net::Failure failure{wanted.kind, "h:6443", "h", wanted.proxy, wanted.proxy_answer, "words"};
    const auto error = net::to_error(failure);
    CHECK(error.kind ==
          (wanted.kind == FailureKind::broken ? ErrorKind::lost : ErrorKind::network));
    CHECK(error.what == "Unable to connect to the server");
    CHECK(error.cause == wanted.cause);
    CHECK_THAT(error.hint, Catch::Contains(wanted.hint));
}
