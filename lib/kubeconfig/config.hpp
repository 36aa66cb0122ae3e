// The contents of kubeconfig files as values (k8s.io/client-go/tools/clientcmd/api/v1). Paths are
// already resolved against the directory of their file. Absent text is "".
#pragma once

#include "model/client_config.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace di::kubeconfig {

struct Cluster {
    std::string server;
    std::string tls_server_name;
    std::string ca_file;
    std::string ca_data; ///< base64
    std::string proxy_url;
    bool insecure = false;
    bool disable_compression = false;
    std::string exec_extension; ///< JSON of `client.authentication.k8s.io/exec`; "" when absent
};

/// `users[].user.exec`: a program that prints an ExecCredential.
struct ExecPlugin {
    std::string command;
    std::vector<std::string> args;
    std::vector<std::pair<std::string, std::string>> env;
    std::string api_version;
    std::string interactive_mode;
    std::string install_hint;
    bool provide_cluster_info = false;
};

struct User {
    std::string certificate_file;
    std::string certificate_data; ///< base64
    std::string key_file;
    model::Secret key_data; ///< base64
    model::Secret token;
    std::string token_file;
    std::string username;
    model::Secret password;
    model::Impersonation impersonation;
    std::optional<std::string> auth_provider; ///< its name
    std::optional<ExecPlugin> exec;
};

struct Context {
    std::string cluster;
    std::string user;
    std::string ns;
};

struct Config {
    std::map<std::string, Cluster, std::less<>> clusters;
    std::map<std::string, User, std::less<>> users;
    std::map<std::string, Context, std::less<>> contexts;
    std::string current_context;
    std::vector<std::string> warnings;

    [[nodiscard]] bool empty() const {
        return clusters.empty() && users.empty() && contexts.empty() && current_context.empty();
    }
};

} // namespace di::kubeconfig
