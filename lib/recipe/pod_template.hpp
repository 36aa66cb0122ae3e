// A pod template with what a graph's component or a workload adds to it.
#pragma once

#include "model/component.hpp"
#include "recipe/node.hpp"

#include <string>
#include <vector>

namespace di::recipe {

/// One list of env entries, weakest layer first.
struct EnvLayer {
    const Node* entries = nullptr;
    model::VarSource source = model::VarSource::literal;
};

/// One pod as an object asks for it, before its container is chosen.
struct PodTemplate {
    std::string component; ///< "PrefillWorker", "name/leader"
    std::string type;      ///< declared: prefill, decode, worker, frontend, ...; may be empty
    std::string framework; ///< declared backend; may be empty
    bool is_graph = false; ///< a Dynamo component, which is shown whatever it runs
    bool multi_node = false;
    const Node* place = nullptr;      ///< of the component
    const Node* pod_spec = nullptr;   ///< spec of the pod
    const Node* main = nullptr;       ///< v1alpha1: the main container stands beside the others
    const Node* resources = nullptr;  ///< v1alpha1: resources of the main container
    const Node* labels = nullptr;     ///< of the pod
    std::vector<EnvLayer> env;        ///< below the container's own
    std::vector<std::string> secrets; ///< whole Secrets as environment
};

} // namespace di::recipe
