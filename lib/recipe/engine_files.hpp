// Configuration files that an engine's arguments name, where a ConfigMap among the files holds
// them.
#pragma once

#include "model/inventory.hpp"
#include "recipe/config_maps.hpp"
#include "recipe/pod_template.hpp"

#include <string>
#include <vector>

namespace di::recipe {

struct EngineFile {
    std::string option;  ///< that names it: --config
    std::string path;    ///< in the container
    NodePtr content;     ///< nullptr: not known
    std::string unknown; ///< why
};

/// Looks up what vLLM's and SGLang's --config, and TensorRT-LLM's --extra-engine-args and
/// --extra_llm_api_options name, through the volume mounts of the container.
std::vector<EngineFile> find_engine_files(const std::vector<std::string>& words,
                                          const Node& container,
                                          const Node& pod_spec,
                                          const ConfigMaps& maps,
                                          const Asker& asker);

/// The command line with each known flag file in the place of its option: the file's keys as flags,
/// in front of the flags that the command line itself has and that win (vllm --config, sglang
/// --config). TensorRT-LLM's files are no flags and stay.
std::vector<std::string> with_flag_files(std::vector<std::string> words,
                                         const std::vector<EngineFile>& files);

/// The content of TensorRT-LLM's file; several are merged, later ones win.
model::Seen<model::Value> engine_config(const std::vector<EngineFile>& files);

} // namespace di::recipe
