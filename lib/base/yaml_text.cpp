#include "base/yaml_text.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace di {
namespace {

constexpr std::array<std::string_view, 11> k_true{
    "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
constexpr std::array<std::string_view, 11> k_false{
    "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};
constexpr std::array<std::string_view, 5> k_null{"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 4> k_special{".inf", ".Inf", ".nan", ".NaN"};

template<class Table> bool is_one_of(const Table& table, std::string_view text) {
    return std::find(table.begin(), table.end(), text) != table.end();
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Digits of another base behind their prefix: 0x1F, 0b101, 0o17.
bool is_based_number(std::string_view text) {
    if (text.size() < 3 || text.front() != '0') {
        return false;
    }
    const int base = text[1] == 'x' ? 16 : text[1] == 'b' ? 2 : text[1] == 'o' ? 8 : 0;
    std::uint64_t number = 0;
    const auto* const end = text.data() + text.size();
    return base != 0 && std::from_chars(text.data() + 2, end, number, base).ptr == end;
}

bool is_number(std::string_view text) {
    std::string digits(text);
    std::erase(digits, '_'); // YAML 1.1 lets digits be grouped
    std::string_view rest = digits;
    if (!rest.empty() && (rest.front() == '+' || rest.front() == '-')) {
        rest.remove_prefix(1);
    }
    if (is_one_of(k_special, rest)) {
        return true;
    }
    if (rest.empty() || !(is_digit(rest.front()) || (rest.front() == '.' && rest.size() > 1))) {
        return false;
    }
    double number = 0;
    const auto* const end = rest.data() + rest.size();
    const auto [stop, status] = std::from_chars(rest.data(), end, number);
    return is_based_number(rest) || (status == std::errc{} && stop == end);
}

} // namespace

PlainScalar plain_scalar(std::string_view text) {
    if (is_one_of(k_null, text)) {
        return PlainScalar::null;
    }
    if (is_one_of(k_true, text) || is_one_of(k_false, text)) {
        return PlainScalar::boolean;
    }
    return is_number(text) ? PlainScalar::number : PlainScalar::text;
}

bool is_yaml_true(std::string_view text) {
    return is_one_of(k_true, text);
}

std::string quote_json(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
        }
        if (static_cast<unsigned char>(c) < 0x20) {
            quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

std::string join_surrogates(std::string_view json) {
    std::string joined;
    const auto unit = [&](std::size_t at) -> std::uint32_t {
        const bool escape = at + 6 <= json.size() && json.substr(at, 2) == "\\u";
        const auto value =
            escape ? parse_unsigned("0x" + std::string(json.substr(at + 2, 4))) : std::nullopt;
        return value ? static_cast<std::uint32_t>(*value) : 0;
    };
    for (std::size_t i = 0; i < json.size();) {
        const auto high = unit(i);
        const auto low = high >= 0xD800 && high < 0xDC00 ? unit(i + 6) : 0;
        if (low >= 0xDC00 && low < 0xE000) {
            joined += fmt::format("\\U{:08x}", 0x10000 + ((high - 0xD800) << 10U) + (low - 0xDC00));
            i += 12;
        } else {
            const std::size_t length = json[i] == '\\' && i + 1 < json.size() ? 2 : 1;
            joined += json.substr(i, length);
            i += length;
        }
    }
    return joined;
}

} // namespace di
