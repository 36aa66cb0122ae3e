// The kubeconfig that a client of the test cluster uses.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace di::kubesim {

struct Credentials {
    std::string server; ///< https://host:port
    std::string ca_pem;
    std::string token;
};

/// Context `kubesim`, namespace `dynamo-demo`; readable by the owner only.
Outcome write_kubeconfig(const std::filesystem::path& path, const Credentials& credentials);

} // namespace di::kubesim
