#include "discover/resources.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace di::discover {
namespace {

bool is_accelerator(std::string_view key) {
    return key == "nvidia.com/gpu" || key == "nvidia.com/gpu.shared" ||
           key.starts_with("nvidia.com/mig-");
}

/// Devices are whole numbers; a quantity that is none counts as 1, since something is asked for.
int count(std::string_view quantity) {
    const auto number = parse_unsigned(quantity);
    constexpr std::uint64_t k_most = std::numeric_limits<int>::max() / 64;
    return number ? static_cast<int>(std::min(*number, k_most)) : 1;
}

bool is_rdma(std::string_view key) {
    static constexpr std::array<std::string_view, 4> k_hints = {"rdma", "sriov", "hostdev", "mlnx"};
    // A GKE network is asked for twice, as device and as address.
    if (key.ends_with(".IP")) {
        return false;
    }
    return key == "vpc.amazonaws.com/efa" ||
           std::any_of(k_hints.begin(), k_hints.end(), [&](std::string_view hint) {
               return contains_ignoring_case(key, hint);
           });
}

} // namespace

bool asks_for_accelerator(const model::Container& container) {
    return count_gpus(container) > 0;
}

int count_gpus(const model::Container& container) {
    int sum = 0;
    for (const auto& [key, quantity] : container.limits) {
        sum += is_accelerator(key) ? count(quantity) : 0;
    }
    return sum;
}

std::vector<std::string> rdma_resources(const model::Container& container) {
    std::vector<std::string> found;
    for (const auto& [key, quantity] : container.limits) {
        if (is_rdma(key) && count(quantity) > 0) {
            found.push_back(key);
        }
    }
    return found;
}

} // namespace di::discover
