#include "parse/modules.hpp"

#include "tool_input.hpp"

DI_FUZZ_TARGET(modules) {
    using namespace di;
    const auto modules = fuzz::read_tool(input, parse::parse_modules);
    if (!modules) {
        return;
    }
    fuzz::require(modules->size() <= fuzz::most_lines(input), "no more modules than lines");
    for (const auto& module : *modules) {
        fuzz::require(!module.name.empty(), "a module has a name");
        for (const auto& user : module.users) {
            fuzz::require(!user.empty() && user != "-", "a user is a module");
        }
    }
}
