// Engine settings inside command-line arguments, read tolerantly: arguments come from shell
// scripts, templates and hand-written JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::judge {

/// The words of a command line; a script (`sh -c SCRIPT`) is split as a POSIX shell would, without
/// expansion.
std::vector<std::string> launch_words(const std::vector<std::string>& arguments);

/// The value of `--name value` or `--name=value`; the last one wins, as in argparse.
std::optional<std::string> option_value(const std::vector<std::string>& words,
                                        std::string_view name);

bool has_word(const std::vector<std::string>& words, std::string_view word);

/// Every string that JSON-like text gives to `key`, at any depth; of an array, its strings.
std::vector<std::string> json_strings(std::string_view text, std::string_view key);

} // namespace di::judge
