// The text of one kubeconfig file as a Config. Pure.
#pragma once

#include "base/result.hpp"
#include "kubeconfig/config.hpp"

#include <string>
#include <string_view>

namespace di::kubeconfig {

/// `path` names the file in errors; relative paths in the file are resolved against its directory.
/// Errors name file, line and column where there is one.
Result<Config> parse_config(std::string_view text, const std::string& path);

/// `path` as seen from `directory`, unless it is absolute or "".
std::string resolve_path(const std::string& path, const std::string& directory);

} // namespace di::kubeconfig
