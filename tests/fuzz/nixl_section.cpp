#include "parse/nixl_section.hpp"

#include "tool_input.hpp"

DI_FUZZ_TARGET(nixl_section) {
    using namespace di;
    const auto directories = parse::parse_nixl_directories(input);
    fuzz::require_seen(directories, parse::parse_nixl_directories(input));
    for (const auto& directory :
         directories ? *directories : std::vector<model::PluginDirectory>{}) {
        fuzz::require(input.find(directory.path) != std::string_view::npos,
                      "a directory was printed");
        for (const auto& plugin : directory.plugins) {
            fuzz::require(!plugin.empty(), "a plugin has a name");
        }
    }
    const auto version = parse::parse_nixl_version(input);
    fuzz::require_seen(version, parse::parse_nixl_version(input));
    fuzz::require(!version || !version->empty(), "a version is not empty");
}
