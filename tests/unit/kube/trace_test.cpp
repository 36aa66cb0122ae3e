#include "base/strings.hpp"
#include "kube/trace.hpp"

#include <catch2/catch.hpp>

using namespace di;
using namespace di::kube;
using namespace std::chrono_literals;

TEST_CASE("an answer is one line, as kubectl has it", "[trace]") {
    CHECK(trace_answer("GET", "https://h:6443/api/v1/pods?limit=500", "200", 5ms, 6) ==
          "GET https://h:6443/api/v1/pods?limit=500 200 in 5 milliseconds");
}

TEST_CASE("the script of an exec is cut below level 8", "[trace]") {
    const auto url = "https://h/exec?command=" + std::string(7000, 'x');
    CHECK(trace_answer("GET", url, "101", 9ms, 7).size() < 250);
    CHECK(contains(trace_answer("GET", url, "101", 9ms, 8), url));
}

TEST_CASE("credentials are masked whatever they are", "[trace]") {
    const auto [value, shown] = GENERATE(table<std::string, std::string>({
        {"Bearer planted", "Bearer <masked>"},
        {"bearer planted", "Bearer <masked>"},
        {"Basic cGxhbnRlZA==", "<masked>"},
        {"planted", "<masked>"},
    }));
    const auto lines =
        trace_headers("Request Headers", {{"AUTHORIZATION", value}, {"Accept", "x"}});
    CHECK(lines == std::vector<std::string>{
                       "Request Headers:", "    AUTHORIZATION: " + shown, "    Accept: x"});
    CHECK(trace_headers("Response Headers", {{"Set-Cookie", "planted"}})[1] ==
          "    Set-Cookie: <masked>");
}

TEST_CASE("bodies are shown where something went wrong, never the specs of pods", "[trace]") {
    net::Response list{200, {}, R"({"kind":"PodList","items":[{"spec":"planted"}]})"};
    CHECK(trace_body(list, 10) == "Response Body: <47 bytes, not shown>");
    net::Response refused{403, {}, std::string(2000, 'r')};
    CHECK(trace_body(refused, 8).size() < 1100);
    CHECK(contains(trace_body(refused, 8), "[truncated 976 chars]"));
    CHECK(contains(trace_body(refused, 10), refused.body));
    net::Response hostile{500, {}, "\x1b[2J"};
    CHECK(trace_body(hostile, 8) == "Response Body: \\x1b[2J");
}
