#include "kubesim/age.hpp"

#include <catch2/catch.hpp>

using di::kubesim::human_duration;
using di::kubesim::parse_timestamp;
using std::chrono::seconds;

namespace {

constexpr long k_minute = 60;
constexpr long k_hour = 60 * k_minute;
constexpr long k_day = 24 * k_hour;

struct Case {
    long age;
    std::string text;
};

} // namespace

TEST_CASE("ages are shortened as kubectl shortens them", "[kubesim][age]") {
    const auto example = GENERATE(values<Case>({
        {-10, "<invalid>"},
        {-1, "0s"},
        {0, "0s"},
        {119, "119s"},
        {120, "2m"},
        {185, "3m5s"},
        {10 * k_minute, "10m"},
        {179 * k_minute, "179m"},
        {180 * k_minute, "3h"},
        {7 * k_hour + 30 * k_minute, "7h30m"},
        {8 * k_hour + 59 * k_minute, "8h"},
        {47 * k_hour, "47h"},
        {48 * k_hour, "2d"},
        {50 * k_hour, "2d2h"},
        {8 * k_day, "8d"},
        {729 * k_day, "729d"},
        {730 * k_day, "2y"},
        {800 * k_day, "2y70d"},
        {8 * 365 * k_day + k_day, "8y"},
    }));
    CAPTURE(example.age);
    CHECK(human_duration(seconds(example.age)) == example.text);
}

TEST_CASE("timestamps are read as UTC", "[kubesim][age]") {
    CHECK(parse_timestamp("1970-01-02T00:00:01Z") == seconds(k_day + 1));
    CHECK(parse_timestamp("2026-10-06T07:01:24Z") == seconds(1791270084));
    for (const auto* const text : {"", "today", "2026-10-06", "2026-13-06T07:01:24Z"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_timestamp(text).has_value());
    }
}
