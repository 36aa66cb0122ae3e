// `--flag=` has an empty value for kubectl; CLI11 would take the next word for it.
#pragma once

#include <CLI/CLI.hpp>

#include <span>
#include <string>
#include <vector>

namespace di::cli {

/// The words as CLI11 reads them, the last one first; `--flag=` of a flag with a value becomes
/// `--flag ""`.
inline std::vector<std::string> words_for(const CLI::App& app,
                                          std::span<const std::string> arguments) {
    std::vector<std::string> words;
    for (const auto& word : arguments) {
        const auto name = word.substr(0, word.find('='));
        const bool ends_there = name.size() + 1 == word.size();
        const auto* flag = ends_there ? app.get_option_no_throw(name) : nullptr;
        const bool empty = flag != nullptr && flag->get_items_expected_max() > 0;
        words.insert(words.begin(), empty ? name : word);
        words.insert(words.begin(), empty ? 1 : 0, "");
    }
    return words;
}

} // namespace di::cli
