#include "discover/container_choice.hpp"

#include "discover/labels.hpp"
#include "discover/resources.hpp"

#include <algorithm>

namespace di::discover {
namespace {

using model::Container;
using model::Pod;

template<class List> auto find_named(const List& list, std::string_view name) {
    const auto found = std::find_if(
        list.begin(), list.end(), [&](const auto& element) { return element.name == name; });
    return found == list.end() ? nullptr : &*found;
}

bool has_claim(const Container& container) {
    return !container.claims.empty();
}

bool is_called_engine(const Container& container) {
    return container.name.starts_with("engine");
}

/// The first running one that satisfies `test`, else the first; nullptr when none does. Failover
/// pods hold several engines, of which one may be down.
template<class Test> const Container* first(const Pod& pod, Test test) {
    const Container* found = nullptr;
    for (const Container& container : pod.containers) {
        if (!test(container)) {
            continue;
        }
        const auto* status = find_status(pod, container.name);
        if (status != nullptr && status->phase == model::ContainerPhase::running) {
            return &container;
        }
        found = found == nullptr ? &container : found;
    }
    return found;
}

/// Devices are granted per container, so one that asks for them beats a `main` that does not.
const Container* instead_of_main(const Pod& pod, const Container& main) {
    if (asks_for_accelerator(main)) {
        return nullptr;
    }
    if (const auto* neighbour = first(pod, asks_for_accelerator)) {
        return neighbour;
    }
    return has_claim(main) ? nullptr : first(pod, has_claim);
}

} // namespace

const Container* choose_container(const Pod& pod) {
    const std::string_view named = value_of(pod.annotations, k_main_container);
    if (const auto* container = named.empty() ? nullptr : find_container(pod, named)) {
        return container;
    }
    if (const auto* main = find_container(pod, "main")) {
        const auto* neighbour = instead_of_main(pod, *main);
        return neighbour != nullptr ? neighbour : main;
    }
    if (const auto* container = first(pod, asks_for_accelerator)) {
        return container;
    }
    if (const auto* container = first(pod, has_claim)) {
        return container;
    }
    if (const auto* container = first(pod, is_called_engine)) {
        return container;
    }
    return pod.containers.empty() ? nullptr : &pod.containers.front();
}

const Container* find_container(const Pod& pod, std::string_view name) {
    return find_named(pod.containers, name);
}

const model::ContainerStatus* find_status(const Pod& pod, std::string_view container) {
    return find_named(pod.statuses, container);
}

} // namespace di::discover
