// Which container of a pod holds the engine and its devices.
#pragma once

#include "model/api_objects.hpp"

namespace di::discover {

/// The container to enter, or nullptr when the pod has none: the one that the operator's annotation
/// names; else `main`, unless only a neighbour asks for devices; else the first that asks for an
/// accelerator, holds a resource claim, or is called engine*, running ones first; else the first.
const model::Container* choose_container(const model::Pod& pod);

const model::Container* find_container(const model::Pod& pod, std::string_view name);

/// nullptr when the kubelet has not reported on it.
const model::ContainerStatus* find_status(const model::Pod& pod, std::string_view container);

} // namespace di::discover
