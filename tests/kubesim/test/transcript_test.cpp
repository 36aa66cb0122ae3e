#include "kubesim/transcript.hpp"

#include <catch2/catch.hpp>

using di::kubesim::nonce_of;

namespace {

struct Case {
    std::vector<std::string> argv;
    std::string nonce;
};

} // namespace

TEST_CASE("a nonce is the $0 of a script", "[kubesim][replay]") {
    const auto example = GENERATE(values<Case>({
        {{"sh", "-c", "echo", "0123456789abcdef"}, "0123456789abcdef"},
        {{"/bin/sh", "-c", "echo", "0123456789abcdef", "more"}, "0123456789abcdef"},
        {{"sh", "-c", "echo"}, ""},
        {{"sh", "-c", "echo", "short"}, ""}, // could stand in the output by chance
        {{"sh", "script", "echo", "0123456789abcdef"}, ""},
        {{"cat", "a", "b", "0123456789abcdef"}, ""},
        {{}, ""},
    }));
    CAPTURE(example.argv);
    CHECK(nonce_of(example.argv) == example.nonce);
}
