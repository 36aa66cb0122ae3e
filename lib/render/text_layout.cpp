#include "render/text_layout.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>

namespace di::render {
namespace {

constexpr std::string_view k_gap = "   ";

/// A last column narrower than this is not wrapped: a terminal does that better.
constexpr std::size_t k_narrowest = 24;

/// SGR codes (ECMA-48) by Tint.
constexpr std::array<std::string_view, 7> k_codes = {"", "1", "2", "31", "32", "33", "36"};

std::vector<std::size_t> column_widths(const std::vector<std::vector<Cell>>& rows) {
    std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size(), 0);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], width_of(row[i].text));
        }
    }
    return widths;
}

} // namespace

std::string tinted(std::string_view text, Tint tint, Color color) {
    if (color == Color::off || tint == Tint::none || text.empty()) {
        return std::string(text);
    }
    std::string result = "\x1b[";
    result += k_codes.at(static_cast<std::size_t>(tint));
    result += 'm';
    result += text;
    return result + "\x1b[0m";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
    if (width == 0 || width_of(text) <= width) {
        return {std::string(text)};
    }
    std::vector<std::string> result;
    std::string line;
    for (const auto word : words(text)) {
        if (!line.empty() && width_of(line) + 1 + width_of(word) > width) {
            result.push_back(std::move(line));
            line.clear();
        }
        line += line.empty() ? "" : " ";
        line += word;
    }
    result.push_back(std::move(line));
    return result;
}

std::string
layout_columns(const std::vector<std::vector<Cell>>& rows, std::size_t width, Color color) {
    const auto widths = column_widths(rows);
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        std::size_t indent = 0;
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            line += tinted(row[i].text, row[i].tint, color);
            line += std::string(widths[i] - width_of(row[i].text), ' ');
            line += k_gap;
            indent += widths[i] + k_gap.size();
        }
        const bool wraps = width >= indent + k_narrowest;
        for (const auto& part : wrap(row.back().text, wraps ? width - indent : 0)) {
            line += tinted(part, row.back().tint, color);
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + '\n';
            line.assign(indent, ' ');
        }
    }
    return out;
}

} // namespace di::render
