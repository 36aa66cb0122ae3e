#include "parse/modules.hpp"

#include "parse/tool_text.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::KernelModule;

/// The use count: a number, "-" in kernels that cannot unload, negative while a module goes.
bool is_use_count(std::string_view word) {
    return word == "-" || parse_unsigned(word.substr(word.starts_with('-') ? 1 : 0));
}

std::vector<std::string> user_names(std::string_view list) {
    std::vector<std::string> users;
    for (const auto user : split(list, ',')) {
        if (!user.empty() && user != "-" && user != "[permanent]") {
            users.emplace_back(user);
        }
    }
    return users;
}

/// "name size count users" of lsmod; /proc/modules has "-" for no users, a comma after each, and
/// then the state, the address and taint flags (kernel/module/procfs.c).
std::optional<KernelModule> module_row(const Line& line) {
    auto parts = words(line.text);
    if (parts.size() < 3 || !parse_unsigned(parts[1]) || !is_use_count(parts[2])) {
        return std::nullopt;
    }
    KernelModule module;
    module.name = std::string(parts[0]);
    module.live = parts[2] != "-1";
    if (parts.size() > 3) {
        module.users = user_names(parts[3]);
        const bool cut_in_users = parts.size() == 4 && !line.ended && !parts[3].ends_with(',');
        if (cut_in_users && !module.users.empty()) {
            module.users.pop_back();
        }
    }
    if (parts.size() > 4) {
        module.live = module.live && parts[4] != "Unloading" && parts[4] != "Loading";
    }
    return module;
}

bool is_heading(std::string_view line) {
    return line.starts_with("Module ") && contains(line, "Used by");
}

/// The list comes from lsmod, or from cat or grep of /proc/modules, and often through a pipe whose
/// exit code is grep's: 1 for "no match".
std::optional<model::Unseen> silence(const ToolOutput& output) {
    for (const std::string_view tool : {"lsmod", "cat", "grep"}) {
        if (auto silent = why_silent(output, tool)) {
            return silent;
        }
    }
    return std::nullopt;
}

} // namespace

model::Seen<std::vector<KernelModule>> parse_modules(const ToolOutput& output) {
    if (auto silent = silence(output)) {
        return *silent;
    }
    const LineReader text(output.out);
    std::vector<KernelModule> modules;
    bool heading = false;
    for (const auto& line : text.lines()) {
        heading = heading || is_heading(line.text);
        if (auto module = module_row(line)) {
            modules.push_back(std::move(*module));
        }
    }
    const bool complaints = !heading && (output.rc > 1 || !messages(output).empty());
    if (modules.empty() && complaints) {
        return could_not_read(output, "the module list");
    }
    return modules;
}

} // namespace di::parse
