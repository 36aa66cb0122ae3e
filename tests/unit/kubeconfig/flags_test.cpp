// How context, cluster, user, server and namespace are resolved, and what kubectl's connection
// flags do to them, one sentence each.
#include "unit/kubeconfig/kubeconfig_cases.hpp"

using namespace di;
using namespace di::test;

namespace {

/// Contexts x and z, clusters c and d, users u and v, in two files.
SmallWorld two() {
    auto world = world_of(
        kubeconfig_of("server: https://h", "token: t", "cluster: c, user: u, namespace: ns1"));
    world.files["/more"] = "contexts: [{name: z, context: {cluster: d, user: v}}]\n"
                           "clusters: [{name: d, cluster: {server: https://d}}]\n"
                           "users: [{name: v, user: {token: of-v}}]\n";
    world.environment["KUBECONFIG"] = "/home/u/.kube/config:/more";
    return world;
}

template<class Set> LoadCase flagged(const std::string& name, Set set, const std::string& wanted) {
    return {name, two(), wanted, with_flags(set)};
}

template<class Set>
LoadCase
of_user(const std::string& name, const std::string& user, Set set, const std::string& wanted) {
    return {name, world_of(kubeconfig_of("server: https://h", user)), wanted, with_flags(set)};
}

std::vector<LoadCase> resolution() {
    auto rich = two();
    rich.environment["KUBERNETES_MASTER"] = "http://master";
    return {
        flagged(
            "the current context counts without a flag", [](auto&) {}, "https://h token t ns ns1"),
        flagged(
            "the flag --context chooses cluster, user and namespace together",
            [](auto& flags) { flags.context = "z"; },
            "https://d token of-v ns default"),
        flagged(
            "the flag --cluster changes the cluster alone",
            [](auto& flags) { flags.cluster = "d"; },
            "https://d token t ns ns1"),
        flagged(
            "the flag --user changes the user alone",
            [](auto& flags) { flags.user = "v"; },
            "https://h token of-v ns ns1"),
        flagged(
            "a context of a flag that is missing is said in kubectl's words",
            [](auto& flags) { flags.context = "nope"; },
            "error: context \"nope\" does not exist\nhint: kubectl config get-contexts\n"),
        flagged(
            "a cluster of a flag that is missing is said in kubectl's words",
            [](auto& flags) { flags.cluster = "nope"; },
            "error: no server found for cluster \"nope\"\nhint: kubectl config get-clusters\n"),
        flagged(
            "a user of a flag that is missing is said in kubectl's words",
            [](auto& flags) { flags.user = "nope"; },
            "error: auth info \"nope\" does not exist\nhint: kubectl config get-users\n"),
        flagged(
            "the flag --namespace beats the context's",
            [](auto& flags) { flags.ns = "mine"; },
            "https://h token t ns mine"),
        {"KUBERNETES_MASTER does not count beside a configuration",
         rich,
         "https://h token t ns ns1"},
    };
}

/// What a context names and nobody has does not matter once flags say all of it.
std::vector<LoadCase> names_of_nobody() {
    const auto context = [](const std::string& fields) {
        return world_of(kubeconfig_of("server: https://h", "token: t", fields));
    };
    const auto no_cluster = context("cluster: garbage, user: u");
    const auto no_user = context("cluster: c, user: garbage");
    const auto flags = [](auto set) { return with_flags(set); };
    return {
        {"the flag --server stands in for a cluster that nobody has",
         no_cluster,
         "https://other token t ns default",
         flags([](auto& set) { set.server = "https://other"; })},
        {"the flag --token stands in for a user whom nobody has",
         no_user,
         "https://h token typed ns default",
         flags([](auto& set) { set.token = "typed"; })},
        {"client certificates by flag stand in for a user whom nobody has",
         no_user,
         "https://h certificate ns default",
         flags([](auto& set) { set.client_certificate = set.client_key = "crt"; })},
        {"the flag --server does not stand in for a user",
         no_user,
         "...user \"garbage\" was not found for context \"x\"",
         flags([](auto& set) { set.server = "https://other"; })},
        {"the flag --server does not stand in for the cluster of another flag",
         no_cluster,
         "...no server found for cluster \"nope\"",
         flags([](auto& set) {
             set.server = "https://other";
             set.cluster = "nope";
         })},
    };
}

std::vector<LoadCase> paths() {
    const auto at = [](const std::string& path) {
        return world_of(kubeconfig_of("server: 'https://h:6443" + path + "'"));
    };
    const std::string h = "https://h:6443";
    const std::string rest = " token t ns default";
    return {
        {"a server's path loses its empty segments", at("/a//b/"), h + "/a/b" + rest},
        {"a server's path loses dots, as in Go", at("/a/../b/./c"), h + "/b/c" + rest},
        {"a server's path does not climb above its root", at("/../../a"), h + "/a" + rest},
        {"over plain http a CA beside insecure contradicts nothing",
         world_of(kubeconfig_of(
             "server: http://h, insecure-skip-tls-verify: true, certificate-authority: ca")),
         "http://h ns default ca insecure"},
    };
}

std::vector<LoadCase> credentials() {
    const auto token = [](auto& flags) { flags.token = "typed"; };
    const std::string exec = "exec: {command: login, apiVersion: client.authentication.k8s.io/v1, "
                             "interactiveMode: Never}";
    return {
        of_user("I18 (deviation) the flag --token beats a tokenFile",
                "tokenFile: /token",
                token,
                "https://h token typed ns default"),
        of_user("I18 (deviation) the flag --token beats name and password",
                "username: me, password: p",
                token,
                "https://h token typed ns default"),
        of_user("I18 (deviation) the flag --token keeps the plugin from running",
                exec,
                token,
                "https://h token typed ns default"),
        of_user("I18 (deviation) beside the flag --token client certificates are still shown",
                "client-certificate: crt, client-key: key",
                token,
                "https://h token typed certificate ns default"),
        of_user(
            "flags of certificates name files of the working directory",
            "token: t",
            [](auto& flags) {
                flags.client_certificate = "crt";
                flags.client_key = "/srv/key";
            },
            "https://h token t certificate ns default"),
        of_user(
            "flags of impersonation set user, uid, groups and extra",
            "token: t",
            [](auto& flags) {
                flags.as = "o";
                flags.as_uid = "7";
                flags.as_groups = {"g", "h"};
                flags.as_user_extra = {"k=v", "k=w=x"};
            },
            "https://h token t as o uid 7 groups g,h extra k=v extra k=w=x ns default"),
        of_user(
            "an extra without a value is a usage error",
            "token: t",
            [](auto& flags) { flags.as_user_extra = {"novalue"}; },
            "...invalid --as-user-extra for novalue: it must have the form key=value"),
        of_user(
            "a group by flag without a user is an error",
            "token: t",
            [](auto& flags) { flags.as_groups = {"g"}; },
            "...without impersonating a user"),
    };
}

const TableTests<LoadCase> k_resolution(resolution(), check_load);
const TableTests<LoadCase> k_names_of_nobody(names_of_nobody(), check_load);
const TableTests<LoadCase> k_paths(paths(), check_load);
const TableTests<LoadCase> k_credentials(credentials(), check_load);

} // namespace
