// client-go's own cases of tools/clientcmd/validation_test.go as our V cases, and the sentences
// that kubectl prints for configurations that contradict themselves.
#include "unit/kubeconfig/kubeconfig_cases.hpp"

using namespace di;
using namespace di::test;

namespace {

const std::string k_v1 = "apiVersion: client.authentication.k8s.io/v1";
const std::string k_exec = "exec: {command: login, interactiveMode: Never, " + k_v1;

LoadCase user(const std::string& name, const std::string& fields, const std::string& wanted) {
    return {name, world_of(kubeconfig_of("server: https://h", fields)), wanted};
}

LoadCase cluster(const std::string& name, const std::string& fields, const std::string& wanted) {
    return {name, world_of(kubeconfig_of(fields)), wanted};
}

LoadCase whole(const std::string& name, const std::string& text, const std::string& wanted) {
    return {name, world_of(text), wanted};
}

SmallWorld with_plugin(SmallWorld world) {
    world.plugin_result.out =
        R"({"kind":"ExecCredential","apiVersion":)"
        R"("client.authentication.k8s.io/v1","status":{"token":"of-plugin"}})";
    return world;
}

std::vector<LoadCase> names() {
    const auto good = kubeconfig_of("server: https://h");
    const auto context = [](const std::string& fields) {
        return kubeconfig_of("server: https://h", "token: t", fields);
    };
    return {
        whole("V1 a broken cluster that the context does not use",
              "clusters: [{name: c, cluster: {server: https://h}}, "
              "{name: d, cluster: {certificate-authority: gone}}]\n" +
                  good.substr(0, good.find("clusters:")) + good.substr(good.find("users:")),
              "https://h token t ns default"),
        cluster("V1 a broken cluster that the context uses",
                "server: https://h, certificate-authority: gone",
                "...unable to read certificate-authority /home/u/.kube/gone for c"),
        whole("V2 (deviation) a context that names a user whom nobody has",
              context("cluster: c, user: garbage"),
              "...user \"garbage\" was not found for context \"x\""),
        whole("V2 (deviation) a context that names a cluster that nobody has",
              context("cluster: garbage, user: u"),
              "...cluster \"garbage\" was not found for context \"x\""),
        whole("V3 an empty configuration", "", "...no configuration has been provided"),
        {"V3 no configuration at all", SmallWorld(), "...no configuration has been provided"},
        whole("V3 a current context that points nowhere",
              "current-context: gone",
              "...context was not found for specified context: gone"),
        whole("V4 (deviation) a context without a cluster",
              context("user: u"),
              "...cluster was not specified for context \"x\""),
        whole("V4 (deviation) a context without a user is anonymous",
              context("cluster: c"),
              "https://h ns default"),
        whole("V4 (deviation) a namespace that is no DNS label is left to the server",
              context("cluster: c, user: u, namespace: Not_A_Label"),
              "https://h token t ns Not_A_Label"),
        cluster("V5 (deviation) a cluster without a server",
                "proxy-url: http://p",
                "...no server found for cluster \"c\""),
    };
}

std::vector<LoadCase> good_users() {
    return {
        user("V6 a user without anything is anonymous", "", "https://h ns default"),
        user("V6 a token", "token: t", "https://h token t ns default"),
        user("V6 certificate files",
             "client-certificate: crt, client-key: key",
             "https://h certificate ns default"),
        {"V6 a plugin",
         with_plugin(world_of(kubeconfig_of("server: https://h", k_exec + "}"))),
         "https://h token of-plugin ns default"},
        {"V6 a plugin with an empty variable",
         with_plugin(world_of(
             kubeconfig_of("server: https://h", k_exec + ", env: [{name: A, value: ''}]}"))),
         "https://h token of-plugin ns default"},
        user("V6 an impersonated user", "token: t, as: o", "https://h token t as o ns default"),
        user("V6 everything about an impersonated user",
             "token: t, as: o, as-uid: u, as-groups: [g], as-user-extra: {k: [v]}",
             "https://h token t as o uid u groups g extra k=v ns default"),
    };
}

std::vector<LoadCase> bad_users() {
    const std::string must = " must be specified for u to use exec authentication plugin";
    const std::string both_data = "client-certificate-data: " + k_pem_data +
                                  ", client-certificate: crt, " + "client-key-data: " + k_pem_data +
                                  ", client-key: key";
    const std::string without = "without impersonating a user";
    return {
        user("V7 certificate and key are missing: both are named",
             "client-certificate: gone, client-key: away",
             "...unable to read client-cert /home/u/.kube/gone for u: No such file or directory; "
             "unable to read client-key /home/u/.kube/away for u: No such file or directory"),
        user("V8 data and file of a certificate and of a key: both are named",
             both_data,
             "...[client-cert-data and client-cert are both specified for u. client-cert-data will "
             "override., client-key-data and client-key are both specified for u."),
        user("V8 a token beside a name",
             "token: t, username: me",
             "...more than one authentication method found for u; found [token basicAuth]"),
        user("V9 a plugin without an apiVersion",
             "exec: {command: c, interactiveMode: Never}",
             "...apiVersion" + must),
        user("V9 a plugin without a command",
             "exec: {interactiveMode: Never, " + k_v1 + "}",
             "...command" + must),
        user("V9 a plugin without an interactiveMode",
             "exec: {command: c, " + k_v1 + "}",
             "...interactiveMode" + must),
        user("X6 version v1 needs an interactiveMode",
             "exec: {command: c, " + k_v1 + "}",
             "...interactiveMode" + must),
        user("V9 a plugin with an unknown interactiveMode",
             "exec: {command: c, interactiveMode: invalid, " + k_v1 + "}",
             "...invalid interactiveMode for u: \"invalid\""),
        user("V9 a plugin beside an auth-provider",
             k_exec + "}, auth-provider: {name: oidc}",
             "...authProvider cannot be provided in combination with an exec plugin for u"),
        user("V9 a plugin with a variable that has no name",
             k_exec + ", env: [{value: v}]}",
             "...env variable name" + must),
        user("V10 groups without an impersonated user", "as-groups: [g]", "..." + without),
        user("V10 an extra without an impersonated user",
             "as-user-extra: {k: [v]}",
             "..." + without),
        user("V10 a uid without an impersonated user", "as-uid: u", "..." + without),
    };
}

std::vector<LoadCase> sentences() {
    const std::string data = ", certificate-authority-data: " + k_pem_data;
    return {
        cluster(
            "a CA as data and as file is an error, as in kubectl",
            "server: https://h, certificate-authority: ca" + data,
            "...Error in configuration: certificate-authority-data and certificate-authority are "
            "both specified for c. certificate-authority-data will override."),
        user("a certificate without its key",
             "client-certificate: crt",
             "...client-key-data or client-key must be specified for u to use the clientCert "
             "authentication method."),
        cluster("a CA beside insecure",
                "server: https://h, insecure-skip-tls-verify: true" + data,
                "...specifying a root certificates file with the insecure flag is not allowed"),
        user("the auth-provider azure was removed",
             "auth-provider: {name: azure}",
             "...The azure auth plugin has been removed"),
        user("an auth-provider of nobody",
             "auth-provider: {name: foo}",
             "...no Auth Provider found for name \"foo\""),
        user("auth-provider oidc (deviation) is an error with the way out",
             "auth-provider: {name: oidc}",
             "...use a credential plugin (users[].user.exec)"),
    };
}

const TableTests<LoadCase> k_names(names(), check_load);
const TableTests<LoadCase> k_good_users(good_users(), check_load);
const TableTests<LoadCase> k_bad_users(bad_users(), check_load);
const TableTests<LoadCase> k_sentences(sentences(), check_load);

} // namespace
