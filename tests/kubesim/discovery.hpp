// The documents by which a client finds out what a server serves.
#pragma once

#include "kubesim/http.hpp"
#include "kubesim/store.hpp"

#include <optional>
#include <string>

namespace di::kubesim {

struct Served {
    std::string address; ///< host:port
    const Store* store = nullptr;
    bool graphs = true; ///< is there a nvidia.com group
};

/// `/version`, `/api`, `/apis`, their group and resource lists, and the health paths; nothing for
/// any other path.
std::optional<Response> discovery_document(const Served& served, std::string_view path);

} // namespace di::kubesim
