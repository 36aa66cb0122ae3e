// This machine as Deps: streams, entropy, terminal.
#pragma once

#include "deps.hpp"

#include <string>

namespace di::app {

Deps machine_deps(const Clock& clock, int interrupt_descriptor, std::string program_name);

} // namespace di::app
