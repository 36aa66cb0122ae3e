// Which environment variables may leave a pod: by name, filtered inside the pod and again here.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace di::model {

/// Names that say something about KV transfer, as shell patterns (`*` only). Sources: UCX and NIXL
/// documentation, vLLM envs.py, SGLang environ, TensorRT-LLM envUtils.cpp, Mooncake's transfer
/// engine. Mooncake and Dynamo variables are named closely: MC_HOST_* and KVBM's object store carry
/// credentials.
inline constexpr std::string_view k_env_allowed[] = {
    "UCX_*",       "NIXL_*",     "NCCL_*",      "FI_*",        "VLLM_NI*",
    "SGLANG_DIS*", "SGLANG_MO*", "TRTLLM_*KV*", "TRTLLM_UCX*", "TRTLLM_NI*",
    "MC_FORCE*",   "MC_INTRA*",  "MC_*MNNVL",   "MC_DIS*",     "MC_GID*",
    "MC_IB*",      "DYN_*_UCX",  "DYN_*FABRIC", "*_IFNAME",    "*_VISIBLE*",
};

/// Names that never leave, whatever the list above says.
inline constexpr std::string_view k_env_denied[] = {
    "*SECRET*",
    "*TOKEN*",
    "*PASSW*",
    "*CRED*",
    "*_KEY",
    "*ENDPOINT*",
};

/// Shell pattern matching with `*` alone.
constexpr bool matches_pattern(std::string_view pattern, std::string_view name) {
    while (!pattern.empty() && pattern.front() != '*') {
        if (name.empty() || name.front() != pattern.front()) {
            return false;
        }
        pattern.remove_prefix(1);
        name.remove_prefix(1);
    }
    if (pattern.empty()) {
        return name.empty();
    }
    pattern.remove_prefix(1);
    for (std::size_t skipped = 0; skipped <= name.size(); ++skipped) {
        if (matches_pattern(pattern, name.substr(skipped))) {
            return true;
        }
    }
    return false;
}

/// Whether a variable of that name may leave the pod.
constexpr bool may_leave_pod(std::string_view name) {
    const auto matches = [&](std::string_view pattern) { return matches_pattern(pattern, name); };
    return std::any_of(std::begin(k_env_allowed), std::end(k_env_allowed), matches) &&
           std::none_of(std::begin(k_env_denied), std::end(k_env_denied), matches);
}

} // namespace di::model
