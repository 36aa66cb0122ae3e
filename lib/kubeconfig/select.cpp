#include "kubeconfig/select.hpp"

#include "base/strings.hpp"
#include "kubeconfig/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace di::kubeconfig {
namespace {

Error config_error(std::string what, std::string hint) {
    return {ErrorKind::config, std::move(what), "", "", std::move(hint)};
}

/// Nothing when there is no context to select.
Result<std::optional<Context>>
find_context(const Config& config, const Overrides& overrides, const std::string& name) {
    if (name.empty()) {
        return std::optional<Context>();
    }
    const auto found = config.contexts.find(name);
    if (found != config.contexts.end()) {
        return std::optional(found->second);
    }
    const bool by_flag = overrides.context && !overrides.context->empty();
    return config_error(by_flag
                            ? fmt::format("context \"{}\" does not exist", name)
                            : fmt::format("context was not found for specified context: {}", name),
                        "kubectl config get-contexts");
}

Outcome pick_cluster(Selection& selection, const Config& config, const Overrides& overrides) {
    if (selection.cluster_name.empty()) {
        return Done{};
    }
    const auto found = config.clusters.find(selection.cluster_name);
    if (found != config.clusters.end()) {
        selection.cluster = found->second;
        return Done{};
    }
    if (overrides.cluster) {
        return config_error(
            fmt::format("no server found for cluster \"{}\"", selection.cluster_name),
            "kubectl config get-clusters");
    }
    return config_error(fmt::format("cluster \"{}\" was not found for context \"{}\"",
                                    selection.cluster_name,
                                    selection.context),
                        "kubectl config view");
}

Outcome pick_user(Selection& selection, const Config& config, const Overrides& overrides) {
    if (selection.user_name.empty()) {
        return Done{};
    }
    const auto found = config.users.find(selection.user_name);
    if (found != config.users.end()) {
        selection.user = found->second;
        return Done{};
    }
    if (overrides.user) {
        return config_error(fmt::format("auth info \"{}\" does not exist", selection.user_name),
                            "kubectl config get-users");
    }
    return config_error(fmt::format("user \"{}\" was not found for context \"{}\"",
                                    selection.user_name,
                                    selection.context),
                        "kubectl config view");
}

void override_cluster(Cluster& cluster, const Overrides& flags, const std::string& directory) {
    if (flags.server && !flags.server->empty()) {
        cluster.server = *flags.server;
        cluster.tls_server_name.clear(); // it belonged to the other server
    }
    cluster.tls_server_name = flags.tls_server_name.value_or(cluster.tls_server_name);
    cluster.proxy_url = flags.proxy_url.value_or(cluster.proxy_url);
    cluster.disable_compression = cluster.disable_compression || flags.disable_compression;
    if (flags.insecure_skip_tls_verify) {
        cluster.insecure = true;
        cluster.ca_file.clear();
        cluster.ca_data.clear();
    }
    if (flags.certificate_authority && !flags.certificate_authority->empty()) {
        cluster.ca_file = resolve_path(*flags.certificate_authority, directory);
        cluster.ca_data.clear();
        cluster.insecure = flags.insecure_skip_tls_verify; // both given: an error, found later
    }
}

void override_user(User& user, const Overrides& flags, const std::string& directory) {
    if (flags.token && !flags.token->empty()) {
        user.token = model::Secret(*flags.token);
        user.token_file.clear(); // unlike in client-go, what was typed last counts
        user.exec.reset();
        user.username.clear();
        user.password = {};
    }
    if (flags.username && !flags.username->empty()) {
        user.username = *flags.username;
    }
    if (flags.password && !flags.password->empty()) {
        user.password = model::Secret(*flags.password);
    }
    if (flags.client_certificate && !flags.client_certificate->empty()) {
        user.certificate_file = resolve_path(*flags.client_certificate, directory);
        user.certificate_data.clear();
    }
    if (flags.client_key && !flags.client_key->empty()) {
        user.key_file = resolve_path(*flags.client_key, directory);
        user.key_data = {};
    }
}

Outcome override_impersonation(model::Impersonation& who, const Overrides& flags) {
    who.user = flags.as.value_or(who.user);
    who.uid = flags.as_uid.value_or(who.uid);
    if (!flags.as_groups.empty()) {
        who.groups = flags.as_groups;
    }
    if (!flags.as_user_extra.empty()) {
        who.extra.clear();
    }
    for (const auto& pair : flags.as_user_extra) {
        const auto equals = pair.find('=');
        if (equals == std::string::npos || equals == 0) {
            return Error{ErrorKind::usage,
                         "invalid --as-user-extra",
                         pair,
                         "it must have the form key=value",
                         ""};
        }
        who.extra.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
    }
    return Done{};
}

} // namespace

std::string strip_namespace_prefix(const std::string& text) {
    constexpr std::array<std::string_view, 3> k_prefixes{"namespaces/", "namespace/", "ns/"};
    const auto lower = to_lower(text);
    for (const auto prefix : k_prefixes) {
        if (lower.size() > prefix.size() && lower.compare(0, prefix.size(), prefix) == 0) {
            return text.substr(prefix.size());
        }
    }
    return text;
}

Result<Selection>
select(const Config& config, const Overrides& overrides, const std::string& working_directory) {
    Selection selection;
    const bool by_flag = overrides.context && !overrides.context->empty();
    selection.context = by_flag ? *overrides.context : config.current_context;
    const auto context = find_context(config, overrides, selection.context);
    if (!context) {
        return context.error();
    }
    const Context chosen = context->value_or(Context());
    selection.cluster_name = overrides.cluster.value_or(chosen.cluster);
    selection.user_name = overrides.user.value_or(chosen.user);
    selection.ns = chosen.ns;
    if (overrides.ns && !overrides.ns->empty()) {
        selection.ns = strip_namespace_prefix(*overrides.ns);
    }
    if (const auto picked = pick_cluster(selection, config, overrides); !picked) {
        return picked.error();
    }
    if (const auto picked = pick_user(selection, config, overrides); !picked) {
        return picked.error();
    }
    override_cluster(selection.cluster, overrides, working_directory);
    override_user(selection.user, overrides, working_directory);
    if (const auto who = override_impersonation(selection.user.impersonation, overrides); !who) {
        return who.error();
    }
    return selection;
}

Result<std::string> complete_server(const std::string& server, const Selection& selection) {
    std::string url = server.substr(0, server.find_first_of("?#"));
    while (!url.empty() && url.back() == '/') {
        url.pop_back();
    }
    if (contains(url, "://")) {
        return url;
    }
    if (contains(url, "/") || url.empty()) {
        return config_error(fmt::format("host must be a URL or a host:port pair: \"{}\"", server),
                            "kubectl config view --minify");
    }
    const Cluster& cluster = selection.cluster;
    const User& user = selection.user;
    const bool tls = cluster.insecure || !cluster.ca_file.empty() || !cluster.ca_data.empty() ||
                     !user.certificate_file.empty() || !user.certificate_data.empty();
    return (tls ? "https://" : "http://") + url;
}

} // namespace di::kubeconfig
