#include "app.hpp"
#include "cli/help.hpp"
#include "interrupts.hpp"
#include "machine.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    using namespace di;
    constexpr int k_exit_internal = 70;
    try {
        const SteadyClock clock;
        const app::Interrupts interrupts;
        const app::Deps deps = app::machine_deps(
            clock, interrupts.descriptor(), cli::program_name(argc > 0 ? argv[0] : ""));
        const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
        return app::run(arguments, deps);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: internal error: %s\n", error.what());
        return k_exit_internal;
    }
}
