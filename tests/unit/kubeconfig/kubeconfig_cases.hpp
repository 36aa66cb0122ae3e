// Cases of kubeconfig files, flags and environments, and what loading them gives, in one line.
#pragma once

#include "base/strings.hpp"
#include "kubeconfig/load.hpp"
#include "support/table_tests.hpp"
#include "unit/kubeconfig/small_world.hpp"

#include <functional>
#include <map>
#include <string>

namespace di::test {

inline const std::string k_pem = "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n";
inline const std::string k_key = "-----BEGIN EC PRIVATE KEY-----\n";
inline const std::string k_pem_data = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCng="; ///< of a PEM text
inline const std::string k_pod_files = "/var/run/secrets/kubernetes.io/serviceaccount/";

/// A kubeconfig of one context x, cluster c and user u; fields in flow style.
inline std::string kubeconfig_of(const std::string& cluster,
                                 const std::string& user = "token: t",
                                 const std::string& context = "cluster: c, user: u") {
    return "current-context: x\ncontexts: [{name: x, context: {" + context +
           "}}]\nclusters: [{name: c, cluster: {" + cluster + "}}]\nusers: [{name: u, user: {" +
           user + "}}]\n";
}

/// A world in which HOME's kubeconfig has that text, beside a CA, a certificate and a key.
inline SmallWorld world_of(const std::string& config) {
    SmallWorld world;
    world.files = {{"/home/u/.kube/config", config},
                   {"/home/u/.kube/ca", k_pem},
                   {"/home/u/.kube/crt", k_pem},
                   {"/home/u/.kube/key", k_key},
                   {"/srv/ca", k_pem},
                   {"/srv/crt", k_pem},
                   {"/srv/key", k_key}};
    return world;
}

/// The same inside a pod.
inline SmallWorld pod_of(const std::string& config) {
    auto world = world_of(config);
    world.files[k_pod_files + "token"] = "sa-token\n";
    world.files[k_pod_files + "ca.crt"] = k_pem;
    world.files[k_pod_files + "namespace"] = "icc\n";
    world.environment["KUBERNETES_SERVICE_HOST"] = "10.0.0.1";
    world.environment["KUBERNETES_SERVICE_PORT"] = "443";
    return world;
}

inline std::string identity_of(const model::ClientConfig& config) {
    const auto& proof = config.credentials;
    std::string text = proof.token.empty() ? "" : " token " + proof.token.reveal();
    text += proof.username.empty() ? "" : " basic " + proof.username;
    text += proof.certificate_pem.empty() ? "" : " certificate";
    const auto& who = config.impersonation;
    text += who.user.empty() ? "" : " as " + who.user;
    text += who.uid.empty() ? "" : " uid " + who.uid;
    text += who.groups.empty() ? "" : " groups " + join(who.groups, ",");
    for (const auto& [key, value] : who.extra) {
        text += " extra " + key + "=" + value;
    }
    return text;
}

/// "https://h token t ns default", "error: what: cause".
inline std::string summary(const Result<model::ClientConfig>& config) {
    if (!config) {
        return to_text(config.error());
    }
    std::string text = config->server + identity_of(*config) + " ns " + config->ns;
    text += config->ca_pem.empty() ? "" : " ca";
    text += config->verification == model::TlsVerification::skip ? " insecure" : "";
    text += config->tls_server_name.empty() ? "" : " name " + config->tls_server_name;
    text += config->proxy.proxy_url.empty() ? "" : " proxy " + config->proxy.proxy_url;
    text += config->compression == model::Compression::off ? " uncompressed" : "";
    return text;
}

struct LoadCase {
    std::string name;
    SmallWorld world;
    std::string wanted; ///< the summary; with "..." in front, part of it
    kubeconfig::Overrides flags = {};
};

inline kubeconfig::Overrides with_flags(const std::function<void(kubeconfig::Overrides&)>& set) {
    kubeconfig::Overrides flags;
    set(flags);
    return flags;
}

inline void check_load(const LoadCase& wanted) {
    auto world = wanted.world;
    const auto found = summary(kubeconfig::load(wanted.flags, world.surroundings()));
    if (wanted.wanted.compare(0, 3, "...") == 0) {
        CHECK_THAT(found, Catch::Contains(wanted.wanted.substr(3)));
    } else {
        CHECK(found == wanted.wanted);
    }
}

} // namespace di::test
