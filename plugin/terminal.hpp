// What the terminal can show: colour and width.
#pragma once

#include "cli/invocation.hpp"
#include "render/text_layout.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace di::app {

/// Environment lookup; nothing when unset.
using Lookup = std::function<std::optional<std::string>(const std::string&)>;

enum class OutputKind : std::uint8_t { terminal, pipe };

/// --color beats NO_COLOR (any presence) beats CLICOLOR_FORCE (unless "0") beats TERM=dumb beats
/// whether stdout is a terminal. Pure.
render::Color choose_color(cli::ColorChoice choice, OutputKind output, const Lookup& environment);

/// Columns of the terminal on that descriptor; 0 when it is none.
std::size_t terminal_width(int descriptor);

} // namespace di::app
