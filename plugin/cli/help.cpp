#include "cli/help.hpp"

#include "base/strings.hpp"
#include "cli/commands.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::cli {
namespace {

/// "-n, --namespace NS"; flags without a letter are indented to where the others' words stand.
std::string spelled(const Flag& flag) {
    std::string names(flag.names);
    if (const auto comma = names.find(','); comma != std::string::npos) {
        names.insert(comma + 1, " ");
    } else {
        names.insert(0, "    ");
    }
    return flag.value.empty() ? names : fmt::format("{} {}", names, flag.value);
}

/// What a command's argument may be; empty where that needs no words.
std::string arguments_of(Command about) {
    if (about != Command::judge) {
        return "";
    }
    std::string text = "\nProbes:\n";
    for (const auto name : model::tool_names()) {
        text += fmt::format("  {}\n", name);
    }
    return text;
}

std::string overview(std::string_view program) {
    std::string text = "Can the KV cache of an NVIDIA Dynamo deployment travel from prefill to "
                       "decode over RDMA or\n"
                       "NVLink, or is it silently on TCP? Read-only: lists pods, runs one fixed "
                       "probe in each worker.\n\n"
                       "Usage:\n";
    text += fmt::format("  {} COMMAND [flags]\n\nCommands:\n", program);
    for (const auto& command : commands()) {
        text += fmt::format("  {:<10}{}\n", command.name, command.summary);
    }
    text += "\nExit codes:\n"
            "  0 nothing at or above --fail-on    1 blockers    2 usage    3 inconclusive\n"
            "  4 could not run    5 no consent    70 internal error    130 interrupted\n\n";
    return text + fmt::format("Start with:\n  {} check -n NAMESPACE\n", program);
}

} // namespace

std::string program_name(std::string_view argv0) {
    const auto slash = argv0.rfind('/');
    const auto name = slash == std::string_view::npos ? argv0 : argv0.substr(slash + 1);
    return name.substr(0, 8) == "kubectl-" ? "kubectl dynamo-interconnect" : std::string(name);
}

std::string help_text(Command about, std::string_view program) {
    if (about == Command::help) {
        return overview(program);
    }
    const auto& command = info(about);
    std::string text = fmt::format("{}\n\nUsage:\n  {} {} {}\n\nExample:\n  {} {}\n",
                                   command.summary,
                                   program,
                                   command.name,
                                   command.synopsis,
                                   program,
                                   command.example);
    text += arguments_of(about);
    for (const auto group : command.groups) {
        text += fmt::format("\n{}:\n", heading(group));
        for (const auto& flag : flags()) {
            if (flag.group == group) {
                text += fmt::format("  {:<34}{}\n", spelled(flag), flag.help);
            }
        }
    }
    return text;
}

std::string flag_table_markdown() {
    std::string text = "| flag | what it does |\n|---|---|\n";
    for (const auto& flag : flags()) {
        const std::string spelling = spelled(flag);
        text += fmt::format("| `{}` | {} |\n", trim(spelling), flag.help);
    }
    return text;
}

} // namespace di::cli
