// What of a container's spec judging needs.
#pragma once

#include "discover/command_line.hpp"
#include "discover/container_env.hpp"
#include "model/api_objects.hpp"
#include "model/inventory.hpp"

#include <vector>

namespace di::discover {

/// The environment and words are the engine's where the commands start one.
model::SpecFacts spec_facts(const model::Container& container,
                            const ContainerEnv& env,
                            const std::vector<ShellCommand>& commands);

/// The engine's command says it; the image's name is a hint.
model::Backend backend_of(const std::vector<ShellCommand>& commands, std::string_view image);

} // namespace di::discover
