#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace di::app {

render::Color choose_color(cli::ColorChoice choice, OutputKind output, const Lookup& environment) {
    using render::Color;
    if (choice != cli::ColorChoice::automatic) {
        return choice == cli::ColorChoice::always ? Color::on : Color::off;
    }
    if (environment("NO_COLOR")) {
        return Color::off;
    }
    if (const auto force = environment("CLICOLOR_FORCE"); force && *force != "0") {
        return Color::on;
    }
    if (environment("TERM").value_or("") == "dumb") {
        return Color::off;
    }
    return output == OutputKind::terminal ? Color::on : Color::off;
}

std::size_t terminal_width(int descriptor) {
    winsize size{};
    // isatty() first: some pseudo files answer the size question with zeros or garbage.
    return isatty(descriptor) == 1 && ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

} // namespace di::app
