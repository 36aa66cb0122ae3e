// `case.yaml` beside the objects: which resources the server serves.
#pragma once

#include "kubesim/faults.hpp"

#include <filesystem>

namespace di::kubesim {

/// Adds what the file's `server:` map says (`served`, `forbidden`, `not-found` per resource). No
/// file, or no map, adds nothing.
Outcome add_case_faults(Faults& faults, const std::filesystem::path& file);

} // namespace di::kubesim
