// The file system of one container, from its host, its image and its engine.
#pragma once

#include "kubesim/scenarios/container.hpp"
#include "kubesim/scenarios/tree.hpp"
#include "kubesim/scenarios/vocabulary.hpp"

#include <string>
#include <string_view>

namespace di::kubesim::scenarios {

/// The tree of a container, as the pod at `place` has it; the others of its rank share it.
Tree make_root(const Scenario& scenario, const Component& component, const Place& place);

/// The name of that tree: "prefill", "decode-wkr". Pods of one component and rank share it.
std::string root_name(const Component& component, int rank);

// The parts, each in a file of its own.

/// /sys/class/infiniband, infiniband_verbs, net, /sys/devices, /dev/infiniband.
void add_rdma(Tree& tree, const Host& host, std::string_view seed);

/// /proc/modules, /sys/module, the kernel and the GPU driver, /dev/nvidia*, gdrdrv, IMEX.
void add_kernel(Tree& tree, const Host& host, std::string_view seed);

/// /proc/<pid> of the launcher, the engine and its ranks.
void add_processes(Tree& tree, const Component& component, const Pairs& environ, int rank);

/// What the image itself holds: .kubesim, NIXL, UCX, the tools.
void add_image(Tree& tree, const Component& component, std::string_view seed);

/// Rewrites a finished tree as an enemy would: escape sequences, forged lines, endless lines.
void make_hostile(Tree& tree);

} // namespace di::kubesim::scenarios
