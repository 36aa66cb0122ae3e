// GPUs by what nvidia-smi shows of them; shared by the live rules and by those that judge one
// tool's output.
#pragma once

#include "judge/pod_rule.hpp"
#include "model/gpu.hpp"

#include <optional>
#include <string>
#include <vector>

namespace di::judge {

/// nvidia-smi ran, and there is no GPU to work with.
Finding fault_finding(const model::GpuFault& fault);

/// NVLink between the GPUs of one container. Facts: gpus, nics, nvlink {present, min, max,
/// pairs_without}.
Finding topology_finding(const model::GpuTopology& topology);

/// The links of each GPU. Facts: gpus, nvlink {present}, inactive.
Finding nvlink_finding(const std::vector<model::NvlinkGpu>& gpus);

/// Boards without an NVSwitch fabric show N/A.
bool has_fabric(const model::GpuFabric& gpu);

/// What is wrong with a GPU's registration: warn while the fabric works at limited capacity, else
/// fail.
struct FabricTrouble {
    model::Status status = model::Status::fail;
    std::string text;
};

std::optional<FabricTrouble> fabric_trouble(const model::GpuFabric& gpu);

/// The worst trouble of several GPUs, naming the GPU.
std::optional<FabricTrouble> worst_trouble(const std::vector<model::GpuFabric>& gpus);

/// A GPU of a rack (GB200, GB300) without cluster UUID or clique: no NVLink to another node. On
/// other boards that is normal.
bool lacks_cluster(const model::GpuFabric& gpu);

/// Facts gpus {pci, state, status, clique, cluster_uuid, health} as far as shown, and mnnvl: all of
/// them are registered with a multi-node NVLink fabric.
Finding with_fabric_facts(const std::vector<model::GpuFabric>& gpus, Finding finding);

} // namespace di::judge
