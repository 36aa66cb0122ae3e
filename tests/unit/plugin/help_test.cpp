#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/help.hpp"
#include "support/golden.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace di;
using namespace di::cli;

TEST_CASE("the program is named as the user started it", "[cli]") {
    CHECK(program_name("/usr/local/bin/kubectl-dynamo_interconnect") ==
          "kubectl dynamo-interconnect");
    CHECK(program_name("kubectl-dynamo_interconnect") == "kubectl dynamo-interconnect");
    CHECK(program_name("./dic") == "dic");
}

TEST_CASE("the overview names every command and says how to start", "[cli]") {
    const auto text = help_text(Command::help, "kubectl dynamo-interconnect");
    for (const auto& command : commands()) {
        CHECK_THAT(text, Catch::Contains(std::string(command.name)));
    }
    CHECK_THAT(text, Catch::Contains("kubectl dynamo-interconnect check -n NAMESPACE"));
}

namespace {

/// The names of all flags that a command takes, one entry for each row of the table.
std::multiset<std::string_view> names_taken(const CommandInfo& command) {
    std::multiset<std::string_view> names;
    for (const auto& flag : flags()) {
        if (std::find(command.groups.begin(), command.groups.end(), flag.group) !=
            command.groups.end()) {
            const auto spellings = split(flag.names, ',');
            names.insert(spellings.begin(), spellings.end());
        }
    }
    return names;
}

} // namespace

TEST_CASE("every command has a usage line, an example, and every flag it takes", "[cli]") {
    for (const auto& command : commands()) {
        if (command.command == Command::help) {
            continue;
        }
        const auto text = help_text(command.command, "prog");
        CAPTURE(command.name);
        CHECK_THAT(text, Catch::Contains("Usage:\n  prog " + std::string(command.name)));
        const auto taken = names_taken(command);
        for (const auto& flag : flags()) {
            const auto longest = split(flag.names, ',').back();
            CAPTURE(longest);
            CHECK((text.find(std::string(longest) + " ") != std::string::npos) ==
                  (taken.count(longest) != 0));
        }
    }
}

TEST_CASE("no command has a flag twice and every flag is described", "[cli]") {
    for (const auto& flag : flags()) {
        CHECK_FALSE(flag.help.empty());
    }
    for (const auto& command : commands()) {
        const auto taken = names_taken(command);
        CAPTURE(command.name);
        CHECK(std::set<std::string_view>(taken.begin(), taken.end()).size() == taken.size());
    }
}

TEST_CASE("help fits into a terminal of a hundred columns", "[cli]") {
    for (const auto& command : commands()) {
        const auto text = help_text(command.command, "kubectl dynamo-interconnect");
        for (const auto line : lines(text)) {
            CAPTURE(line);
            CHECK(width_of(line) <= 110);
        }
    }
}

TEST_CASE("a near miss is only suggested when it is near", "[cli]") {
    CHECK(nearest("chek", {"check", "plan"}) == "check");
    CHECK(nearest("paln", {"check", "plan"}) == "plan");
    CHECK(nearest("frobnicate", {"check", "plan"}).empty());
}

TEST_CASE("docs/flags.md is the flag table", "[cli][docs]") {
    support::check_golden("../../docs/flags.md",
                          "# Flags\n\nMade from the table in `plugin/cli/flags.cpp`.\n\n" +
                              flag_table_markdown());
}
