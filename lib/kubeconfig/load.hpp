// From flags, environment and kubeconfig files to one resolved ClientConfig, as client-go does it
// (k8s.io/client-go/tools/clientcmd); where we differ on purpose is listed in docs/deviations.md.
#pragma once

#include "base/result.hpp"
#include "kubeconfig/surroundings.hpp"
#include "model/client_config.hpp"

#include <optional>
#include <string>
#include <vector>

namespace di::kubeconfig {

/// kubectl's connection flags. None: the flag was not given.
struct Overrides {
    std::optional<std::string> kubeconfig;
    std::optional<std::string> context;
    std::optional<std::string> cluster;
    std::optional<std::string> user;
    std::optional<std::string> ns;
    std::optional<std::string> server;
    std::optional<std::string> token;
    std::optional<std::string> username;
    std::optional<std::string> password;
    std::optional<std::string> as;
    std::optional<std::string> as_uid;
    std::vector<std::string> as_groups;
    std::vector<std::string> as_user_extra;           ///< key=value
    std::optional<std::string> certificate_authority; ///< path, relative to the working directory
    std::optional<std::string> client_certificate;
    std::optional<std::string> client_key;
    std::optional<std::string> tls_server_name;
    std::optional<std::string> proxy_url;
    std::optional<std::string> request_timeout; ///< "0", "30" (seconds), "1m30s"
    bool insecure_skip_tls_verify = false;
    bool disable_compression = false;
};

/// The configuration of the selected context: merged files, flags on top, certificates read, and
/// the credential plugin run once if the user has one. Errors are ErrorKind::config (files, flags)
/// or ErrorKind::auth (credentials that could not be obtained); `usage` for a malformed flag.
Result<model::ClientConfig> load(const Overrides& overrides, const Surroundings& surroundings);

} // namespace di::kubeconfig
