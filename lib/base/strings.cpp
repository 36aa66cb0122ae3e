#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace di {
namespace {

constexpr std::string_view k_blank = " \t\r\n";

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// One code point read from UTF-8 (RFC 3629); length 0 means the bytes are not valid there.
struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0;
};

CodePoint read_code_point(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80) {
        return {byte(0), 1};
    }
    const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    constexpr char32_t k_smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) {
        return {};
    }
    char32_t value = byte(0) & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return {};
        }
        value = (value << 6U) | (byte(i) & 0x3FU);
    }
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    return value < k_smallest[length] || value > 0x10FFFF || surrogate ? CodePoint{}
                                                                       : CodePoint{value, length};
}

/// Characters that change what a terminal shows without being seen: C0, DEL, C1, zero width,
/// bidirectional controls, line separators, tags.
bool is_invisible(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
           (c >= 0xE0000 && c <= 0xE007F);
}

bool is_shell_safe(char c) {
    const bool alphanumeric =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return alphanumeric || std::string_view("_-./:=,@%+").find(c) != std::string_view::npos;
}

} // namespace

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(k_blank);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(k_blank) - first + 1);
}

std::string trimmed(std::string_view text) {
    return std::string(trim(text));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> lines(std::string_view text) {
    if (!text.empty() && text.back() == '\n') {
        text.remove_suffix(1);
    } else if (text.empty()) {
        return {};
    }
    auto found = split(text, '\n');
    for (auto& line : found) {
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
    }
    return found;
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    for (;;) {
        const auto start = text.find_first_not_of(" \t");
        if (start == std::string_view::npos) {
            return found;
        }
        text.remove_prefix(start);
        const auto end = std::min(text.find_first_of(" \t"), text.size());
        found.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

std::string counted(std::size_t count, std::string_view one) {
    std::string text = std::to_string(count) + ' ';
    text += one;
    return count == 1 ? text : text + 's';
}

std::string to_lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
    return contains(to_lower(text), to_lower(part));
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x') {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || status != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

std::string printable(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const CodePoint point = read_code_point(text);
        const std::size_t length = std::max<std::size_t>(point.length, 1);
        if (point.length == 0) {
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        } else if (!is_invisible(point.value)) {
            result += text.substr(0, length);
        } else if (point.value < 0x100) {
            result += fmt::format("\\x{:02x}", static_cast<unsigned>(point.value));
        } else {
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(point.value));
        }
        text.remove_prefix(length);
    }
    return result;
}

std::string valid_utf8(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = read_code_point(text).length;
        result += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

std::size_t width_of(std::string_view text) {
    std::size_t width = 0;
    for (; !text.empty(); ++width) {
        text.remove_prefix(std::max<std::size_t>(read_code_point(text).length, 1));
    }
    return width;
}

std::string excerpt(std::string_view text, std::size_t width) {
    std::string safe = printable(text);
    std::size_t shown = 0;
    std::size_t end = 0;
    std::size_t end_of_cut = 0; // where the text must stop to leave room for "..."
    while (end < safe.size()) {
        if (shown == width) {
            return safe.substr(0, end_of_cut) + "...";
        }
        end += std::max<std::size_t>(read_code_point(std::string_view(safe).substr(end)).length, 1);
        ++shown;
        if (shown + 3 <= width) {
            end_of_cut = end;
        }
    }
    return safe;
}

std::string shell_command(const std::vector<std::string>& argv) {
    std::string command;
    for (const auto& word : argv) {
        command += command.empty() ? "" : " ";
        if (!word.empty() && std::all_of(word.begin(), word.end(), is_shell_safe)) {
            command += word;
            continue;
        }
        command += '\'';
        for (const char c : word) {
            command += c == '\'' ? std::string("'\\''") : std::string(1, c);
        }
        command += '\'';
    }
    return command;
}

} // namespace di
