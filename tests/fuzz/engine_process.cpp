#include "parse/engine_process.hpp"

#include "tool_input.hpp"

namespace {

/// The section as it ends well, ends with a code, or is cut.
std::vector<di::parse::Section> endings(std::string_view text) {
    return {{"engine", text, 0, false},
            {"engine", text, 1, false},
            {"engine", text, {}, false},
            {"engine", text, 0, true}};
}

} // namespace

DI_FUZZ_TARGET(engine_process) {
    using namespace di;
    for (const auto& section : endings(input)) {
        const auto engine = parse::parse_engine(section);
        fuzz::require_seen(engine, parse::parse_engine(section));
        const auto environ = parse::parse_environ(section);
        fuzz::require_seen(environ, parse::parse_environ(section));
        fuzz::require(section.whole() || !environ, "a cut environment is no fact");
        if (!engine) {
            continue;
        }
        fuzz::require(engine->pid > 0 && engine->processes >= 0, "a process has a number");
        fuzz::require(section.whole() || (!engine->libraries && !engine->open_devices),
                      "lists that are cut are no facts");
        fuzz::require_seen(engine->memlock, engine->memlock);
        fuzz::require_seen(engine->libraries, engine->libraries);
        fuzz::require_seen(engine->open_devices, engine->open_devices);
    }
}
