#include "kubeconfig/load.hpp"

#include "base/duration.hpp"
#include "base/strings.hpp"
#include "kubeconfig/credentials.hpp"
#include "kubeconfig/files.hpp"
#include "kubeconfig/in_cluster.hpp"
#include "kubeconfig/select.hpp"
#include "kubeconfig/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::kubeconfig {
namespace {

/// Where distributions keep their roots; a libcurl built elsewhere looks in other places.
constexpr std::array k_system_roots{
    "/etc/ssl/certs/ca-certificates.crt", // Debian, Ubuntu, Arch, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",   // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",             // openSUSE
    "/etc/ssl/cert.pem",                  // Alpine, macOS
};

std::string find_system_roots(const Surroundings& surroundings) {
    if (auto path = surroundings.environment("SSL_CERT_FILE"); path && !path->empty()) {
        return *path;
    }
    for (const char* path : k_system_roots) {
        if (surroundings.read_file(path).outcome == FileText::Outcome::read) {
            return path;
        }
    }
    return {};
}

Error contradiction(const std::vector<std::string>& problems) {
    return {ErrorKind::config,
            "Error in configuration",
            "",
            problems.size() == 1 ? problems.front() : '[' + join(problems, ", ") + ']',
            "kubectl config view --minify"};
}

/// There is a configuration, but no server in what was selected of it.
Error no_server(const Selection& selection) {
    const auto cause =
        !selection.cluster_name.empty()
            ? fmt::format("no server found for cluster \"{}\"", selection.cluster_name)
        : !selection.context.empty()
            ? fmt::format("cluster was not specified for context \"{}\"", selection.context)
            : "no context is selected (current-context is not set)";
    return {ErrorKind::config, "no server to connect to", "", cause, "kubectl config get-contexts"};
}

Error no_cluster(const Overrides& overrides, const Surroundings& surroundings) {
    const auto paths = choose_files(overrides.kubeconfig, surroundings);
    const bool listed = !surroundings.environment("KUBECONFIG").value_or("").empty();
    std::string places = !paths.empty() ? join(paths, ", ")
                         : listed       ? "nothing, KUBECONFIG names no file"
                                        : "nothing, HOME is not set";
    if (std::any_of(paths.begin(), paths.end(), [](const auto& path) { return path[0] == '~'; })) {
        places += " (no ~ is expanded in KUBECONFIG)";
    }
    return {ErrorKind::config,
            "no configuration has been provided",
            "",
            fmt::format("no kubeconfig found, looked in: {}, and this is not a pod with a service "
                        "account (kubectl would try localhost:8080)",
                        places),
            "export KUBECONFIG=<path>"};
}

/// The selected cluster and user; without any configuration, the pod's service account.
Result<Selection>
find_selection(const Config& config, const Overrides& overrides, const Surroundings& surroundings) {
    auto selection = select(config, overrides, surroundings.working_directory);
    if (!selection) {
        return selection;
    }
    auto& server = selection->cluster.server;
    if (config.empty() && server.empty()) {
        if (const auto inside = select_in_cluster(*selection, surroundings)) {
            return *inside;
        }
        server = surroundings.environment("KUBERNETES_MASTER").value_or("");
        if (server.empty()) {
            return no_cluster(overrides, surroundings);
        }
    }
    if (server.empty()) {
        return no_server(*selection);
    }
    auto completed = complete_server(server);
    if (!completed) {
        return completed.error();
    }
    server = std::move(*completed);
    return selection;
}

std::string find_namespace(const Selection& selection, const Surroundings& surroundings) {
    if (!selection.ns.empty()) {
        return selection.ns;
    }
    const auto inside = in_cluster_namespace(surroundings);
    return inside.empty() ? "default" : inside;
}

model::ProxySettings find_proxies(const Cluster& cluster, const Surroundings& surroundings) {
    const auto first_of = [&](const char* upper, const char* lower) {
        const auto value = surroundings.environment(upper).value_or("");
        return value.empty() ? surroundings.environment(lower).value_or("") : value;
    };
    model::ProxySettings settings;
    settings.proxy_url = cluster.proxy_url;
    settings.https_proxy = first_of("HTTPS_PROXY", "https_proxy");
    if (!surroundings.environment("REQUEST_METHOD")) { // CGI: HTTP_PROXY may be a request header
        settings.http_proxy = first_of("HTTP_PROXY", "http_proxy");
    }
    settings.no_proxy = first_of("NO_PROXY", "no_proxy");
    return settings;
}

Result<Millis> read_timeout(const Overrides& overrides) {
    const auto given = overrides.request_timeout.value_or("");
    const auto text = given.empty() ? "0" : given;
    const auto timeout = parse_duration(text);
    if (!timeout) {
        return Error{ErrorKind::usage,
                     "invalid --request-timeout",
                     text,
                     "Timeout must be a single integer in seconds, or an integer followed by a "
                     "corresponding time unit (e.g. 1s | 2m | 3h)",
                     ""};
    }
    return *timeout;
}

/// Everything that does not have to be read or run.
model::ClientConfig describe(const Selection& selection, const Surroundings& surroundings) {
    model::ClientConfig client;
    client.context = selection.context;
    client.server = selection.cluster.server;
    client.ns = find_namespace(selection, surroundings);
    client.verification =
        selection.cluster.insecure ? model::TlsVerification::skip : model::TlsVerification::verify;
    client.tls_server_name = selection.cluster.tls_server_name;
    client.proxy = find_proxies(selection.cluster, surroundings);
    client.impersonation = selection.user.impersonation;
    client.compression = selection.cluster.disable_compression ? model::Compression::off
                                                               : model::Compression::allowed;
    return client;
}

} // namespace

Result<model::ClientConfig> load(const Overrides& overrides, const Surroundings& surroundings) {
    const auto timeout = read_timeout(overrides);
    if (!timeout) {
        return timeout.error();
    }
    auto config = load_files(overrides.kubeconfig, surroundings);
    if (!config) {
        return config.error();
    }
    const auto selection = find_selection(*config, overrides, surroundings);
    if (!selection) {
        return selection.error();
    }
    if (const auto problems = find_contradictions(*selection); !problems.empty()) {
        return contradiction(problems);
    }
    const Cluster& cluster = selection->cluster;
    auto ca = load_pem(
        {"certificate-authority", selection->cluster_name, cluster.ca_data, cluster.ca_file},
        surroundings);
    if (!ca) {
        return ca.error();
    }
    auto credentials = load_credentials(*selection, {cluster, *ca}, surroundings);
    if (!credentials) {
        return credentials.error();
    }
    model::ClientConfig client = describe(*selection, surroundings);
    client.ca_pem = std::move(*ca);
    if (client.ca_pem.empty()) {
        client.system_ca_file = find_system_roots(surroundings);
    }
    client.credentials = std::move(credentials->credentials);
    client.renew = std::move(credentials->renew);
    client.request_timeout = *timeout;
    client.warnings = std::move(config->warnings);
    return client;
}

} // namespace di::kubeconfig
