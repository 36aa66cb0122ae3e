#include "discover/container_env.hpp"

#include <catch2/catch.hpp>

using namespace di;
using discover::expand;
using discover::read_env;

namespace {

discover::ContainerEnv env_of(std::vector<model::EnvEntry> entries) {
    model::Container container;
    container.env = std::move(entries);
    return read_env(container);
}

} // namespace

TEST_CASE("references are expanded as the kubelet does", "[discover][env]") {
    struct Case {
        std::string_view text;
        std::string_view expected;
    };

    const auto row = GENERATE(values<Case>({
        {"$(ROLE)", "prefill"},
        {"--mode=$(ROLE)-x", "--mode=prefill-x"},
        {"$(ROLE)$(ROLE)", "prefillprefill"},
        {"$$(ROLE)", "$(ROLE)"},
        {"$$$(ROLE)", "$prefill"},
        {"$ROLE ${ROLE}", "$ROLE ${ROLE}"},
        {"$(NOT_SET)", "$(NOT_SET)"},
        {"$(POD_IP)", "$(POD_IP)"},
        {"$(ROLE", "$(ROLE"},
        {"$()", "$()"},
        {"100$", "100$"},
        {"", ""},
    }));
    CAPTURE(row.text);
    const auto env = env_of({{"ROLE", "prefill"}, {"POD_IP", std::nullopt}});
    CHECK(expand(row.text, env) == row.expected);
}

TEST_CASE("entries see those before them, and the last of a name wins", "[discover][env]") {
    const auto env = env_of({{"EARLY", "$(LATE)"},
                             {"A", "1"},
                             {"B", "$(A)2"},
                             {"LATE", "x"},
                             {"A", "3"},
                             {"C", "$(A)"}});
    CHECK(env.values.at("EARLY") == "$(LATE)");
    CHECK(env.values.at("B") == "12");
    CHECK(env.values.at("C") == "3");
    CHECK(env.unresolved.empty());
}

TEST_CASE("values by reference are named, not guessed", "[discover][env]") {
    const auto env = env_of({{"POD_IP", std::nullopt},
                             {"HOST", "tcp://$(POD_IP):80"},
                             {"THEN_LITERAL", std::nullopt},
                             {"THEN_LITERAL", "x"},
                             {"THEN_REF", "x"},
                             {"THEN_REF", std::nullopt}});
    CHECK(env.unresolved == std::vector<std::string>{"POD_IP", "HOST", "THEN_REF"});
    CHECK(env.values.size() == 1);
    CHECK(env.values.at("THEN_LITERAL") == "x");
}

TEST_CASE("values that double with each entry stay small", "[discover][env]") {
    std::vector<model::EnvEntry> entries = {{"A", "xxxxxxxx"}};
    for (int i = 0; i < 60; ++i) {
        entries.push_back({"A", "$(A)$(A)"});
    }
    CHECK(env_of(entries).values.at("A").size() < 1'000'000);
}
