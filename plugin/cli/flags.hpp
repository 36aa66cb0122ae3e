// Every flag in one table: parsing, help and the README's flag list are made from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace di::cli {

/// Flags as text, before they are checked; names follow kubectl's.
struct RawFlags {
    std::optional<std::string> kubeconfig, context, cluster, user, ns, server, token, as, as_uid,
        certificate_authority, client_certificate, client_key, tls_server_name, request_timeout,
        proxy_url;
    std::vector<std::string> as_groups, as_user_extra;
    bool insecure_skip_tls_verify = false;
    bool disable_compression = false;

    bool all_namespaces = false;
    std::string label_selector, field_selector;
    std::optional<std::string> graph, container, role;
    std::vector<std::string> pods;

    std::string output = "table";
    std::string color = "auto";
    bool no_headers = false;
    bool quiet = false;
    std::string verbosity = "0";

    std::string max_parallel = "32";
    std::string probe_timeout = "20s";
    std::string timeout = "5m";
    std::string fail_on = "inconclusive";
    std::optional<std::string> require;
    std::vector<std::string> skip;

    bool confirm = false;
    bool yes = false;
    std::optional<std::string> stdout_file, stderr_file, rc, pods_folder;
    std::vector<std::string> pod_roles;

    bool list = false;
    bool local = false;
    std::optional<std::string> service_account, grant_group;
    bool check = false;
    bool help = false;
};

/// Which commands take a flag; also the heading under which help shows it.
enum class FlagGroup : std::uint8_t {
    scope,
    selection,
    probing,
    verdict,
    output,
    connection,
    explain,
    host,
    grant,
    capture,
    common
};

using FlagTarget = std::variant<std::optional<std::string> RawFlags::*,
                                std::string RawFlags::*,
                                std::vector<std::string> RawFlags::*,
                                bool RawFlags::*>;

struct Flag {
    std::string_view names; ///< "-n,--namespace"
    std::string_view value; ///< label of its value; empty for a switch
    std::string_view help;
    FlagGroup group;
    FlagTarget target;
};

std::span<const Flag> flags();

std::string_view heading(FlagGroup group);

} // namespace di::cli
