#include "terminal.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace di;
using namespace di::app;
using cli::ColorChoice;
using render::Color;

TEST_CASE("colour follows the flag, then the environment, then the terminal", "[plugin]") {
    struct Case {
        ColorChoice choice;
        OutputKind output;
        std::map<std::string, std::string> environment;
        Color expected;
    };

    const auto row = GENERATE(values<Case>({
        {ColorChoice::automatic, OutputKind::terminal, {}, Color::on},
        {ColorChoice::automatic, OutputKind::pipe, {}, Color::off},
        {ColorChoice::automatic, OutputKind::terminal, {{"NO_COLOR", ""}}, Color::off},
        {ColorChoice::automatic, OutputKind::pipe, {{"CLICOLOR_FORCE", "1"}}, Color::on},
        {ColorChoice::automatic, OutputKind::pipe, {{"CLICOLOR_FORCE", "0"}}, Color::off},
        {ColorChoice::automatic,
         OutputKind::pipe,
         {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}},
         Color::off},
        {ColorChoice::automatic, OutputKind::terminal, {{"TERM", "dumb"}}, Color::off},
        {ColorChoice::always, OutputKind::pipe, {{"NO_COLOR", "1"}}, Color::on},
        {ColorChoice::never, OutputKind::terminal, {{"CLICOLOR_FORCE", "1"}}, Color::off},
    }));
    const auto lookup = [&](const std::string& name) -> std::optional<std::string> {
        const auto found = row.environment.find(name);
        return found == row.environment.end() ? std::nullopt : std::optional(found->second);
    };
    CHECK(choose_color(row.choice, row.output, lookup) == row.expected);
}
