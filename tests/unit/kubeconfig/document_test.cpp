#include "kubeconfig/document.hpp"

#include <catch2/catch.hpp>

using namespace di;
using kubeconfig::parse_config;

namespace {

kubeconfig::Config parsed(const std::string& text) {
    auto config = parse_config(text, "/dir/config");
    if (!config) {
        FAIL(to_text(config.error()));
    }
    return *config;
}

} // namespace

TEST_CASE("all fields of a kubeconfig are read, paths from its own directory") {
    const auto config = parsed(R"(
apiVersion: v1
kind: Config
current-context: here
clusters:
- name: c
  cluster:
    server: https://h:6443
    tls-server-name: other
    certificate-authority: ../pki/ca.crt
    certificate-authority-data: Q0E=
    proxy-url: socks5://p
    insecure-skip-tls-verify: true
    disable-compression: true
    extensions:
    - name: client.authentication.k8s.io/exec
      extension: {audience: foo, n: 3, on: true, list: [a, null, "1"]}
contexts:
- name: here
  context: {cluster: c, user: u, namespace: ns1}
users:
- name: u
  user:
    client-certificate: crt
    client-certificate-data: Q1JU
    client-key: /abs/key
    client-key-data: S0VZ
    token: t
    tokenFile: token
    username: me
    password: secret
    as: other
    as-uid: "7"
    as-groups: [g1, g2]
    as-user-extra: {scopes: [a, b]}
    auth-provider: {name: gcp}
    exec:
      command: ./bin/login
      args: [a, b]
      env: [{name: K, value: V}]
      apiVersion: client.authentication.k8s.io/v1
      interactiveMode: Never
      installHint: get it
      provideClusterInfo: true
)");
    CHECK(config.current_context == "here");
    const auto& cluster = config.clusters.at("c");
    CHECK(cluster.server == "https://h:6443");
    CHECK(cluster.tls_server_name == "other");
    CHECK(cluster.ca_file == "/pki/ca.crt");
    CHECK(cluster.ca_data == "Q0E=");
    CHECK(cluster.proxy_url == "socks5://p");
    CHECK(cluster.insecure);
    CHECK(cluster.disable_compression);
    CHECK(cluster.exec_extension == R"({"audience":"foo","n":3,"on":true,"list":["a",null,"1"]})");
    CHECK(config.contexts.at("here").cluster == "c");
    CHECK(config.contexts.at("here").user == "u");
    CHECK(config.contexts.at("here").ns == "ns1");
    const auto& user = config.users.at("u");
    CHECK(user.certificate_file == "/dir/crt");
    CHECK(user.key_file == "/abs/key");
    CHECK(user.key_data.reveal() == "S0VZ");
    CHECK(user.token.reveal() == "t");
    CHECK(user.token_file == "/dir/token");
    CHECK(user.username == "me");
    CHECK(user.password.reveal() == "secret");
    CHECK(user.impersonation.user == "other");
    CHECK(user.impersonation.uid == "7");
    CHECK(user.impersonation.groups == std::vector<std::string>{"g1", "g2"});
    CHECK(user.impersonation.extra.size() == 2);
    CHECK(user.auth_provider == "gcp");
    REQUIRE(user.exec);
    CHECK(user.exec->command == "/dir/bin/login");
    CHECK(user.exec->args == std::vector<std::string>{"a", "b"});
    CHECK(user.exec->env.at(0).second == "V");
    CHECK(user.exec->provide_cluster_info);
}

TEST_CASE("a plugin command without a slash stays a name") {
    const auto config = parsed("users: [{name: u, user: {exec: {command: aws}}}]");
    CHECK(config.users.at("u").exec->command == "aws");
}

TEST_CASE("lists and mappings are told apart, with file, line and column") {
    struct Case {
        std::string text;
        std::string cause; ///< part of it
    };

    const auto wanted = GENERATE(values<Case>({
        {"clusters: {a: b}", "line 1, column 11: clusters: cannot unmarshal object into a list"},
        {"contexts: [{name: c, context: {namespace: 1.5}}]", "cannot unmarshal number"},
        {"contexts: [{name: c, context: {namespace: [a]}}]", "cannot unmarshal array"},
        {"users: [{name: u, user: {as-groups: g}}]", "cannot unmarshal string into a list"},
    }));
    CAPTURE(wanted.text);
    const auto config = parse_config(wanted.text, "/dir/config");
    REQUIRE_FALSE(config);
    CHECK(config.error().kind == ErrorKind::config);
    CHECK(config.error().what == "error loading config file \"/dir/config\"");
    CHECK_THAT(config.error().cause, Catch::Contains(wanted.cause));
}

TEST_CASE("KP21 a merge key overrides the keys in front of it, as in Go's reader of YAML 1.1") {
    const auto token_of = [](const std::string& user) {
        const auto config = kubeconfig::parse_config(
            "base: &b {token: base}\nusers: [{name: u, user: {" + user + "}}]", "/f");
        REQUIRE(config);
        return config->users.at("u").token.reveal();
    };
    CHECK(token_of("token: own, <<: *b") == "base");
    CHECK(token_of("<<: *b, token: own") == "own");
    CHECK(token_of("token: own, <<: {username: me}") == "own");
}

TEST_CASE("a mapping that merges itself, and endless nesting, end") {
    CHECK(parse_config("clusters: [{name: c, cluster: &a {<<: *a}}]", "f").ok());
    CHECK_FALSE(parse_config(std::string(20'000, '['), "f").ok());
    const std::string cyclic = "clusters: [{name: c, cluster: {extensions: [{name: "
                               "client.authentication.k8s.io/exec, extension: &a {x: *a}}]}}]";
    CHECK(parse_config(cyclic, "f").ok());
}

TEST_CASE("aliases that stand for an endless text end, and are named") {
    const auto config = [](const std::string& cluster) {
        return parse_config("clusters: [{name: c, cluster: " + cluster + "}]", "f");
    };
    CHECK(config("&a {<<: [*a, *a, *a]}").ok());
    const auto twice = config("{extensions: [{name: client.authentication.k8s.io/exec, "
                              "extension: &a [*a, *a, *a]}]}");
    REQUIRE_FALSE(twice);
    CHECK_THAT(twice.error().cause, Catch::Contains("too large"));
}

TEST_CASE("I23 and KP1 (deviation): a file of several documents is warned about, by its path") {
    const auto config = parsed("---\ncurrent-context: a\n---\ncurrent-context: b\n");
    CHECK(config.current_context == "a");
    REQUIRE(config.warnings.size() == 1);
    CHECK_THAT(config.warnings.front(), Catch::Contains("/dir/config"));
    CHECK(parsed("# one\n---\ncurrent-context: a\n").warnings.empty());
}
