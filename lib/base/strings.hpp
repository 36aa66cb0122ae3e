// Small text helpers. Pure; ASCII only, independent of the locale.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di {

/// Text without spaces, TABs, CRs and LFs at both ends.
std::string_view trim(std::string_view text);

/// The same as a string of its own, for temporaries.
std::string trimmed(std::string_view text);

/// Parts between separators; "a,,b" has three, "" has one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Lines without their LF or CR LF; a missing final newline loses nothing, a final one adds
/// nothing.
std::vector<std::string_view> lines(std::string_view text);

/// Words between runs of spaces and TABs.
std::vector<std::string_view> words(std::string_view text);

/// trim, split, lines and words give views of their argument: a temporary string would leave them
/// dangling.
template<class T>
concept TemporaryString = std::same_as<T, std::string>;
template<TemporaryString T> void trim(T&&) = delete;
template<TemporaryString T> void split(T&&, char) = delete;
template<TemporaryString T> void lines(T&&) = delete;
template<TemporaryString T> void words(T&&) = delete;

std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// "1 port", "2 ports".
std::string counted(std::size_t count, std::string_view one);

std::string to_lower(std::string_view text);

bool contains(std::string_view text, std::string_view part);
bool contains_ignoring_case(std::string_view text, std::string_view part);

/// A whole number in decimal or, with 0x, hexadecimal; nothing when any other character is there.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// Hostile text made safe for a terminal: control characters, C1 codes, bidirectional overrides and
/// invalid UTF-8 become visible escapes (\x1b, \u202e). Newlines and TABs too.
std::string printable(std::string_view text);

/// The text with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// How many code points; what a table column counts.
std::size_t width_of(std::string_view text);

/// `printable`, cut to at most `width` code points, the cut shown by "...".
std::string excerpt(std::string_view text, std::size_t width);

/// An argv as a person can paste it into a POSIX shell.
std::string shell_command(const std::vector<std::string>& argv);

} // namespace di
