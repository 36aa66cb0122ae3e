// What is said of settings in manifests beside the rules about environments: ENV-015.
#pragma once

#include "judge/rules.hpp"

namespace di::judge::settings {

inline constexpr RuleInfo k_unknown_value = {
    "ENV-015",
    "env",
    model::Capability::none,
    Weight::deciding,
    "Values that the files do not show",
    "A transport variable comes from a Secret, from a ConfigMap that is not among the files, from "
    "a "
    "placeholder, or from a branch of a script that may not be taken.",
    "What nobody can read cannot be called healthy.",
    "Pass the file that holds the value, fill the placeholder in, or check the running workers.",
    "kubernetes.io docs, environment variables"};

} // namespace di::judge::settings
