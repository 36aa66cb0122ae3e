#include "kubeconfig/document.hpp"

#include "base/strings.hpp"
#include "kubeconfig/base64.hpp"
#include "kubeconfig/yaml_fields.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace di::kubeconfig {
namespace {

constexpr std::string_view k_exec_extension = "client.authentication.k8s.io/exec";

std::string directory_of(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// Members of a list of {name, <key>: {...}}. A name that comes twice is an error.
template<class T, class Read>
std::map<std::string, T, std::less<>>
read_named(const Fields& root, std::string_view list, std::string_view key, Read read) {
    std::map<std::string, T, std::less<>> named;
    for (const auto& element : root.children(list)) {
        const auto name = element.text("name");
        if (!named.emplace(name, read(element.child(key))).second) {
            element.fail("name", fmt::format("duplicate name \"{}\" in list", name));
        }
    }
    return named;
}

/// Text in base64, checked here so that a broken one is named by its place, used or not.
std::string read_data(const Fields& fields, std::string_view key) {
    auto text = fields.text(key);
    const auto bytes = from_base64(text);
    if (const auto* bad = std::get_if<BadBase64>(&bytes)) {
        fields.fail(key, fmt::format("illegal base64 data at input byte {}", bad->at));
    }
    return text;
}

/// Extensions are other programs' notes; client-go refuses a name that comes twice all the same.
void check_extensions(const Fields& fields) {
    std::set<std::string> names;
    for (const auto& extension : fields.children("extensions")) {
        const auto name = extension.text("name");
        if (names.count(name) > 0) {
            extension.fail("name", fmt::format("duplicate name \"{}\" in list", name));
        } else if (extension.has("extension")) {
            names.insert(name); // one without content may come again
        }
    }
}

Cluster read_cluster(const Fields& fields, const std::string& directory) {
    Cluster cluster;
    cluster.server = fields.text("server");
    cluster.tls_server_name = fields.text("tls-server-name");
    cluster.ca_file = resolve_path(fields.text("certificate-authority"), directory);
    cluster.ca_data = read_data(fields, "certificate-authority-data");
    cluster.proxy_url = fields.text("proxy-url");
    cluster.insecure = fields.flag("insecure-skip-tls-verify");
    cluster.disable_compression = fields.flag("disable-compression");
    check_extensions(fields);
    for (const auto& extension : fields.children("extensions")) {
        if (extension.text("name") == k_exec_extension) {
            cluster.exec_extension = extension.json("extension");
        }
    }
    return cluster;
}

ExecPlugin read_exec(const Fields& fields, const std::string& directory) {
    ExecPlugin plugin;
    plugin.command = fields.text("command");
    if (contains(plugin.command, "/")) {
        plugin.command = resolve_path(plugin.command, directory);
    }
    plugin.args = fields.texts("args");
    for (const auto& variable : fields.children("env")) {
        plugin.env.emplace_back(variable.text("name"), variable.text("value"));
    }
    plugin.api_version = fields.text("apiVersion");
    plugin.interactive_mode = fields.text("interactiveMode");
    plugin.install_hint = fields.text("installHint");
    plugin.provide_cluster_info = fields.flag("provideClusterInfo");
    return plugin;
}

User read_user(const Fields& fields, const std::string& directory) {
    User user;
    user.certificate_file = resolve_path(fields.text("client-certificate"), directory);
    user.certificate_data = read_data(fields, "client-certificate-data");
    user.key_file = resolve_path(fields.text("client-key"), directory);
    user.key_data = model::Secret(read_data(fields, "client-key-data"));
    user.token = model::Secret(fields.text("token"));
    user.token_file = resolve_path(fields.text("tokenFile"), directory);
    user.username = fields.text("username");
    user.password = model::Secret(fields.text("password"));
    user.impersonation.user = fields.text("as");
    user.impersonation.uid = fields.text("as-uid");
    user.impersonation.groups = fields.texts("as-groups");
    const auto extra = fields.child("as-user-extra");
    for (const auto& key : extra.keys()) {
        for (auto& value : extra.texts(key)) {
            user.impersonation.extra.emplace_back(key, std::move(value));
        }
    }
    check_extensions(fields);
    if (fields.has("auth-provider")) {
        user.auth_provider = fields.child("auth-provider").text("name");
    }
    if (fields.has("exec")) {
        user.exec = read_exec(fields.child("exec"), directory);
    }
    return user;
}

Context read_context(const Fields& fields) {
    check_extensions(fields);
    return {fields.text("cluster"), fields.text("user"), fields.text("namespace")};
}

void check_kind(const Fields& root) {
    const auto kind = root.text("kind");
    const auto version = root.text("apiVersion");
    if (!kind.empty() && kind != "Config") {
        root.fail("kind",
                  fmt::format("no kind \"{}\" is registered for version \"{}\"", kind, version));
    } else if (!version.empty() && version != "v1") {
        root.fail("apiVersion",
                  fmt::format("no kind \"Config\" is registered for version \"{}\"", version));
    }
}

} // namespace

std::string resolve_path(const std::string& path, const std::string& directory) {
    if (path.empty() || path.front() == '/') {
        return path;
    }
    return (std::filesystem::path(directory) / path).lexically_normal().string();
}

Result<Config> parse_config(std::string_view text, const std::string& path) {
    const auto failure = [&](std::string cause) {
        return Error{ErrorKind::config,
                     fmt::format("error loading config file \"{}\"", path),
                     "",
                     std::move(cause),
                     shell_command({"kubectl", "config", "view", "--kubeconfig", path})};
    };
    const Parsed parsed = parse_yaml(text);
    if (!parsed.error.empty()) {
        return failure(parsed.error);
    }
    Config config;
    if (!parsed.root.IsDefined() || parsed.root.IsNull()) {
        return config;
    }
    if (!parsed.root.IsMap()) {
        return failure("couldn't get version/kind; the document is no mapping");
    }
    std::string error;
    const Fields root(parsed.root, "", error);
    const auto directory = directory_of(path);
    check_kind(root);
    check_extensions(root);
    check_extensions(root.child("preferences"));
    config.clusters = read_named<Cluster>(root, "clusters", "cluster", [&](const Fields& fields) {
        return read_cluster(fields, directory);
    });
    config.users = read_named<User>(
        root, "users", "user", [&](const Fields& fields) { return read_user(fields, directory); });
    config.contexts = read_named<Context>(root, "contexts", "context", read_context);
    config.current_context = root.text("current-context");
    if (!error.empty()) {
        return failure(error);
    }
    if (parsed.more_follow) {
        config.warnings.push_back(
            fmt::format("{} has several documents; only the first is used, as kubectl does", path));
    }
    return config;
}

} // namespace di::kubeconfig
