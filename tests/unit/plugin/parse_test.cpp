#include "base/strings.hpp"
#include "cli/parse.hpp"

#include <catch2/catch.hpp>

using namespace di;
using namespace di::cli;
using namespace std::chrono_literals;

namespace {

Result<Invocation> parse_line(std::string_view line) {
    std::vector<std::string> arguments;
    for (const auto word : words(line)) {
        arguments.emplace_back(word);
    }
    return parse(arguments);
}

std::string error_of(std::string_view line) {
    const auto invocation = parse_line(line);
    REQUIRE_FALSE(invocation.ok());
    CHECK(invocation.error().kind == ErrorKind::usage);
    return to_text(invocation.error());
}

} // namespace

TEST_CASE("no arguments show the help", "[cli]") {
    for (const char* line : {"", "-h", "--help", "help"}) {
        const auto invocation = parse_line(line);
        REQUIRE(invocation.ok());
        CHECK(invocation->command == Command::help);
        CHECK(invocation->help_about == Command::help);
    }
    CHECK(parse_line("help check")->help_about == Command::check);
    CHECK(parse_line("check --help")->help_about == Command::check);
    CHECK(parse_line("--version")->command == Command::version);
}

TEST_CASE("kubectl's flags mean what they mean for kubectl", "[cli]") {
    for (const char* line :
         {"check -n prod", "check -nprod", "check --namespace prod", "check --namespace=prod"}) {
        CAPTURE(line);
        const auto invocation = parse_line(line);
        REQUIRE(invocation.ok());
        CHECK(invocation->connection.ns == "prod");
    }
    const auto all =
        parse_line("check -A -l app=x,tier!=y --field-selector spec.nodeName=n1 -c main --graph g");
    REQUIRE(all.ok());
    CHECK(all->selection.all_namespaces);
    CHECK(all->selection.label_selector == "app=x,tier!=y");
    CHECK(all->selection.field_selector == "spec.nodeName=n1");
    CHECK(all->selection.container == "main");
    CHECK(all->selection.graph == "g");
}

TEST_CASE("a flag with nothing after its = is empty, as in kubectl, and takes no other word",
          "[cli]") {
    for (const char* line : {"check --namespace= --context c", "check --context c --namespace="}) {
        CAPTURE(line);
        const auto invocation = parse_line(line);
        REQUIRE(invocation.ok());
        CHECK(invocation->connection.ns == "");
        CHECK(invocation->connection.context == "c");
    }
    CHECK(parse_line("check --as-group= --as u")->connection.as_groups ==
          std::vector<std::string>{""});
    CHECK_THAT(error_of("check --contxt="), Catch::Contains("unknown flag: --contxt"));
}

TEST_CASE("repeatable flags collect and others take the last value", "[cli]") {
    const auto invocation =
        parse_line("check --pod a --pod b --as u --as-group g1 --as-group g2 -n one -n two");
    REQUIRE(invocation.ok());
    CHECK(invocation->selection.pods == std::vector<std::string>{"a", "b"});
    CHECK(invocation->connection.as_groups == std::vector<std::string>{"g1", "g2"});
    CHECK(invocation->connection.ns == "two");
}

TEST_CASE("defaults are the contract's", "[cli]") {
    const auto invocation = parse_line("check");
    REQUIRE(invocation.ok());
    CHECK(invocation->max_parallel == 32);
    CHECK(invocation->probe_timeout == 20s);
    CHECK(invocation->timeout == 5min);
    CHECK(invocation->fail_on == verdict::FailOn::inconclusive);
    CHECK_FALSE(invocation->require);
    CHECK(invocation->format == Format::table);
    CHECK(invocation->color == ColorChoice::automatic);
    CHECK_FALSE(invocation->selection.role);
}

TEST_CASE("values are checked and the error names what is allowed", "[cli]") {
    struct Case {
        std::string_view line;
        std::string_view part;
    };

    const auto row = GENERATE(values<Case>({
        {"check -o xml", "json, table, wide, yaml"},
        {"check --color sometimes", "auto, always, never"},
        {"check --fail-on never", "fail, warn, inconclusive"},
        {"check --require gold", "configured, capable, traffic, payload"},
        {"check --role frontend", "prefill, decode, worker"},
        {"check --probe-timeout soon", "--probe-timeout"},
        {"check --timeout 0", "--timeout"},
        {"check --max-parallel 0", "1 to 1000"},
        {"check --max-parallel many", "1 to 1000"},
        {"check --frobnicate", "unknown flag: --frobnicate"},
        {"check --contxt prod", "did you mean --context?"},
        {"check -n", "-n"},
        {"check stray", "unexpected argument"},
        {"chek", "did you mean \"check\"?"},
        {"frobnicate", "unknown command"},
        {"-n prod check", "the command comes before its flags"},
        {"plan --fail-on warn", "unknown flag: --fail-on"},
        {"explain", "either a CODE or --list"},
        {"explain IB-001 --list", "either a CODE or --list"},
        {"explain IB-001 IB-002", "IB-002"},
        {"help chek", "did you mean \"check\"?"},
    }));
    CAPTURE(row.line);
    CHECK_THAT(error_of(row.line), Catch::Contains(std::string(row.part)));
}

TEST_CASE("a waiver keeps its reason", "[cli]") {
    const auto invocation = parse_line("check --skip GDR-002 --skip IB-004=known");
    REQUIRE(invocation.ok());
    CHECK(invocation->waivers ==
          std::map<std::string, std::string>{{"GDR-002", ""}, {"IB-004", "known"}});
}

TEST_CASE("printed kubectl commands reach the same cluster and carry no secret", "[cli]") {
    const auto invocation =
        parse_line("check --context prod --kubeconfig /k --token s3cret -n x --as admin");
    REQUIRE(invocation.ok());
    CHECK(shell_command(invocation->kubectl_prefix) ==
          "kubectl --kubeconfig /k --context prod --as admin");
}

TEST_CASE("kubectl gets every flag that says which cluster and as whom", "[cli]") {
    struct Case {
        const char* given;
        const char* passed_on;
    };

    const auto row = GENERATE(values<Case>({
        {"--kubeconfig=/k", "--kubeconfig /k"},
        {"--context c", "--context c"},
        {"--cluster c", "--cluster c"},
        {"--user u", "--user u"},
        {"-s https://h", "--server https://h"},
        {"--server https://h:6443/x", "--server https://h:6443/x"},
        {"--certificate-authority /ca", "--certificate-authority /ca"},
        {"--tls-server-name n", "--tls-server-name n"},
        {"--client-certificate /c", "--client-certificate /c"},
        {"--client-key /k", "--client-key /k"},
        {"--as a", "--as a"},
        {"--as-uid 7", "--as-uid 7"},
        {"--as-group a --as-group b", "--as-group a --as-group b"},
        {"--as-user-extra k=1 --as-user-extra k=2", "--as-user-extra k=1 --as-user-extra k=2"},
        {"--insecure-skip-tls-verify", "--insecure-skip-tls-verify"},
        {"--insecure-skip-tls-verify=false", ""},
        {"--token t", ""},
        {"--proxy-url http://me:secret@p", ""},
    }));
    CAPTURE(row.given);
    const auto invocation = parse_line(std::string("check ") + row.given);
    REQUIRE(invocation.ok());
    const std::string rest(row.passed_on);
    CHECK(shell_command(invocation->kubectl_prefix) ==
          (rest.empty() ? "kubectl" : "kubectl " + rest));
}
