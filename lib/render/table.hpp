// Report -> the table a person reads: rows, pairs, what to type next, the verdict.
#pragma once

#include "model/report.hpp"
#include "render/text_layout.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace di::render {

/// `normal` merges rows that say the same of several pods and hides what does not apply; `wide`
/// shows every row and pair by itself.
enum class Detail : std::uint8_t { normal, wide };

enum class Headers : std::uint8_t { shown, hidden };

struct TableStyle {
    Detail detail = Detail::normal;
    Headers headers = Headers::shown;
    Color color = Color::off;
    std::size_t width = 0; ///< columns of the terminal; 0: unknown, nothing is wrapped
};

/// Worst rows first. Everything that came from the cluster is escaped.
std::string render_table(const model::Report& report, const TableStyle& style);

} // namespace di::render
