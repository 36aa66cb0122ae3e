#include "base/duration.hpp"

#include <catch2/catch.hpp>

using namespace di;
using namespace std::chrono_literals;

TEST_CASE("durations are read as kubectl's flags write them", "[base]") {
    struct Case {
        std::string_view text;
        std::optional<Millis> expected;
    };

    const auto row = GENERATE(values<Case>({
        {"20s", 20s},
        {"300ms", 300ms},
        {"1m30s", 90s},
        {"2h", 2h},
        {"5", 5s},
        {"0", 0s},
        {"0s", 0s},
        {"", std::nullopt},
        {"-1s", std::nullopt},
        {"1d", std::nullopt},
        {"s", std::nullopt},
        {"1.5s", 1500ms},
        {".5m", 30s},
        {"1.5", std::nullopt},
        {"1.2.3s", std::nullopt},
        {".s", std::nullopt},
        {"10 s", std::nullopt},
        {"0x10", std::nullopt},
        {"99999999999h", std::nullopt},
        {"18446744073709551615", std::nullopt},
    }));
    CAPTURE(row.text);
    CHECK(parse_duration(row.text) == row.expected);
}

TEST_CASE("durations are shown in their short form", "[base]") {
    CHECK(to_text(Millis(0)) == "0s");
    CHECK(to_text(250ms) == "250ms");
    CHECK(to_text(20s) == "20s");
    CHECK(to_text(90s) == "1m30s");
    CHECK(to_text(5min) == "5m");
    CHECK(to_text(1500ms) == "1.5s");
}
