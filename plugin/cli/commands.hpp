// Every command in one table: dispatch, help and near-miss suggestions are made from it.
#pragma once

#include "cli/flags.hpp"
#include "cli/invocation.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace di::cli {

struct CommandInfo {
    Command command;
    std::string_view name;
    std::string_view synopsis; ///< what follows the name in the usage line
    std::string_view summary;  ///< one line
    std::string_view example;  ///< arguments after `kubectl dynamo-interconnect`
    std::size_t most_arguments;
    std::span<const FlagGroup> groups;
};

std::span<const CommandInfo> commands();

const CommandInfo& info(Command command);

/// The known word nearest to a mistyped one, or "" when none is near.
std::string nearest(std::string_view word, const std::vector<std::string_view>& known);

} // namespace di::cli
