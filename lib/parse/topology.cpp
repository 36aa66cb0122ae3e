#include "parse/topology.hpp"

#include "parse/nvml.hpp"
#include "parse/tool_text.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::GpuTopology;
using model::Seen;

using Words = std::vector<std::string_view>;

constexpr std::string_view k_tool = "nvidia-smi topo";

bool all_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "GPU0", "GPU13".
bool is_gpu(std::string_view word) {
    return word.starts_with("GPU") && all_digits(word.substr(3));
}

/// X, NV18, PIX, PXB, PHB, NODE, SYS; SOC and PSB of old drivers; N/A.
bool is_cell(std::string_view word) {
    constexpr std::size_t k_longest = 5;
    return word.size() <= k_longest && std::all_of(word.begin(), word.end(), [](char c) {
               return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/';
           });
}

/// The words of the heading up to "CPU Affinity": one per matrix column, NICs as NIC0 or, without a
/// legend below (before driver 470), by name. No cell of the matrix
/// holds a blank, so words are columns whether TABs or spaces divide them.
Words columns(std::string_view heading) {
    auto names = words(heading);
    names.erase(std::find(names.begin(), names.end(), "CPU"), names.end());
    return names;
}

/// The heading begins like a row, but only rows hold an X, each one on the diagonal.
bool is_heading(std::string_view line) {
    const auto names = words(line);
    return !names.empty() && is_gpu(names[0]) &&
           std::find(names.begin(), names.end(), "X") == names.end();
}

class Reader {
public:
    void read(const Line& line) {
        if (columns_.empty()) {
            if (is_heading(line.text) && line.ended) {
                start(columns(line.text));
            }
            return;
        }
        auto parts = words(line.text);
        if (!line.ended && !parts.empty()) {
            parts.pop_back();
        }
        if (parts.empty()) {
            return;
        }
        if (is_gpu(parts[0])) {
            read_row(parts);
        } else if (trim(line.text) == "NIC Legend:") {
            in_nic_legend_ = true;
        } else if (in_nic_legend_ && parts.size() == 2 && parts[0].ends_with(':')) {
            legend_.emplace_back(parts[1]);
        }
    }

    [[nodiscard]] bool has_heading() const { return !columns_.empty(); }

    [[nodiscard]] bool whole() const { return topology_.cells.size() == gpu_columns_.size(); }

    [[nodiscard]] bool sane() const { return sane_; }

    GpuTopology finish() {
        topology_.gpus = static_cast<int>(gpu_columns_.size());
        topology_.nics = legend_.empty() ? heading_nics_ : legend_;
        return std::move(topology_);
    }

private:
    void start(Words names) {
        columns_.assign(names.begin(), names.end());
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (is_gpu(names[i])) {
                gpu_columns_.push_back(i);
            } else {
                nic_columns_.push_back(i);
                heading_nics_.emplace_back(names[i]);
            }
        }
    }

    /// A row shorter than the matrix is one that was cut: it does not count.
    void read_row(const Words& parts) {
        const std::size_t row = topology_.cells.size();
        if (row == gpu_columns_.size() || parts.size() < gpu_columns_.back() + 2) {
            return;
        }
        std::vector<std::string> cells;
        for (const auto column : gpu_columns_) {
            cells.emplace_back(parts[column + 1]);
            sane_ = sane_ && is_cell(cells.back());
        }
        sane_ = sane_ && parts[0] == columns_[gpu_columns_[row]] && cells[row] == "X";
        topology_.cells.push_back(std::move(cells));
        std::vector<std::string> nics;
        for (const auto column : nic_columns_) {
            if (column + 1 < parts.size() && is_cell(parts[column + 1])) {
                nics.emplace_back(parts[column + 1]);
            }
        }
        topology_.nic_cells.push_back(std::move(nics));
    }

    GpuTopology topology_;
    std::vector<std::string> columns_;
    std::vector<std::size_t> gpu_columns_;
    std::vector<std::size_t> nic_columns_;
    std::vector<std::string> heading_nics_;
    std::vector<std::string> legend_;
    bool in_nic_legend_ = false;
    bool sane_ = true;
};

} // namespace

Seen<GpuTopology> parse_topology(const ToolOutput& output) {
    if (auto silent = why_silent(output, "nvidia-smi")) {
        return *silent;
    }
    const LineReader text(output.out);
    Reader reader;
    for (const auto& line : text.lines()) {
        reader.read(line);
    }
    if (reader.has_heading() && reader.whole()) {
        return reader.sane() ? Seen<GpuTopology>(reader.finish()) : could_not_read(output, k_tool);
    }
    if (auto fault = gpu_fault(output)) {
        GpuTopology none;
        none.fault = std::move(fault);
        return none;
    }
    return reader.has_heading() ? cut_short(k_tool) : could_not_read(output, k_tool);
}

} // namespace di::parse
