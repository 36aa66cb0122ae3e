#include "kubeconfig/select.hpp"

#include "base/strings.hpp"
#include "kubeconfig/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace di::kubeconfig {
namespace {

/// A flag's value; an empty one is as good as none, as in client-go.
bool given(const std::optional<std::string>& flag) {
    return flag && !flag->empty();
}

const std::string& either(const std::optional<std::string>& flag, const std::string& other) {
    return given(flag) ? *flag : other;
}

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
    const bool by_flag = given(overrides.context);
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
    if (given(overrides.cluster)) {
        return config_error(
            fmt::format("no server found for cluster \"{}\"", selection.cluster_name),
            "kubectl config get-clusters");
    }
    if (given(overrides.server)) {
        return Done{}; // all that the entry would have told
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
    if (given(overrides.user)) {
        return config_error(fmt::format("auth info \"{}\" does not exist", selection.user_name),
                            "kubectl config get-users");
    }
    if (given(overrides.token) || given(overrides.username) ||
        given(overrides.client_certificate)) {
        return Done{}; // the flags say who we are
    }
    return config_error(fmt::format("user \"{}\" was not found for context \"{}\"",
                                    selection.user_name,
                                    selection.context),
                        "kubectl config view");
}

void override_cluster(Cluster& cluster, const Overrides& flags, const std::string& directory) {
    if (given(flags.server)) {
        cluster.server = *flags.server;
        cluster.tls_server_name.clear(); // it belonged to the other server
    }
    cluster.tls_server_name = either(flags.tls_server_name, cluster.tls_server_name);
    cluster.proxy_url = either(flags.proxy_url, cluster.proxy_url);
    cluster.disable_compression = cluster.disable_compression || flags.disable_compression;
    if (flags.insecure_skip_tls_verify) {
        cluster.insecure = true;
        cluster.ca_file.clear();
        cluster.ca_data.clear();
    }
    if (given(flags.certificate_authority)) {
        cluster.ca_file = resolve_path(*flags.certificate_authority, directory);
        cluster.ca_data.clear();
        cluster.insecure = flags.insecure_skip_tls_verify; // both given: an error, found later
    }
}

void override_user(User& user, const Overrides& flags, const std::string& directory) {
    if (given(flags.token)) {
        user.token = model::Secret(*flags.token);
        user.token_file.clear(); // unlike in client-go, what was typed last counts
        user.exec.reset();
        user.username.clear();
        user.password = {};
    }
    if (given(flags.username)) {
        user.username = *flags.username;
    }
    if (given(flags.password)) {
        user.password = model::Secret(*flags.password);
    }
    if (given(flags.client_certificate)) {
        user.certificate_file = resolve_path(*flags.client_certificate, directory);
        user.certificate_data.clear();
    }
    if (given(flags.client_key)) {
        user.key_file = resolve_path(*flags.client_key, directory);
        user.key_data = {};
    }
}

Outcome override_impersonation(model::Impersonation& who, const Overrides& flags) {
    who.user = either(flags.as, who.user);
    who.uid = either(flags.as_uid, who.uid);
    if (!flags.as_groups.empty()) {
        who.groups = flags.as_groups;
    }
    std::vector<std::pair<std::string, std::string>> extra;
    for (const auto& pair : flags.as_user_extra) {
        const auto equals = pair.find('=');
        if (equals == std::string::npos || equals == 0) {
            return Error{ErrorKind::usage,
                         "invalid --as-user-extra",
                         pair,
                         "it must have the form key=value",
                         ""};
        }
        extra.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
    }
    // Key by key: what no flag names stays as the file has it.
    std::erase_if(who.extra, [&](const auto& old) {
        return std::any_of(
            extra.begin(), extra.end(), [&](const auto& flag) { return flag.first == old.first; });
    });
    who.extra.insert(who.extra.end(), extra.begin(), extra.end());
    return Done{};
}

/// As Go's path.Clean: no empty segments, no "." and "..", no slash at the end.
std::string clean_path(std::string_view path) {
    std::vector<std::string_view> kept;
    for (const auto segment : split(path, '/')) {
        if (segment == ".." && !kept.empty()) {
            kept.pop_back();
        } else if (!segment.empty() && segment != "." && segment != "..") {
            kept.push_back(segment);
        }
    }
    std::string clean;
    for (const auto segment : kept) {
        clean += '/';
        clean += segment;
    }
    return clean;
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
    const bool by_flag = given(overrides.context);
    selection.context = by_flag ? *overrides.context : config.current_context;
    const auto context = find_context(config, overrides, selection.context);
    if (!context) {
        return context.error();
    }
    const Context chosen = context->value_or(Context());
    selection.cluster_name = either(overrides.cluster, chosen.cluster);
    selection.user_name = either(overrides.user, chosen.user);
    selection.ns = chosen.ns;
    if (given(overrides.ns)) {
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

Result<std::string> complete_server(const std::string& server) {
    std::string url = server.substr(0, server.find_first_of("?#"));
    if (const auto scheme = url.find("://"); scheme != std::string::npos) {
        const auto path = std::min(url.find('/', scheme + 3), url.size());
        return url.substr(0, path) + clean_path(std::string_view(url).substr(path));
    }
    while (!url.empty() && url.back() == '/') {
        url.pop_back();
    }
    if (contains(url, "/") || url.empty()) {
        return config_error(fmt::format("host must be a URL or a host:port pair: \"{}\"", server),
                            "kubectl config view --minify");
    }
    return "http://" + url; // whatever is set for TLS: client-go looks at that later
}

} // namespace di::kubeconfig
