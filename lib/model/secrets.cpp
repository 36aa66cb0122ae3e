#include "model/secrets.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>

namespace di::model {
namespace {

constexpr std::array<std::string_view, 18> k_prefixes = {"hf_",
                                                         "nvapi-",
                                                         "ghp_",
                                                         "gho_",
                                                         "ghs_",
                                                         "github_pat_",
                                                         "glpat-",
                                                         "AKIA",
                                                         "ASIA",
                                                         "xoxb-",
                                                         "xoxp-",
                                                         "sk-",
                                                         "eyJ",
                                                         "AIza",
                                                         "ya29.",
                                                         "npm_",
                                                         "-----BEGIN",
                                                         "Bearer "};

/// Shorter ones are words; a prefix alone is none.
constexpr std::size_t k_shortest_token = 12;
constexpr std::size_t k_long_word = 32;

bool is_word_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '+' ||
           c == '_' || c == '.';
}

bool begins_like_token(std::string_view word) {
    return word.size() >= k_shortest_token &&
           std::any_of(k_prefixes.begin(), k_prefixes.end(), [&](std::string_view prefix) {
               return word.starts_with(prefix);
           });
}

/// Small and capital letters and digits in one long word: base64, not a list of devices.
bool is_dense(std::string_view word) {
    const auto has = [&](char first, char last) {
        return std::any_of(
            word.begin(), word.end(), [&](char c) { return c >= first && c <= last; });
    };
    return word.size() >= k_long_word && has('a', 'z') && has('A', 'Z') && has('0', '9');
}

} // namespace

std::string without_userinfo(std::string_view value) {
    constexpr std::string_view k_authority = "://";
    std::string safe;
    for (auto start = value.find(k_authority); start != std::string_view::npos;
         start = value.find(k_authority)) {
        start += k_authority.size();
        safe += value.substr(0, start);
        value.remove_prefix(start);
        const auto end = std::min(value.find_first_of("/?# \t\n,\"'"), value.size());
        const auto at = value.substr(0, end).rfind('@');
        if (at != std::string_view::npos) {
            safe += "***";
            value.remove_prefix(at);
        }
    }
    return safe.append(value);
}

bool looks_secret(std::string_view value) {
    while (!value.empty()) {
        if (begins_like_token(value)) {
            return true;
        }
        const auto* const end = std::find_if_not(value.begin(), value.end(), is_word_character);
        const auto length = static_cast<std::size_t>(end - value.begin());
        if (is_dense(value.substr(0, length))) {
            return true;
        }
        value.remove_prefix(std::min(length + 1, value.size()));
    }
    return false;
}

} // namespace di::model
