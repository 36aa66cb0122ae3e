#include "discover/shell_variables.hpp"

#include <algorithm>

namespace di::discover {

ShellVariables::ShellVariables(const ShellContext& context)
    : context_(context) {
    for (const auto& [name, value] : context.variables) {
        exported_.insert(name);
    }
    exported_.insert(context.unknown.begin(), context.unknown.end());
}

void ShellVariables::set(const std::string& name, std::string value, Truth runs) {
    std::erase(context_.unknown, name);
    if (runs == Truth::yes) {
        context_.variables.insert_or_assign(name, std::move(value));
    } else {
        context_.variables.erase(name);
        context_.unknown.push_back(name);
    }
}

void ShellVariables::declare(const std::vector<std::string>& words, Truth runs) {
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::size_t sign = words[i].find('=');
        const std::string name = words[i].substr(0, sign);
        if (sign != std::string::npos) {
            set(name, words[i].substr(sign + 1), runs);
        }
        if (words.front() != "readonly") {
            exported_.insert(name);
        }
    }
}

void ShellVariables::unset(const std::string& name) {
    context_.variables.erase(name);
    std::erase(context_.unknown, name);
}

model::EnvMap ShellVariables::exported(const Assignments& assignments) const {
    model::EnvMap env;
    for (const auto& [name, value] : context_.variables) {
        if (exported_.count(name) > 0) {
            env.emplace(name, value);
        }
    }
    for (const auto& [name, value] : assignments) {
        env.insert_or_assign(name, value);
    }
    return env;
}

std::vector<std::string> ShellVariables::unknown_exports(const Assignments& assignments) const {
    std::vector<std::string> names;
    for (const auto& name : context_.unknown) {
        const bool assigned =
            std::any_of(assignments.begin(), assignments.end(), [&](const auto& assignment) {
                return assignment.first == name;
            });
        if (exported_.count(name) > 0 && !assigned) {
            names.push_back(name);
        }
    }
    return names;
}

} // namespace di::discover
