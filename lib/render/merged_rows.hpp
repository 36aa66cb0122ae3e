// Rows that say the same of several pods or pairs, drawn together for a person to read.
#pragma once

#include "model/report.hpp"
#include "render/table.hpp"

#include <string>
#include <vector>

namespace di::render {

struct MergedRow {
    const model::Check* first = nullptr;
    std::vector<const model::Check*> members; ///< `first` included; more than one only when merged
};

/// Worst first, otherwise in the report's order. Detail::wide merges and hides nothing;
/// Detail::normal leaves out what is_quiet().
std::vector<MergedRow> merged_rows(const std::vector<model::Check>& checks, Detail detail);

/// Rows that a first look can do without: what does not apply, advice that finds nothing or for
/// which the image has no tool, settings left at a healthy default.
bool is_quiet(const model::Check& check);

/// The row's detail with its reason, waiver or override; escaped.
std::string detail_text(const model::Check& check);

} // namespace di::render
