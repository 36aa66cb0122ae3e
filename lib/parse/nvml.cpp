#include "parse/nvml.hpp"

#include "parse/tool_text.hpp"

#include <algorithm>
#include <array>

namespace di::parse {
namespace {

constexpr std::size_t k_excerpt = 200;

struct Wording {
    std::string_view text;
    std::string_view reason;
};

/// First match wins; the general "Failed to initialize NVML" comes last. A refusal for lack of
/// permission is no fault and not here.
constexpr std::array k_wordings = {
    Wording{"Driver/library version mismatch", "nvml-driver-mismatch"},
    Wording{"couldn't communicate with the NVIDIA driver", "driver-not-loaded"},
    Wording{"Failed to initialize NVML: Driver Not Loaded", "driver-not-loaded"},
    Wording{"couldn't find libnvidia-ml.so", "nvml-library-missing"},
    Wording{"Failed to initialize NVML: Unknown Error", "nvml-unknown-error"},
    Wording{"No devices were found", "no-gpu"},
    Wording{"No devices found", "no-gpu"},
    Wording{"GPU is lost", "gpu-lost"},
    Wording{"fallen off the bus", "gpu-lost"},
    Wording{"Unable to determine the device handle for", "gpu-unreachable"},
    Wording{"Failed to initialize NVML: ", "nvml-error"},
    Wording{"NVIDIA-SMI has failed", "nvml-error"},
};

bool is_refusal(std::string_view line) {
    return contains_ignoring_case(line, "permissions");
}

} // namespace

std::optional<model::GpuFault> gpu_fault(const ToolOutput& output) {
    model::GpuFault fault;
    for (const auto line : messages(output)) {
        const auto entry = field(line);
        if (entry && entry->key == "NVML library version") {
            fault.nvml_version = std::string(entry->value);
        }
        const auto* const known =
            std::find_if(k_wordings.begin(), k_wordings.end(), [&](const auto& wording) {
                return contains_ignoring_case(line, wording.text);
            });
        if (known != k_wordings.end() && fault.reason.empty() && !is_refusal(line)) {
            fault.reason = std::string(known->reason);
            fault.text = excerpt(line, k_excerpt);
        }
    }
    return fault.reason.empty() ? std::nullopt : std::optional(fault);
}

} // namespace di::parse
