// What a container runs: its commands, the engine among them, and the role they ask for.
#pragma once

#include "discover/container_env.hpp"
#include "discover/shell_words.hpp"
#include "model/inventory.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace di::discover {

/// Command and args as the container runs them: `$(NAME)` expanded, scripts given to a shell's -c
/// read into their commands (also inside one another, and behind launchers such as mpirun).
std::vector<ShellCommand> read_commands(const model::Container& container, const ContainerEnv& env);

/// The engine that a command starts: Dynamo's modules (python -m dynamo.vllm, ...), and the
/// engines' own servers. Frontends, routers and planners are none.
std::optional<model::Backend> engine_of(const ShellCommand& command);

/// The first command that starts an engine, or nullptr.
const ShellCommand* find_engine(const std::vector<ShellCommand>& commands);

/// A weaker hint: the engine that the image is named after.
model::Backend backend_of_image(std::string_view image);

/// By its name as the operator spells it: vllm, sglang, trtllm.
model::Backend backend_of_name(std::string_view name);

/// A GPU Memory Service server (python -m gpu_memory_service): holds weights, moves no KV cache.
bool serves_gpu_memory(const std::vector<ShellCommand>& commands);

/// The role that flags and DYN_* variables of the engine ask for; Role::worker when they say
/// aggregated. Nothing when they do not say, or when two engines of the container disagree.
std::optional<model::Role> role_of_arguments(const std::vector<ShellCommand>& commands);

} // namespace di::discover
