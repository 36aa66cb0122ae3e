#include "parse/nvlink.hpp"

#include "parse/tool_text.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::NvlinkGpu;

constexpr std::string_view k_tool = "nvidia-smi nvlink";
constexpr std::size_t k_excerpt = 160;

/// "GPU 0" and "Link 17": the number after the word.
std::optional<int> number_after(std::string_view word, std::string_view key) {
    const auto parts = words(key);
    if (parts.size() != 2 || parts[0] != word) {
        return std::nullopt;
    }
    const auto number = parse_unsigned(parts[1]);
    return number && *number < 1024 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

/// "NVIDIA H200 (UUID: GPU-...)" without the parentheses.
std::string_view product(std::string_view value) {
    return trim(value.substr(0, value.rfind("(UUID:")));
}

struct Link {
    int number = 0;
    bool active = false;
    std::optional<double> gbytes_per_s;
};

/// "Link 3: 26.562 GB/s" or "Link 3: <inactive>" ("inActive" in old drivers).
std::optional<Link> link(const Field& entry) {
    const auto number = number_after("Link", entry.key);
    if (!number) {
        return std::nullopt;
    }
    if (entry.value.ends_with("GB/s")) {
        return Link{*number, true, leading_number(entry.value)};
    }
    if (contains_ignoring_case(entry.value, "inactive")) {
        return Link{*number, false, std::nullopt};
    }
    return std::nullopt;
}

class Reader {
public:
    void read(const Line& line) {
        const auto entry = field(line.text);
        if (!entry) {
            read_remark(line.text);
            return;
        }
        if (const auto index = number_after("GPU", entry->key)) {
            gpus_.emplace_back();
            gpus_.back().index = *index;
            gpus_.back().product = std::string(product(entry->value));
            rates_differ_ = false;
        } else if (const auto found = link(*entry); found && !gpus_.empty()) {
            add(*found, gpus_.back());
        } else {
            read_remark(line.text);
        }
    }

    std::vector<NvlinkGpu> finish() { return std::move(gpus_); }

    /// What stands in place of the links of some GPU; empty when every line made sense.
    [[nodiscard]] std::string_view strange_line() const {
        const bool all_told = std::all_of(gpus_.begin(), gpus_.end(), [](const auto& gpu) {
            return gpu.links > 0 || gpu.all_inactive;
        });
        return all_told ? std::string_view{} : strange_;
    }

private:
    void add(const Link& found, NvlinkGpu& gpu) {
        ++gpu.links;
        if (!found.active) {
            gpu.inactive.push_back(found.number);
            return;
        }
        const bool first = gpu.links == static_cast<int>(gpu.inactive.size()) + 1;
        rates_differ_ = rates_differ_ || (!first && gpu.gbytes_per_s != found.gbytes_per_s);
        gpu.gbytes_per_s = rates_differ_ ? std::nullopt : found.gbytes_per_s;
    }

    /// "Unable to retrieve NVLink information as all links are inActive".
    void read_remark(std::string_view text) {
        if (!gpus_.empty() && contains_ignoring_case(text, "all links are inactive")) {
            gpus_.back().all_inactive = true;
        } else if (!trim(text).empty()) {
            strange_ = trim(text);
        }
    }

    std::vector<NvlinkGpu> gpus_;
    std::string_view strange_;
    bool rates_differ_ = false;
};

/// A last line without newline is whole when it ends as a link's line ends.
bool is_cut(const LineReader& text) {
    return text.cut() && !text.lines().back().text.ends_with("GB/s") &&
           !text.lines().back().text.ends_with('>');
}

} // namespace

model::Seen<std::vector<NvlinkGpu>> parse_nvlink_status(const ToolOutput& output) {
    if (auto silent = why_silent(output, "nvidia-smi")) {
        return *silent;
    }
    const LineReader text(output.out);
    Reader reader;
    for (const auto& line : text.lines()) {
        reader.read(line);
    }
    const std::string strange = excerpt(reader.strange_line(), k_excerpt);
    auto gpus = reader.finish();
    if (gpus.empty() && (output.rc != 0 || !messages(output).empty())) {
        return could_not_read(output, k_tool);
    }
    if (is_cut(text)) {
        return cut_short(k_tool);
    }
    if (!strange.empty()) {
        return model::Unseen{model::SkipReason::unreadable, strange};
    }
    return gpus;
}

} // namespace di::parse
