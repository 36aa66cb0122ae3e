#include "discover/groups.hpp"

#include "base/strings.hpp"
#include "discover/labels.hpp"

#include <fmt/format.h>

namespace di::discover {
namespace {

constexpr std::uint64_t k_highest_rank = 1'000'000;

std::optional<int> small_number(std::string_view text) {
    const auto number = parse_unsigned(text);
    return number && *number < k_highest_rank ? std::optional(static_cast<int>(*number))
                                              : std::nullopt;
}

std::optional<GroupPlace> grove_group(const model::Pod& pod) {
    const std::string_view group = value_of(pod.labels, k_grove_group);
    const std::string_view clique = value_of(pod.labels, k_grove_clique);
    const bool leads = clique.ends_with("-ldr");
    if (group.empty() || (!leads && !clique.ends_with("-wkr"))) {
        return std::nullopt;
    }
    GroupPlace place;
    place.group = fmt::format("{}/{}-{}", pod.ns, group, value_of(pod.labels, k_grove_group_index));
    if (leads) {
        place.rank = 0;
    } else if (const auto index = small_number(value_of(pod.labels, k_grove_pod_index))) {
        place.rank = *index + 1;
    }
    return place;
}

/// By annotation, or by the variable that the LeaderWorkerSet webhook puts into each container.
std::optional<std::size_t> lws_size(const model::Pod& pod) {
    if (const auto size = small_number(value_of(pod.annotations, k_lws_size))) {
        return size;
    }
    for (const model::Container& container : pod.containers) {
        for (const model::EnvEntry& entry : container.env) {
            if (entry.name == "LWS_GROUP_SIZE" && entry.value) {
                return small_number(*entry.value);
            }
        }
    }
    return std::nullopt;
}

} // namespace

std::string lws_group(const model::Pod& pod) {
    const std::string_view name = value_of(pod.labels, k_lws_name);
    return name.empty()
               ? std::string()
               : fmt::format("{}/{}-{}", pod.ns, name, value_of(pod.labels, k_lws_group_index));
}

std::optional<GroupPlace> group_of(const model::Pod& pod, std::size_t size_if_unsaid) {
    if (auto place = grove_group(pod)) {
        return place;
    }
    GroupPlace place{lws_group(pod), small_number(value_of(pod.labels, k_lws_worker_index))};
    const bool alone = lws_size(pod).value_or(size_if_unsaid) <= 1 && place.rank.value_or(0) == 0;
    return place.group.empty() || alone ? std::nullopt : std::optional(place);
}

} // namespace di::discover
