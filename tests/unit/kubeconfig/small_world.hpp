// A world of a few files and variables, and a plugin that answers what the test wants.
#pragma once

#include "kubeconfig/load.hpp"

#include <map>
#include <string>
#include <vector>

namespace di::test {

struct SmallWorld {
    std::map<std::string, std::string> files;
    std::map<std::string, std::string> environment{{"HOME", "/home/u"}};
    kubeconfig::CommandResult plugin_result;
    std::vector<kubeconfig::Command> commands; ///< that were run
    std::chrono::system_clock::time_point now{std::chrono::seconds(1'800'000'000)};
    bool terminal = false;

    /// Refers to this world: later changes are seen.
    kubeconfig::Surroundings surroundings() {
        kubeconfig::Surroundings outside;
        outside.environment = [this](const std::string& name) -> std::optional<std::string> {
            const auto found = environment.find(name);
            return found == environment.end() ? std::nullopt : std::optional(found->second);
        };
        outside.read_file = [this](const std::string& path) -> kubeconfig::FileText {
            using Outcome = kubeconfig::FileText::Outcome;
            const auto found = files.find(path);
            if (found == files.end()) {
                return {Outcome::missing, "", "No such file or directory"};
            }
            if (found->second == "<directory>") {
                return {Outcome::failed, "", "Is a directory"};
            }
            return {Outcome::read, found->second, ""};
        };
        outside.run = [this](const kubeconfig::Command& command) {
            commands.push_back(command);
            return plugin_result;
        };
        outside.now = [this] { return now; };
        outside.working_directory = "/srv";
        outside.terminal_on_stdin = terminal;
        return outside;
    }
};

} // namespace di::test
