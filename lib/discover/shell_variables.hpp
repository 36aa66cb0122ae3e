// Variables of a script that is read without being run: values, which of them are exported, and
// which are set to what nobody here knows. Internal to the room.
#pragma once

#include "discover/shell_flow.hpp"
#include "discover/shell_words.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace di::discover {

class ShellVariables {
public:
    using Assignments = std::vector<std::pair<std::string, std::string>>;

    explicit ShellVariables(const ShellContext& context);

    [[nodiscard]] const ShellContext& context() const { return context_; }

    /// A value that is set in a branch which may not be taken is not known afterwards.
    void set(const std::string& name, std::string value, Truth runs);

    /// `export`, `declare`, ... with their words NAME and NAME=VALUE.
    void declare(const std::vector<std::string>& words, Truth runs);

    void unset(const std::string& name);

    /// What a command gets that has these assignments in front of it.
    [[nodiscard]] model::EnvMap exported(const Assignments& assignments) const;
    [[nodiscard]] std::vector<std::string> unknown_exports(const Assignments& assignments) const;

private:
    ShellContext context_;
    std::set<std::string, std::less<>> exported_;
};

} // namespace di::discover
