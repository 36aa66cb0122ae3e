// What a request path means to the API server (its RequestInfo).
#pragma once

#include "kubesim/access.hpp"
#include "kubesim/http.hpp"

#include <string>

namespace di::kubesim {

struct Target {
    bool is_resource = false; ///< below /api/v1 or /apis/GROUP/VERSION
    std::string version;
    Attributes attributes; ///< of other paths only the verb: the method in lower case
    std::string rest;      ///< what follows the subresource, e.g. of a proxy path
};

Target read_target(const Request& request);

} // namespace di::kubesim
