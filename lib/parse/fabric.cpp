#include "parse/fabric.hpp"

#include "parse/tool_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::parse {
namespace {

using model::GpuFabric;

constexpr std::string_view k_tool = "nvidia-smi -q";
constexpr std::size_t k_uuid_length = 36;

/// More GPUs than any machine has: a hostile count must not fill the memory.
constexpr std::uint64_t k_most_gpus = 64;

/// The lines below "Fabric". A filter may have taken the indentation, so keys decide too.
constexpr std::array k_fabric_keys = {
    std::string_view("State"),
    std::string_view("Status"),
    std::string_view("CliqueId"),
    std::string_view("ClusterUUID"),
    std::string_view("Health"),
    std::string_view("Summary"),
    std::string_view("Bandwidth"),
    std::string_view("Route Recovery in progress"),
    std::string_view("Route Unhealthy"),
    std::string_view("Access Timeout Recovery"),
    std::string_view("Incorrect Configuration"),
};

std::size_t indentation(std::string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

/// "GPU 00000000:1B:00.0" at the start of a line.
std::optional<std::string_view> gpu_address(std::string_view line) {
    const auto parts = words(line);
    const bool heading = line.starts_with("GPU ") && parts.size() == 2;
    return heading && std::count(parts[1].begin(), parts[1].end(), ':') == 2 &&
                   contains(parts[1], ".")
               ? std::optional(parts[1])
               : std::nullopt;
}

bool is_good(std::string_view health_value) {
    return health_value == "Full" || health_value == "False" || health_value == "None" ||
           health_value == "No";
}

class Reader {
public:
    void read(const Line& line) {
        if (const auto address = gpu_address(line.text)) {
            start_gpu(line.ended ? *address : std::string_view{});
            return;
        }
        const auto entry = field(line.text);
        const auto key = entry ? entry->key : trim(line.text);
        if (entry && key == "Attached GPUs" && line.ended) {
            attached_ = parse_unsigned(entry->value).value_or(0);
        }
        if (key == "Fabric" && !entry) {
            start_fabric(indentation(line.text));
            return;
        }
        if (gpus_.empty()) {
            return;
        }
        in_fabric_ = in_fabric_ && belongs_to_fabric(line.text, key);
        if (entry && in_fabric_) {
            read_fabric(*entry, line);
        } else if (key == "Product Name" && line.ended && entry) {
            gpus_.back().product = std::string(entry->value);
        }
    }

    /// GPUs that were announced and not shown are there without any state.
    std::vector<GpuFabric> finish() {
        gpus_.resize(std::max<std::size_t>(gpus_.size(), std::min(attached_, k_most_gpus)));
        return std::move(gpus_);
    }

    [[nodiscard]] bool saw_gpu() const { return !gpus_.empty(); }

private:
    void start_gpu(std::string_view address) {
        gpus_.emplace_back();
        gpus_.back().pci = std::string(address);
        in_fabric_ = false;
        had_fabric_ = false;
    }

    /// A filter may have dropped the lines that name the GPUs: each section is another GPU's.
    void start_fabric(std::size_t indentation_of_key) {
        if (gpus_.empty() || had_fabric_) {
            start_gpu({});
        }
        in_fabric_ = true;
        had_fabric_ = true;
        fabric_indentation_ = indentation_of_key;
    }

    [[nodiscard]] bool belongs_to_fabric(std::string_view line, std::string_view key) const {
        return indentation(line) > fabric_indentation_ ||
               std::find(k_fabric_keys.begin(), k_fabric_keys.end(), key) != k_fabric_keys.end();
    }

    void read_fabric(const Field& entry, const Line& line) {
        GpuFabric& gpu = gpus_.back();
        if (entry.key == "ClusterUUID") {
            const bool whole = line.ended || entry.value.size() == k_uuid_length;
            gpu.cluster_uuid = whole ? std::string(entry.value) : std::string();
        } else if (!line.ended) {
            return;
        } else if (entry.key == "State") {
            gpu.state = std::string(entry.value);
        } else if (entry.key == "Status") {
            gpu.status = std::string(entry.value);
        } else if (entry.key == "CliqueId") {
            const auto clique = parse_unsigned(entry.value);
            gpu.clique = clique && *clique <= UINT32_MAX
                             ? std::optional(static_cast<std::uint32_t>(*clique))
                             : std::nullopt;
        } else {
            read_health(entry, gpu);
        }
    }

    /// The summary (driver 580) speaks for the items; before it, the bad ones do.
    static void read_health(const Field& entry, GpuFabric& gpu) {
        if (entry.value == "N/A") {
            return;
        }
        if (entry.key == "Summary") {
            gpu.health = std::string(entry.value);
        } else if (is_good(entry.value)) {
            gpu.health = gpu.health.empty() ? "Healthy" : gpu.health;
        } else if (const auto item = fmt::format("{}: {}", entry.key, entry.value);
                   gpu.health.empty() || gpu.health == "Healthy") {
            gpu.health = item;
        } else if (contains(gpu.health, ": ")) {
            gpu.health += ", " + item;
        }
    }

    std::vector<GpuFabric> gpus_;
    std::uint64_t attached_ = 0;
    std::size_t fabric_indentation_ = 0;
    bool in_fabric_ = false;
    bool had_fabric_ = false;
};

} // namespace

model::Seen<std::vector<GpuFabric>> parse_gpu_fabric(const ToolOutput& output) {
    if (auto silent = why_silent(output, "nvidia-smi")) {
        return *silent;
    }
    const LineReader text(output.out);
    Reader reader;
    for (const auto& line : text.lines()) {
        reader.read(line);
    }
    if (!reader.saw_gpu()) {
        return could_not_read(output, k_tool);
    }
    return reader.finish();
}

} // namespace di::parse
