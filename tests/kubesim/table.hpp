// Server-side Tables: what `kubectl get` prints without -o json.
#pragma once

#include "kubesim/listing.hpp"

#include <chrono>
#include <string>

namespace di::kubesim {

/// A meta.k8s.io/v1 Table of the objects, one row each with the object's metadata.
/// `now` is Unix time, for AGE; `list_metadata` the JSON of the list's metadata.
std::string make_table(const Collection& collection,
                       const std::vector<const Object*>& objects,
                       const std::string& list_metadata,
                       std::chrono::seconds now);

} // namespace di::kubesim
