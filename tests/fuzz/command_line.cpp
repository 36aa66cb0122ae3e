#include "discover/command_line.hpp"

#include "base/strings.hpp"
#include "fuzz.hpp"

namespace {

/// Each line an argument; those before an empty line are the command.
di::model::Container container_of(std::string_view input) {
    di::model::Container container;
    container.name = "main";
    container.env = {{"MODE", "decode"}, {"POD_IP", std::nullopt}};
    auto* words = &container.command;
    for (const auto line : di::split(input, '\n')) {
        if (line.empty() && words == &container.command) {
            words = &container.args;
        } else {
            words->emplace_back(line);
        }
    }
    container.image = input.substr(0, 80);
    return container;
}

} // namespace

DI_FUZZ_TARGET(command_line) {
    using namespace di;
    const auto container = container_of(input);
    const auto env = discover::read_env(container);
    const auto commands = discover::read_commands(container, env);
    const auto* const engine = discover::find_engine(commands);
    if (engine != nullptr) {
        fuzz::require(engine >= commands.data() && engine < commands.data() + commands.size(),
                      "the engine is one of the commands");
        fuzz::require(discover::engine_of(*engine).has_value(), "and it is an engine");
    }
    const auto role = discover::role_of_arguments(commands);
    fuzz::require(role == discover::role_of_arguments(discover::read_commands(container, env)),
                  "the same arguments ask for the same role");
    static_cast<void>(discover::serves_gpu_memory(commands));
    static_cast<void>(discover::backend_of_image(container.image));
}
