// What contradicts itself in a selected configuration. Pure.
#pragma once

#include "kubeconfig/select.hpp"

#include <string>
#include <vector>

namespace di::kubeconfig {

/// kubectl's sentences, one for each problem; empty when there is none. Files are not read here.
std::vector<std::string> find_contradictions(const Selection& selection);

} // namespace di::kubeconfig
