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

TEST_CASE("texts that mean nothing are empty configurations") {
    const auto text = GENERATE(as<std::string>(),
                               "",
                               " \n\n",
                               "# nothing\n",
                               "---\n",
                               "kind: Config\napiVersion: v1\n",
                               "clusters: null\nusers: null\ncontexts: ~\n",
                               "Clusters: [{name: x}]\nunknown: {a: [1]}\n",
                               "{}");
    CAPTURE(text);
    CHECK(parsed(text).empty());
}

TEST_CASE("YAML is read with Go's eyes") {
    struct Case {
        std::string name;
        std::string text;
        std::string server;
        bool insecure;
    };

    const auto wanted = GENERATE(values<Case>({
        {"byte order mark",
         "\xEF\xBB\xBF"
         "clusters: [{name: c, cluster: {server: s}}]",
         "s",
         false},
        {"CR LF", "clusters:\r\n- name: c\r\n  cluster:\r\n    server: s\r\n", "s", false},
        {"JSON", R"({"clusters":[{"name":"c","cluster":{"server":"s"}}]})", "s", false},
        {"JSON with tabs",
         "{\t\"clusters\":\t[{\"name\":\"c\",\"cluster\":{\"server\":\"s\"}}]}",
         "s",
         false},
        {"JSON escapes",
         R"({"clusters":[{"name":"c","cluster":{"server":"\ud83d\ude00\u0041\\u"}}]})",
         "\xF0\x9F\x98\x80"
         "A\\u",
         false},
        {"last duplicate key wins",
         "clusters: [{name: c, cluster: {server: a, server: s}}]",
         "s",
         false},
        {"merge key, explicit wins",
         "x: &b {server: base, insecure-skip-tls-verify: true}\n"
         "clusters: [{name: c, cluster: {<<: *b, server: s}}]",
         "s",
         true},
        {"merge list, first wins",
         "x: &a {server: s}\ny: &b {server: t, insecure-skip-tls-verify: true}\n"
         "clusters: [{name: c, cluster: {<<: [*a, *b]}}]",
         "s",
         true},
        {"alias", "x: &b {server: s}\nclusters: [{name: c, cluster: *b}]", "s", false},
        {"boolean yes",
         "clusters: [{name: c, cluster: {insecure-skip-tls-verify: yes}}]",
         "",
         true},
        {"boolean y", "clusters: [{name: c, cluster: {insecure-skip-tls-verify: y}}]", "", true},
        {"boolean Off",
         "clusters: [{name: c, cluster: {insecure-skip-tls-verify: Off}}]",
         "",
         false},
        {"quoted number", "clusters: [{name: c, cluster: {server: '6443'}}]", "6443", false},
        {"null text", "clusters: [{name: c, cluster: {server: ~}}]", "", false},
        {"binary", "clusters: [{name: c, cluster: {server: !!binary cw==}}]", "s", false},
        {"block scalar", "clusters:\n- name: c\n  cluster:\n    server: |-\n      s\n", "s", false},
    }));
    CAPTURE(wanted.name);
    const auto config = parsed(wanted.text);
    CHECK(config.clusters.at("c").server == wanted.server);
    CHECK(config.clusters.at("c").insecure == wanted.insecure);
}

TEST_CASE("what kubectl refuses is refused, with file, line and column") {
    struct Case {
        std::string text;
        std::string cause; ///< part of it
    };

    const auto wanted = GENERATE(values<Case>({
        {"clusters: [", "yaml: line 1"},
        {"a: b\n  c: d\n", "yaml: line 2, column"},
        {"just text", "couldn't get version/kind"},
        {"[1, 2]", "couldn't get version/kind"},
        {"kind: Pod\napiVersion: v1", "line 1, column 7: kind: no kind \"Pod\" is registered"},
        {"apiVersion: v2", "version \"v2\""},
        {"clusters: {a: b}", "line 1, column 11: clusters: cannot unmarshal object into a list"},
        {"clusters: [{name: c}, {name: c}]", "duplicate name \"c\" in list"},
        {"users: [{name: c}, {name: c}]", "duplicate name \"c\" in list"},
        {"contexts: [{name: c}, {name: c}]", "duplicate name \"c\" in list"},
        {"contexts:\n- name: 7\n", "line 2, column 9: contexts[0].name: cannot unmarshal number"},
        {"contexts: [{name: true}]", "cannot unmarshal bool into a field of type string"},
        {"contexts: [{name: c, context: {namespace: 0x10}}]", "cannot unmarshal number"},
        {"contexts: [{name: c, context: {namespace: 1.5}}]", "cannot unmarshal number"},
        {"contexts: [{name: c, context: {namespace: [a]}}]", "cannot unmarshal array"},
        {"users: [{name: u, user: {token: 12345}}]",
         "users[0].user.token: cannot unmarshal number"},
        {"clusters: [{name: c, cluster: {insecure-skip-tls-verify: \"true\"}}]",
         "cannot unmarshal string into a field of type bool"},
        {"clusters: [{name: c, cluster: {insecure-skip-tls-verify: 1}}]",
         "cannot unmarshal number into a field of type bool"},
        {"clusters: [{name: c, cluster: text}]", "cannot unmarshal string into a mapping"},
        {"users: [{name: u, user: {as-groups: g}}]", "cannot unmarshal string into a list"},
    }));
    CAPTURE(wanted.text);
    const auto config = parse_config(wanted.text, "/dir/config");
    REQUIRE_FALSE(config);
    CHECK(config.error().kind == ErrorKind::config);
    CHECK(config.error().what == "error loading config file \"/dir/config\"");
    CHECK_THAT(config.error().cause, Catch::Contains(wanted.cause));
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

TEST_CASE("of several documents the first is used, with a warning") {
    const auto config = parsed("---\ncurrent-context: a\n---\ncurrent-context: b\n");
    CHECK(config.current_context == "a");
    REQUIRE(config.warnings.size() == 1);
    CHECK_THAT(config.warnings.front(), Catch::Contains("/dir/config"));
    CHECK(parsed("# one\n---\ncurrent-context: a\n").warnings.empty());
}
