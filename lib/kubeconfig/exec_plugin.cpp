#include "kubeconfig/exec_plugin.hpp"

#include "base/strings.hpp"
#include "base/yaml_text.hpp"
#include "kubeconfig/base64.hpp"
#include "kubeconfig/yaml_fields.hpp"
#include "kubeconfig/yaml_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <optional>
#include <vector>

namespace di::kubeconfig {
namespace {

constexpr std::array<std::string_view, 2> k_versions{"client.authentication.k8s.io/v1",
                                                     "client.authentication.k8s.io/v1beta1"};

constexpr std::string_view k_pem_start = "-----BEGIN ";

Error no_credentials(std::string cause, std::string hint) {
    return {ErrorKind::auth, "getting credentials", "", std::move(cause), std::move(hint)};
}

/// Longer than any run. A plugin whose credentials never expire may say the year 9999, which the
/// nanoseconds of a clock cannot hold.
constexpr std::chrono::seconds k_longest_lifetime = std::chrono::years(10);

/// An RFC 3339 time in UTC or with an offset, down to the second.
std::optional<std::chrono::sys_seconds> parse_time(const std::string& text) {
    std::tm parts{};
    const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (rest == nullptr) {
        return std::nullopt;
    }
    if (*rest == '.') {
        rest += 1 + std::strspn(rest + 1, "0123456789");
    }
    long offset = 0; // minutes
    if (std::string_view(rest) != "Z" && std::string_view(rest) != "z") {
        std::tm zone{};
        const bool sign = *rest == '+' || *rest == '-';
        const char* end = sign ? strptime(rest + 1, "%H:%M", &zone) : nullptr;
        if (end == nullptr || *end != '\0') {
            return std::nullopt;
        }
        offset = (zone.tm_hour * 60L + zone.tm_min) * (*rest == '-' ? -1 : 1);
    }
    return std::chrono::sys_seconds(std::chrono::seconds(timegm(&parts))) -
           std::chrono::minutes(offset);
}

Result<Stdin> choose_stdin(const ExecPlugin& plugin, const Surroundings& surroundings) {
    if (plugin.interactive_mode == "Never") {
        return Stdin::none;
    }
    if (surroundings.terminal_on_stdin) {
        return Stdin::inherited;
    }
    if (plugin.interactive_mode == "Always") {
        return no_credentials(
            fmt::format("exec plugin cannot support interactive mode: standard input is not a "
                        "terminal ({})",
                        plugin.command),
            "");
    }
    return Stdin::none;
}

/// An install hint is free text, often several lines.
std::string one_line(std::string_view text) {
    std::vector<std::string> parts;
    for (const auto line : lines(text)) {
        parts.emplace_back(trim(line));
    }
    return excerpt(join(parts, " "), 400);
}

Result<std::string> check_ending(const ExecPlugin& plugin, const CommandResult& result) {
    using Ending = CommandResult::Outcome;
    const auto hint = one_line(plugin.install_hint);
    switch (result.outcome) {
    case Ending::not_found:
        return no_credentials(fmt::format("exec: executable {} not found", plugin.command), hint);
    case Ending::not_started:
    case Ending::killed:
        return no_credentials(
            fmt::format("exec: executable {} failed: {}", plugin.command, result.detail), hint);
    case Ending::endless_output:
        return no_credentials(fmt::format("exec: executable {} printed too much", plugin.command),
                              "");
    case Ending::exited:
        break;
    }
    if (result.exit_code != 0) {
        return no_credentials(fmt::format("exec: executable {} failed with exit code {}",
                                          plugin.command,
                                          result.exit_code),
                              shell_command({plugin.command, "--help"}));
    }
    return result.out;
}

} // namespace

std::string make_exec_info(const ExecPlugin& plugin, const ClusterInfo& info, Stdin input) {
    std::string cluster;
    if (plugin.provide_cluster_info) {
        const auto text = [&](std::string_view key, const std::string& value) {
            return value.empty() ? std::string()
                                 : fmt::format(",{}:{}", quote_json(key), quote_json(value));
        };
        const auto& known = info.cluster;
        cluster = fmt::format(
            "\"cluster\":{{\"server\":{}{}{}{}{}{},\"config\":{}}},",
            quote_json(known.server),
            text("tls-server-name", known.tls_server_name),
            known.insecure ? ",\"insecure-skip-tls-verify\":true" : "",
            text("certificate-authority-data", info.ca_pem.empty() ? "" : to_base64(info.ca_pem)),
            text("proxy-url", known.proxy_url),
            known.disable_compression ? ",\"disable-compression\":true" : "",
            known.exec_extension.empty() ? "null" : known.exec_extension);
    }
    return fmt::format("{{\"kind\":\"ExecCredential\",\"apiVersion\":{},\"spec\":{{"
                       "{}\"interactive\":{}}}}}",
                       quote_json(plugin.api_version),
                       cluster,
                       input == Stdin::inherited);
}

Result<model::Credentials> parse_exec_credential(std::string_view text,
                                                 const std::string& api_version,
                                                 std::chrono::system_clock::time_point now) {
    const auto broken = [](const std::string& cause) {
        return no_credentials("decoding exec plugin output: " + cause, "");
    };
    const Parsed parsed = parse_yaml(text);
    if (!parsed.error.empty() || !parsed.root.IsDefined() || !parsed.root.IsMap()) {
        return broken(parsed.error.empty() ? "no ExecCredential" : parsed.error);
    }
    std::string error;
    const Fields root(parsed.root, "", error);
    if (root.text("kind") != "ExecCredential" || root.text("apiVersion") != api_version) {
        return no_credentials(
            fmt::format("exec plugin is configured to use API version {}, plugin returned version "
                        "{} of kind {}",
                        api_version,
                        root.text("apiVersion"),
                        root.text("kind")),
            "");
    }
    if (!root.has("status")) {
        return no_credentials("exec plugin didn't return a status field", "");
    }
    const auto status = root.child("status");
    model::Credentials credentials;
    credentials.token = model::Secret(status.text("token"));
    credentials.certificate_pem = status.text("clientCertificateData");
    credentials.key_pem = model::Secret(status.text("clientKeyData"));
    const auto expiry = status.text("expirationTimestamp");
    const auto expires = parse_time(expiry);
    if (!error.empty() || (!expiry.empty() && !expires)) {
        return broken(error.empty() ? "invalid expirationTimestamp" : error);
    }
    if (credentials.certificate_pem.empty() != credentials.key_pem.empty()) {
        return no_credentials("exec plugin returned only certificate or key, not both", "");
    }
    if (credentials.token.empty() && credentials.certificate_pem.empty()) {
        return no_credentials("exec plugin didn't return a token or cert/key pair", "");
    }
    if (!credentials.certificate_pem.empty() &&
        !(contains(credentials.certificate_pem, k_pem_start) &&
          contains(credentials.key_pem.reveal(), k_pem_start))) {
        return no_credentials("failed parsing client key/certificate: no PEM block", "");
    }
    if (expires) {
        const auto left = *expires - std::chrono::floor<std::chrono::seconds>(now);
        credentials.lifetime = std::clamp(left, std::chrono::seconds(0), k_longest_lifetime);
    }
    return credentials;
}

Result<model::Credentials>
run_plugin(const ExecPlugin& plugin, const ClusterInfo& cluster, const Surroundings& surroundings) {
    if (std::find(k_versions.begin(), k_versions.end(), plugin.api_version) == k_versions.end()) {
        return no_credentials(fmt::format("exec plugin: invalid apiVersion \"{}\"; upgrade {}",
                                          plugin.api_version,
                                          plugin.command),
                              "");
    }
    const auto input = choose_stdin(plugin, surroundings);
    if (!input) {
        return input.error();
    }
    Command command;
    command.argv = plugin.args;
    command.argv.insert(command.argv.begin(), plugin.command);
    command.env = plugin.env;
    command.env.emplace_back("KUBERNETES_EXEC_INFO", make_exec_info(plugin, cluster, *input));
    command.input = *input;
    const auto out = check_ending(plugin, surroundings.run(command));
    return out ? parse_exec_credential(*out, plugin.api_version, surroundings.now())
               : Result<model::Credentials>(out.error());
}

} // namespace di::kubeconfig
