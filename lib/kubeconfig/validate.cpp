#include "kubeconfig/validate.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace di::kubeconfig {
namespace {

using Problems = std::vector<std::string>;

std::string both(std::string_view one, std::string_view other, std::string_view name) {
    return fmt::format(
        "{0} and {1} are both specified for {2}. {0} will override.", one, other, name);
}

void check_cluster(Problems& problems, const Selection& selection) {
    const auto& cluster = selection.cluster;
    const bool ca = !cluster.ca_file.empty() || !cluster.ca_data.empty();
    if (!cluster.ca_file.empty() && !cluster.ca_data.empty()) {
        problems.push_back(
            both("certificate-authority-data", "certificate-authority", selection.cluster_name));
    }
    const bool plain = to_lower(cluster.server).compare(0, 7, "http://") == 0; // nothing to verify
    if (cluster.insecure && ca && !plain) {
        problems.emplace_back(
            "specifying a root certificates file with the insecure flag is not allowed");
    }
    constexpr std::array<std::string_view, 4> k_schemes{
        "http://", "https://", "socks5://", "socks5h://"};
    const auto& proxy = cluster.proxy_url;
    const bool known = std::any_of(k_schemes.begin(), k_schemes.end(), [&](auto scheme) {
        return to_lower(proxy).compare(0, scheme.size(), scheme) == 0;
    });
    if (!proxy.empty() && !known) {
        // The URL is not quoted: it may carry a password.
        const auto end = proxy.find("://");
        problems.push_back(fmt::format(
            "invalid 'proxy-url' for cluster \"{}\": unsupported scheme \"{}\", must be http, "
            "https, or socks5",
            selection.cluster_name,
            end == std::string::npos ? "" : proxy.substr(0, end)));
    }
}

void check_exec(Problems& problems, const ExecPlugin& exec, const std::string& name) {
    constexpr std::string_view k_must =
        "{} must be specified for {} to use exec authentication plugin";
    if (exec.command.empty()) {
        problems.push_back(fmt::format(k_must, "command", name));
    }
    if (exec.api_version.empty()) {
        problems.push_back(fmt::format(k_must, "apiVersion", name));
    }
    const bool v1 = exec.api_version == "client.authentication.k8s.io/v1";
    constexpr std::array<std::string_view, 3> k_modes{"Never", "IfAvailable", "Always"};
    const auto& mode = exec.interactive_mode;
    if (mode.empty() && v1) {
        problems.push_back(fmt::format(k_must, "interactiveMode", name));
    } else if (!mode.empty() && std::find(k_modes.begin(), k_modes.end(), mode) == k_modes.end()) {
        problems.push_back(fmt::format("invalid interactiveMode for {}: \"{}\"", name, mode));
    }
    for (const auto& variable : exec.env) {
        if (variable.first.empty()) {
            problems.push_back(fmt::format(
                "env variable name must be specified for {} to use exec authentication plugin",
                name));
        }
    }
}

void check_provider(Problems& problems, const std::string& provider, const std::string& name) {
    if (provider == "gcp") {
        problems.emplace_back(
            "The gcp auth plugin has been removed. Please use the "
            "\"gke-gcloud-auth-plugin\" kubectl/client-go credential plugin instead.");
    } else if (provider == "azure") {
        problems.emplace_back(
            "The azure auth plugin has been removed. Please use the "
            "https://github.com/Azure/kubelogin kubectl/client-go credential plugin "
            "instead.");
    } else {
        problems.push_back(fmt::format("no Auth Provider found for name \"{}\" of user {}; use a "
                                       "credential plugin (users[].user.exec)",
                                       provider,
                                       name));
    }
}

void check_user(Problems& problems, const User& user, const std::string& name) {
    if (!user.certificate_file.empty() && !user.certificate_data.empty()) {
        problems.push_back(both("client-cert-data", "client-cert", name));
    }
    if (!user.key_file.empty() && !user.key_data.empty()) {
        problems.push_back(both("client-key-data", "client-key", name));
    }
    const bool certificate = !user.certificate_file.empty() || !user.certificate_data.empty();
    const bool key = !user.key_file.empty() || !user.key_data.empty();
    if (certificate && !key) {
        problems.push_back(fmt::format("client-key-data or client-key must be specified for {} to "
                                       "use the clientCert authentication method.",
                                       name));
    }
    const bool token = !user.token.empty() || !user.token_file.empty();
    if (token && !user.username.empty()) {
        problems.push_back(fmt::format("more than one authentication method found for {}; found "
                                       "[token basicAuth], only one is allowed",
                                       name));
    }
    const auto& who = user.impersonation;
    if (who.user.empty() && (!who.uid.empty() || !who.groups.empty() || !who.extra.empty())) {
        problems.push_back(fmt::format(
            "requesting uid, groups or user-extra for {} without impersonating a user", name));
    }
}

} // namespace

std::vector<std::string> find_contradictions(const Selection& selection) {
    Problems problems;
    const auto& user = selection.user;
    check_cluster(problems, selection);
    check_user(problems, user, selection.user_name);
    if (user.exec) {
        check_exec(problems, *user.exec, selection.user_name);
    }
    if (user.exec && user.auth_provider) {
        problems.push_back(
            fmt::format("authProvider cannot be provided in combination with an exec plugin for {}",
                        selection.user_name));
    } else if (user.auth_provider) {
        check_provider(problems, *user.auth_provider, selection.user_name);
    }
    return problems;
}

} // namespace di::kubeconfig
