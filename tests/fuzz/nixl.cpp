#include "parse/nixl.hpp"

#include "tool_input.hpp"

DI_FUZZ_TARGET(nixl) {
    using namespace di;
    const auto directories = fuzz::read_tool(input, parse::parse_nixl_plugins);
    for (const auto& directory :
         directories ? *directories : std::vector<model::PluginDirectory>{}) {
        for (const auto& plugin : directory.plugins) {
            fuzz::require(!plugin.empty(), "a plugin has a name");
            fuzz::require(input.find("libplugin_" + plugin + ".so") != std::string_view::npos ||
                              input.find('\x1b') != std::string_view::npos,
                          "a plugin's file was printed");
        }
    }
    const auto tools = fuzz::read_tool(input, parse::parse_nixl_tools);
    if (tools) {
        fuzz::require(tools->programs.size() + tools->directory.size() <= fuzz::most_words(input),
                      "no more names than words");
        for (const auto& program : tools->programs) {
            fuzz::require(program.starts_with('/'), "a program on PATH is an absolute path");
        }
    }
}
