#include "kube/status.hpp"

#include <catch2/catch.hpp>

using namespace di;
using Kind = kube::ExitStatus::Kind;

// ST1 to ST9: k8s.io/client-go/tools/remotecommand/v4_test.go.
TEST_CASE("the exit status of an exec is read strictly") {
    struct Case {
        std::string name;
        std::string text;
        Kind kind;
        int exit_code;
        std::string message; ///< part of it
    };

    const auto code = [](const std::string& message) {
        return R"({"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[)"
               R"({"reason":"Other","message":"9"},{"reason":"ExitCode","message":")" +
               message + "\"}]}}";
    };
    const std::vector<Case> table{
        {"ST1", R"({"status":"Success"})", Kind::exited, 0, ""},
        {"ST1 with metadata", R"({"metadata":{},"status":"Success"})", Kind::exited, 0, ""},
        {"ST2", "{}", Kind::unreadable, 0, "unknown error"},
        {"ST3", "{", Kind::unreadable, 0, "{"},
        {"no object", "[]", Kind::unreadable, 0, "unknown error"},
        {"empty", "", Kind::unreadable, 0, "no JSON"},
        {"ST4", R"({"status":"Failure","message":"foobar"})", Kind::failed, 0, "foobar"},
        {"ST5",
         R"({"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[]}})",
         Kind::unreadable,
         0,
         "no ExitCode cause given"},
        {"ST6",
         R"({"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[)"
         R"({"reason":"ExitCode"}]}})",
         Kind::unreadable,
         0,
         "invalid exit code value"},
        {"ST7", code("42"), Kind::exited, 42, ""},
        {"largest", code("255"), Kind::exited, 255, ""},
        {"ST8", code("300"), Kind::unreadable, 0, "invalid exit code value: 300"},
        {"ST8", code("-1"), Kind::unreadable, 0, "invalid exit code value"},
        {"ST8", code("7x"), Kind::unreadable, 0, "invalid exit code value"},
        {"hexadecimal", code("0x7"), Kind::unreadable, 0, "invalid exit code value"},
        {"ST9",
         R"({"status":"Failure","reason":"NonZeroExitCode"})",
         Kind::unreadable,
         0,
         "no ExitCode cause given"},
        {"escape sequences", "\x1b[2J", Kind::unreadable, 0, "\\x1b[2J"},
    };
    for (const auto& wanted : table) {
        CAPTURE(wanted.name, wanted.text);
        const auto exit = kube::read_exit_status(wanted.text);
        CHECK(exit.kind == wanted.kind);
        CHECK(exit.exit_code == wanted.exit_code);
        CHECK_THAT(exit.error.message, Catch::Contains(wanted.message));
    }
}

TEST_CASE("a Status is one only by its kind") {
    const auto status = kube::read_status(
        R"({"kind":"Status","status":"Failure","reason":"Forbidden","message":"no","code":403})");
    REQUIRE(status);
    CHECK(status->reason == "Forbidden");
    CHECK(status->message == "no");
    CHECK(status->code == 403);
    CHECK_FALSE(kube::read_status(R"({"kind":"PodList"})"));
    CHECK_FALSE(kube::read_status("404 page not found"));
    CHECK_FALSE(kube::read_status(""));
    CHECK_FALSE(kube::read_status("[1]"));
}

TEST_CASE("a Status that is cut is not whole") {
    const std::string text = R"({"metadata":{},"status":"Success"})";
    CHECK(kube::is_whole_json(text));
    for (std::size_t size = 0; size < text.size(); ++size) {
        CHECK_FALSE(kube::is_whole_json(text.substr(0, size)));
    }
}
