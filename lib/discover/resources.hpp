// What a container asks of its node.
#pragma once

#include "model/api_objects.hpp"
#include "model/inventory.hpp"

#include <string>
#include <vector>

namespace di::discover {

/// A GPU by the NVIDIA device plugin: nvidia.com/gpu, nvidia.com/gpu.shared, nvidia.com/mig-*.
bool asks_for_accelerator(const model::Container& container);

/// GPUs, MIG slices and time slices together.
int count_gpus(const model::Container& container);

/// Keys that grant a fabric device: rdma/*, vpc.amazonaws.com/efa,
/// networking.gke.io.networks/rdma-*, and those of SR-IOV and host-device plugins. Keys asked for
/// with 0 are left out.
std::vector<std::string> rdma_resources(const model::Container& container);

} // namespace di::discover
