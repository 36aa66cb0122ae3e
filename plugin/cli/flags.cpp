#include "cli/flags.hpp"

#include <array>

namespace di::cli {
namespace {

using enum FlagGroup;
using R = RawFlags;

constexpr std::array k_flags = {
    Flag{"-n,--namespace", "NS", "namespace to look in (default: the context's)", scope, &R::ns},
    Flag{"-A,--all-namespaces", "", "look in every namespace", scope, &R::all_namespaces},
    Flag{"-l,--selector",
         "SELECTOR",
         "label selector instead of Dynamo's own labels",
         selection,
         &R::label_selector},
    Flag{"--field-selector",
         "SELECTOR",
         "field selector, matched by the API server",
         selection,
         &R::field_selector},
    Flag{"--graph", "NAME", "only this DynamoGraphDeployment", selection, &R::graph},
    Flag{"--pod", "NAME", "only this pod (repeatable)", selection, &R::pods},
    Flag{"-c,--container",
         "NAME",
         "container to enter instead of the engine's",
         selection,
         &R::container},
    Flag{"--role", "ROLE", "only prefill, decode or worker", selection, &R::role},

    Flag{"--max-parallel",
         "N",
         "execs open at the same time (default 32)",
         probing,
         &R::max_parallel},
    Flag{"--probe-timeout", "D", "time for one pod (default 20s)", probing, &R::probe_timeout},
    Flag{"--timeout", "D", "time for the whole run (default 5m)", probing, &R::timeout},

    Flag{"--confirm", "", "show the plan and ask once before the first exec", probing, &R::confirm},
    Flag{"-y,--yes", "", "answer that question", probing, &R::yes},

    Flag{"--fail-on",
         "LEVEL",
         "exit non-zero from this level on: fail, warn or inconclusive (default)",
         verdict,
         &R::fail_on},
    Flag{"--require",
         "TIER",
         "proof to ask for: configured (default), capable, traffic or payload",
         verdict,
         &R::require},
    Flag{"--skip",
         "CODE[=WHY]",
         "waive a finding: it stays visible and moves no verdict (repeatable)",
         verdict,
         &R::skip},

    Flag{"-o,--output",
         "FORMAT",
         "table (default), wide, json, yaml; markdown for explain",
         output,
         &R::output},
    Flag{"--no-headers", "", "leave the table headers out", output, &R::no_headers},
    Flag{"--color", "WHEN", "auto (default), always or never", output, &R::color},
    Flag{"-q,--quiet", "", "no progress and no notes on stderr", output, &R::quiet},

    Flag{"--kubeconfig",
         "FILE",
         "kubeconfig file instead of KUBECONFIG and ~/.kube/config",
         connection,
         &R::kubeconfig},
    Flag{"--context", "NAME", "kubeconfig context", connection, &R::context},
    Flag{"--cluster", "NAME", "kubeconfig cluster", connection, &R::cluster},
    Flag{"--user",
         "NAME",
         "kubeconfig user; of rbac: user that gets the role",
         connection,
         &R::user},
    Flag{"-s,--server", "URL", "address of the API server", connection, &R::server},
    Flag{"--token", "TOKEN", "bearer token", connection, &R::token},
    Flag{"--as", "USER", "user to impersonate", connection, &R::as},
    Flag{"--as-group", "GROUP", "group to impersonate (repeatable)", connection, &R::as_groups},
    Flag{"--as-uid", "UID", "UID to impersonate", connection, &R::as_uid},
    Flag{"--as-user-extra",
         "KEY=VALUE",
         "extra to impersonate (repeatable)",
         connection,
         &R::as_user_extra},
    Flag{"--certificate-authority",
         "FILE",
         "CA certificates to trust",
         connection,
         &R::certificate_authority},
    Flag{"--client-certificate", "FILE", "client certificate", connection, &R::client_certificate},
    Flag{"--client-key", "FILE", "key of the client certificate", connection, &R::client_key},
    Flag{"--insecure-skip-tls-verify",
         "",
         "do not verify the server's certificate",
         connection,
         &R::insecure_skip_tls_verify},
    Flag{"--tls-server-name",
         "NAME",
         "name to verify in the server's certificate",
         connection,
         &R::tls_server_name},
    Flag{"--proxy-url", "URL", "proxy to the API server", connection, &R::proxy_url},
    Flag{"--request-timeout",
         "D",
         "time for one ordinary request (0: none)",
         connection,
         &R::request_timeout},
    Flag{"--disable-compression",
         "",
         "ask for uncompressed answers",
         connection,
         &R::disable_compression},

    Flag{"--local", "", "probe this machine instead of the cluster's workers", host, &R::local},

    Flag{"--service-account",
         "NAME",
         "service account that gets the role: NAME or NAMESPACE:NAME",
         grant,
         &R::service_account},
    Flag{"--group", "NAME", "group that gets the role", grant, &R::grant_group},
    Flag{"--check", "", "ask the API server what of it you are allowed", grant, &R::check},
    Flag{"--stdout",
         "FILE",
         "what the tool printed; - (default) is standard input",
         capture,
         &R::stdout_file},
    Flag{"--stderr", "FILE", "what it printed on stderr", capture, &R::stderr_file},
    Flag{"--rc", "N", "its exit code (default: kubectl's word on stderr, else 0)", capture, &R::rc},
    Flag{"--pods",
         "DIR",
         "whole pods: DIR/<pod>/<probe>/{stdout,stderr,rc}, maybe DIR/<pod>/node",
         capture,
         &R::pods_folder},
    Flag{"--role",
         "POD=ROLE",
         "prefill or decode, for a pod whose name does not say it (repeatable)",
         capture,
         &R::pod_roles},

    Flag{"--list", "", "list every finding code", explain, &R::list},

    Flag{"-v,--v",
         "LEVEL",
         "log requests on stderr as kubectl does, masked: 6 to 10",
         connection,
         &R::verbosity},

    Flag{"-h,--help", "", "show this help", common, &R::help},
};

} // namespace

std::span<const Flag> flags() {
    return k_flags;
}

std::string_view heading(FlagGroup group) {
    static constexpr std::array<std::string_view, 11> k_headings = {"Where to look",
                                                                    "What to look at",
                                                                    "Probing",
                                                                    "Verdict",
                                                                    "Output",
                                                                    "Connection (as kubectl)",
                                                                    "Codes",
                                                                    "This machine",
                                                                    "Who gets the role",
                                                                    "Captured output",
                                                                    "Other"};
    return k_headings.at(static_cast<std::size_t>(group));
}

} // namespace di::cli
