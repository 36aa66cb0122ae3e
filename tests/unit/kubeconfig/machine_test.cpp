#include "kubeconfig/surroundings.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

using namespace di;
using kubeconfig::Command;
using kubeconfig::CommandResult;
using kubeconfig::FileText;
using kubeconfig::Stdin;

TEST_CASE("files of this machine are read, and what cannot be read says why") {
    const auto machine = kubeconfig::machine_surroundings();
    CHECK(machine.read_file("/proc/self/comm").outcome == FileText::Outcome::read);
    CHECK(machine.read_file("/no/such/file").outcome == FileText::Outcome::missing);
    const auto directory = machine.read_file("/");
    CHECK(directory.outcome == FileText::Outcome::failed);
    CHECK(directory.detail == "Is a directory");
    CHECK(machine.working_directory == std::filesystem::current_path().string());
}

TEST_CASE("commands are run without a shell, with our environment and more") {
    const auto machine = kubeconfig::machine_surroundings();
    const auto result =
        machine.run({{"sh", "-c", "printf '%s|%s|' \"$1\" \"$ADDED\"; cat; exit 3", "sh", "a b;c"},
                     {{"ADDED", "first"}, {"ADDED", "last"}},
                     Stdin::none});
    CHECK(result.outcome == CommandResult::Outcome::exited);
    CHECK(result.exit_code == 3);
    CHECK(result.out == "a b;c|last|");
}

TEST_CASE("commands that do not run, or do not stop") {
    const auto machine = kubeconfig::machine_surroundings();
    using Outcome = CommandResult::Outcome;
    CHECK(machine.run({{"no-such-program-anywhere"}, {}, Stdin::none}).outcome ==
          Outcome::not_found);
    CHECK(machine.run({{"/proc/self/comm"}, {}, Stdin::none}).outcome == Outcome::not_found);
    CHECK(machine.run({{"/"}, {}, Stdin::none}).outcome == Outcome::not_found);
    const auto killed = machine.run({{"sh", "-c", "kill -9 $$"}, {}, Stdin::none});
    CHECK(killed.outcome == Outcome::killed);
    CHECK(killed.detail == "killed: Killed");
    CHECK(machine.run({{"yes"}, {}, Stdin::none}).outcome == Outcome::endless_output);
}
