#include "kubesim/options.hpp"

#include <catch2/catch.hpp>

using namespace di::kubesim;

TEST_CASE("flags take their value from the next word or after an equals sign",
          "[kubesim][options]") {
    const auto options = parse_options({"--scenario=disagg-ib",
                                        "--pods",
                                        "64",
                                        "--listen",
                                        "127.0.0.1:7000",
                                        "--kubeconfig-out",
                                        "/tmp/k",
                                        "--requests-log=/tmp/l",
                                        "--exec",
                                        "replay",
                                        "--latency=20ms",
                                        "--fault",
                                        "no-v5",
                                        "--fault=forbidden:pods"});
    REQUIRE(options.ok());
    CHECK(options->scenario == "disagg-ib");
    CHECK(options->pods == 64);
    CHECK(options->listen == "127.0.0.1:7000");
    CHECK(options->kubeconfig_out == "/tmp/k");
    CHECK(options->requests_log == "/tmp/l");
    CHECK(options->exec == ExecMode::replay);
    CHECK(options->latency == di::Millis(20));
    CHECK(options->faults == std::vector<std::string>{"no-v5", "forbidden:pods"});
}

TEST_CASE("a scenario is enough", "[kubesim][options]") {
    const auto options = parse_options({"--scenario", "x"});
    REQUIRE(options.ok());
    CHECK(options->listen == "127.0.0.1:0");
    CHECK(options->exec == ExecMode::run);
    CHECK(options->pods == 0);
    CHECK(parse_options({"--help"})->help);
}

TEST_CASE("wrong command lines are usage errors", "[kubesim][options]") {
    using Arguments = std::vector<std::string>;
    const auto arguments = GENERATE(values<Arguments>({
        {},
        {"disagg-ib"},
        {"--scenario"},
        {"--scenario", ""},
        {"--scenario", "x", "--pods", "0"},
        {"--scenario", "x", "--pods", "many"},
        {"--scenario", "x", "--exec", "walk"},
        {"--scenario", "x", "--latency", "soon"},
        {"--scenario", "x", "--nonsense", "1"},
    }));
    CAPTURE(arguments);
    const auto options = parse_options(arguments);
    REQUIRE_FALSE(options.ok());
    CHECK(options.error().kind == di::ErrorKind::usage);
}

TEST_CASE("the help shows flags, scenarios and faults", "[kubesim][options]") {
    const auto help = help_text({"disagg-ib", "no-sm"});
    for (const auto* const text :
         {"--requests-log FILE", "disagg-ib no-sm", "exec-truncate[:POD]"}) {
        CAPTURE(text);
        CHECK(help.find(text) != std::string::npos);
    }
}
