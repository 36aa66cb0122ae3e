#include "kube/status.hpp"
#include "support/table_tests.hpp"

#include <catch2/catch.hpp>

using namespace di;
using Kind = kube::ExitStatus::Kind;

namespace {

struct Case {
    std::string name;
    std::string text;
    Kind kind;
    int exit_code;
    std::string message; ///< part of it
};

std::string exit_cause(const std::string& message) {
    return R"({"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[)"
           R"({"reason":"Other","message":"9"},{"reason":"ExitCode","message":")" +
           message + "\"}]}}";
}

// ST1 to ST9: k8s.io/client-go/tools/remotecommand/v4_test.go.
std::vector<Case> table() {
    const auto bad = Kind::unreadable;
    const std::string no_causes =
        R"({"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[]}})";
    const std::string no_message = R"({"status":"Failure","reason":"NonZeroExitCode",)"
                                   R"("details":{"causes":[{"reason":"ExitCode"}]}})";
    return {
        {"ST1 Success is exit code 0", R"({"status":"Success"})", Kind::exited, 0, ""},
        {"ST1 Success with metadata", R"({"metadata":{},"status":"Success"})", Kind::exited, 0, ""},
        {"ST2 an empty object is an unknown error", "{}", bad, 0, "unknown error"},
        {"ST3 broken JSON is quoted", "{", bad, 0, "no JSON: {"},
        {"a list is no Status", "[]", bad, 0, "unknown error"},
        {"nothing is no Status", "", bad, 0, "no JSON"},
        {"ST4 a failure gives its message",
         R"({"status":"Failure","message":"foobar"})",
         Kind::failed,
         0,
         "foobar"},
        {"ST5 causes without an ExitCode", no_causes, bad, 0, "no ExitCode cause given"},
        {"ST6 an ExitCode without a value", no_message, bad, 0, "invalid exit code value"},
        {"ST7 exit code 42", exit_cause("42"), Kind::exited, 42, ""},
        {"the largest exit code", exit_cause("255"), Kind::exited, 255, ""},
        {"ST8 exit code 300 is none", exit_cause("300"), bad, 0, "invalid exit code value: 300"},
        {"ST8 exit code -1 is none", exit_cause("-1"), bad, 0, "invalid exit code value"},
        {"ST8 exit code 7x is none", exit_cause("7x"), bad, 0, "invalid exit code value"},
        {"a hexadecimal exit code is none", exit_cause("0x7"), bad, 0, "invalid exit code value"},
        {"ST9 NonZeroExitCode without details",
         R"({"status":"Failure","reason":"NonZeroExitCode"})",
         bad,
         0,
         "no ExitCode cause given"},
        {"a Status of escape sequences is safe to print", "\x1b[2J", bad, 0, "\\x1b[2J"},
    };
}

void check(const Case& wanted) {
    CAPTURE(wanted.text);
    const auto exit = kube::read_exit_status(wanted.text);
    CHECK(exit.kind == wanted.kind);
    CHECK(exit.exit_code == wanted.exit_code);
    CHECK_THAT(exit.error.message, Catch::Contains(wanted.message));
}

const test::TableTests<Case> k_table(table(), check);

} // namespace

TEST_CASE("I3 exit codes 0, 1, 126, 127, 137 and 255 are read as they are") {
    for (const int code : {0, 1, 126, 127, 137, 255}) {
        const auto exit = kube::read_exit_status(exit_cause(std::to_string(code)));
        CHECK(exit.kind == Kind::exited);
        CHECK(exit.exit_code == code);
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
