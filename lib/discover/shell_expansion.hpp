// Parameter expansion of the POSIX shell, section 2.6.2, for what can be known without running.
#pragma once

#include "discover/shell_words.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace di::discover {

/// What stands in the place of a `$...`.
struct Piece {
    std::string text;  ///< the value, or the expression as it is written
    bool known = true; ///< false: `text` is the expression
};

/// Reads the expansion that begins with the `$` at `at`, and moves `at` behind it. Known are
/// `$NAME`, `${NAME}`, `$1`, and the forms `:-  -  :=  =  :+  +` of the braces.
Piece expand_dollar(std::string_view text, std::size_t& at, const ShellContext& context);

/// The balanced text from the `open` at `at`, which is moved behind its `close`.
std::string_view skip_balanced(std::string_view text, std::size_t& at, char open, char close);

bool is_variable_name(std::string_view text);

} // namespace di::discover
