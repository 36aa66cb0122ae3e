// Which kubeconfig files there are, and how they become one.
#pragma once

#include "base/result.hpp"
#include "kubeconfig/config.hpp"
#include "kubeconfig/surroundings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace di::kubeconfig {

/// The paths to read, in order of precedence: the flag alone; else KUBECONFIG's list without empty
/// and repeated ones; else ~/.kube/config.
std::vector<std::string> choose_files(const std::optional<std::string>& flag,
                                      const Surroundings& surroundings);

/// Entries of `more` that `config` does not have are added whole: fields are never mixed.
void merge(Config& config, Config more);

/// All of them, merged. A missing file is skipped, unless the flag named it; a broken one is an
/// error.
Result<Config> load_files(const std::optional<std::string>& flag, const Surroundings& surroundings);

} // namespace di::kubeconfig
