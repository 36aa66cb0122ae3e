#include "net/retry.hpp"

#include <catch2/catch.hpp>

using namespace di;

TEST_CASE("only passing trouble is asked again, and not for long") {
    struct Case {
        int status;
        std::string retry_after; ///< "" means no header
        int attempt;
        int wait_ms; ///< -1: no retry
    };

    const auto wanted = GENERATE(values<Case>({
        {200, "", 0, -1},
        {401, "1", 0, -1},
        {403, "1", 0, -1},
        {404, "", 0, -1},
        {500, "", 0, -1},
        {500, "1", 0, 1000},
        {429, "", 0, 100},
        {429, "", 1, 200},
        {429, "", 2, 400},
        {429, "", 3, -1},
        {429, "1", 0, 1000},
        {429, " 2 ", 2, 2000},
        {429, "0", 0, 0},
        {429, "60", 0, -1},
        {429, "10", 0, 10000},
        {503, "5", 1, 5000},
        {502, "", 0, 100},
        {504, "", 0, 100},
        {501, "", 0, -1},
        {429, "-1", 0, 100},
        {429, "Wed, 21 Oct 2026 07:28:00 GMT", 0, 100},
        {429, "99999999999999999999", 0, 100},
    }));
    CAPTURE(wanted.status, wanted.retry_after, wanted.attempt);
    net::Response response;
    response.status = wanted.status;
    if (!wanted.retry_after.empty()) {
        response.headers.emplace_back("retry-after", wanted.retry_after);
    }
    const auto delay = net::retry_delay(response, wanted.attempt);
    CHECK(delay.has_value() == (wanted.wait_ms >= 0));
    CHECK(delay.value_or(Millis(-1)).count() == wanted.wait_ms);
}
