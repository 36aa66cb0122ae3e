#include "kubeconfig/base64.hpp"

#include <catch2/catch.hpp>

using namespace di::kubeconfig;

TEST_CASE("base64 goes there and back") {
    std::string bytes;
    for (int size = 0; size < 70; ++size) {
        CAPTURE(size);
        const auto decoded = from_base64(to_base64(bytes));
        REQUIRE(std::holds_alternative<std::string>(decoded));
        CHECK(std::get<std::string>(decoded) == bytes);
        bytes += static_cast<char>(size * 37 + 200);
    }
    CHECK(to_base64("Man") == "TWFu");
    CHECK(to_base64("Ma") == "TWE=");
    CHECK(to_base64("M") == "TQ==");
}

TEST_CASE("I22 line ends are skipped, everything else is an error at its byte") {
    CHECK(std::get<std::string>(from_base64("TW\nFu\r\n")) == "Man");

    struct Case {
        std::string text;
        std::size_t at;
    };

    const auto wanted = GENERATE(values<Case>({
        {"TWFu ", 4},
        {"T WFu", 1},
        {"TWE", 0},
        {"TQ=", 3},
        {"T===", 1},
        {"=", 0},
        {"TQ==TWFu", 4},
        {"TQ=a", 3},
        {"TWE==", 4},
        {"TW-_", 2},
    }));
    CAPTURE(wanted.text);
    const auto decoded = from_base64(wanted.text);
    REQUIRE(std::holds_alternative<BadBase64>(decoded));
    CHECK(std::get<BadBase64>(decoded).at == wanted.at);
}
