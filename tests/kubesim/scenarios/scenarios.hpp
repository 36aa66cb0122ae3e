// Invented clusters for the test server kubesim: what the API serves, and what each container
// shows.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace di::kubesim::scenarios {

/// The scenarios in the order of their table: "disagg-ib", "tcp-fallback", ...
std::vector<std::string> names();

/// One sentence on what is special about a scenario; empty for an unknown name.
std::string summary(std::string_view name);

/// Values that a careless probe would carry out of a pod. They stand in the engines' environ files
/// and nowhere else, least of all in the objects.
const std::vector<std::string>& planted_secrets();

/// Writes `into`/objects/*.json as an API server would serve them, and `into`/roots/<root>/, each
/// the file system of a container, chosen by the pod annotation `kubesim.dev/root`.
/// `pods` 0 is the scenario's own number of workers; another one repeats them, half prefill and
/// half decode, two to a node (one where a worker fills its node). Existing files are overwritten.
/// Errors: not_found for an unknown name, usage for a number that does not split evenly, config
/// for a folder that cannot be written.
Result<Done> write(std::string_view name, std::size_t pods, const std::filesystem::path& into);

} // namespace di::kubesim::scenarios
