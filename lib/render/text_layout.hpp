// Columns and wrapped text as kubectl prints them: padded with three spaces, no borders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace di::render {

/// ANSI foreground attributes; `none` prints nothing.
enum class Tint : std::uint8_t { none, bold, dim, red, green, yellow, cyan };

enum class Color : std::uint8_t { off, on };

/// `text` between the escape codes of `tint`, or unchanged when colour is off.
std::string tinted(std::string_view text, Tint tint, Color color);

struct Cell {
    std::string text; ///< printable already
    Tint tint = Tint::none;
};

/// Rows of equal length. The last column is wrapped at `width` columns of the terminal (0: never),
/// its further lines hanging under its first. Lines carry no trailing spaces.
std::string
layout_columns(const std::vector<std::vector<Cell>>& rows, std::size_t width, Color color);

/// Text broken at spaces into lines of at most `width` (0: never); a longer word keeps its own
/// line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

} // namespace di::render
