// client-go's own cases of tools/clientcmd/client_config_test.go and overrides_test.go as our C and
// O cases, and those of rest/url_utils_test.go that are about a kubeconfig's server (R1).
#include "unit/kubeconfig/kubeconfig_cases.hpp"

using namespace di;
using namespace di::test;

namespace {

const std::string k_data_user =
    "client-certificate-data: " + k_pem_data + ", client-key-data: " + k_pem_data;

template<class Set>
LoadCase
flagged(const std::string& name, const std::string& config, Set set, const std::string& wanted) {
    return {name, world_of(config), wanted, with_flags(set)};
}

LoadCase plain(const std::string& name, const std::string& config, const std::string& wanted) {
    return {name, world_of(config), wanted};
}

std::vector<LoadCase> clusters() {
    const auto https = kubeconfig_of("server: https://h");
    const auto named = kubeconfig_of("server: https://h, tls-server-name: inner");
    const auto with_data =
        kubeconfig_of("server: https://h, certificate-authority-data: " + k_pem_data);
    const std::string h = "https://h token t ns default";
    const auto proxied = [](const std::string& url) {
        return kubeconfig_of("server: https://h, proxy-url: '" + url + "'");
    };
    return {
        flagged(
            "C1 compression off by flag",
            https,
            [](auto& flags) { flags.disable_compression = true; },
            h + " uncompressed"),
        flagged(
            "C1 a TLS name by flag",
            named,
            [](auto& flags) { flags.tls_server_name = "outer"; },
            h + " name outer"),
        flagged(
            "C1 another server by flag does not keep the TLS name",
            named,
            [](auto& flags) { flags.server = "https://other"; },
            "https://other token t ns default"),
        flagged(
            "another server by flag, with a TLS name of its own",
            named,
            [](auto& flags) {
                flags.server = "https://other";
                flags.tls_server_name = "outer";
            },
            "https://other token t ns default name outer"),
        flagged(
            "C2 insecure by flag clears the CA",
            with_data,
            [](auto& flags) { flags.insecure_skip_tls_verify = true; },
            h + " insecure"),
        flagged(
            "C2 a CA file by flag replaces data",
            with_data,
            [](auto& flags) { flags.certificate_authority = "ca"; },
            h + " ca"),
        flagged(
            "C2 a CA file by flag takes insecure back",
            kubeconfig_of("server: https://h, insecure-skip-tls-verify: true"),
            [](auto& flags) { flags.certificate_authority = "ca"; },
            h + " ca"),
        plain("C6 no proxy-url", https, h),
        plain(
            "C6 a SOCKS proxy", proxied("socks5://example.com"), h + " proxy socks5://example.com"),
        plain(
            "C6 an HTTPS proxy", proxied("https://example.com"), h + " proxy https://example.com"),
        plain("C6 an HTTP proxy", proxied("http://example.com"), h + " proxy http://example.com"),
        plain("C6 a proxy of an unknown scheme",
              proxied("socks6://example.com"),
              "...invalid 'proxy-url' for cluster \"c\": unsupported scheme \"socks6\""),
        plain("C6 a proxy without a scheme", proxied("example.com"), "...unsupported scheme \"\""),
        plain("C6 a proxy with a user but no scheme",
              proxied("chewbacca@example.com"),
              "...unsupported scheme \"\""),
    };
}

std::vector<LoadCase> servers() {
    struct Row {
        std::string server;
        std::string url; ///< "..." in front: part of the error
    };

    const std::vector<Row> rows{
        {"https://anything.com:8080/foo/bar", "https://anything.com:8080/foo/bar"},
        {"https://anything.com:8080/foo/bar/", "https://anything.com:8080/foo/bar"},
        {"https://anything.com:8080/", "https://anything.com:8080"},
        {"https://anything.com:8080//", "https://anything.com:8080"},
        {"anything.com:8080/foo/bar", "...host must be a URL or a host:port pair"},
        {"anything.com:8080", "http://anything.com:8080"},
        {"anything.com", "http://anything.com"},
        {"anything", "http://anything"},
        {"https://h/p?x=1", "https://h/p"},
        {"https://h/p#f", "https://h/p"},
        {"https://[::1]:6443", "https://[::1]:6443"},
    };
    std::vector<LoadCase> table;
    for (const auto& row : rows) {
        const auto secret = row.url.compare(0, 5, "https") == 0 ? " token t" : "";
        const auto wanted = row.url.front() == '.' ? row.url : row.url + secret + " ns default";
        table.push_back(plain(
            "C8 the server " + row.server, kubeconfig_of("server: '" + row.server + "'"), wanted));
    }
    const std::vector<Row> simple{{"127.0.0.1", "http://127.0.0.1"},
                                  {"127.0.0.1:8080", "http://127.0.0.1:8080"},
                                  {"foo.bar.com", "http://foo.bar.com"},
                                  {"http://host/prefix", "http://host/prefix"},
                                  {"host/server", "...host must be a URL"}};
    for (const auto& row : simple) {
        const auto wanted = row.url.front() == '.' ? row.url : row.url + " ns default";
        table.push_back(plain(
            "R1 the server " + row.server, kubeconfig_of("server: '" + row.server + "'"), wanted));
    }
    return table;
}

std::vector<LoadCase> users() {
    const auto with = [](const std::string& user) {
        return kubeconfig_of("server: https://h", user);
    };
    const auto set_files = [](auto& flags) {
        flags.client_certificate = "crt";
        flags.client_key = "key";
    };
    const auto impersonated =
        with("token: t, as: o, as-uid: '7', as-groups: [g, h], as-user-extra: {k: [v, w]}");
    const std::string who =
        "https://h token t as o uid 7 groups g,h extra k=v extra k=w ns default";
    return {
        plain("C3 an impersonated user with uid, groups and extra", impersonated, who),
        flagged(
            "C4 a namespace by flag",
            with("token: t"),
            [](auto& flags) { flags.ns = "mine"; },
            "https://h token t ns mine"),
        plain("C4 no namespace is default", with("token: t"), "https://h token t ns default"),
        plain("C5 certificate and key as data",
              with(k_data_user),
              "https://h certificate ns default"),
        plain("C5 name and password",
              with("username: me, password: p"),
              "https://h basic me ns default"),
        plain("C9 (deviation) no server is an error, not localhost:8080",
              "current-context: x\ncontexts: [{name: x, context: {user: u}}]\n"
              "users: [{name: u, user: {token: t}}]",
              "...cluster was not specified for context \"x\""),
        plain("C10 the current context is not there",
              "current-context: not-present",
              "...context was not found for specified context: not-present"),
        flagged(
            "C10 a context of a flag that is not there",
            with("token: t"),
            [](auto& flags) { flags.context = "not-present"; },
            "...context \"not-present\" does not exist"),
        flagged(
            "C13 a namespace by flag without any configuration but a server",
            "",
            [](auto& flags) {
                flags.ns = "mine";
                flags.server = "https://h";
            },
            "https://h ns mine"),
        flagged("C15 (deviation) certificate files by flag replace data",
                with(k_data_user),
                set_files,
                "https://h certificate ns default"),
        flagged("C15 (deviation) certificate files by flag replace files",
                with("client-certificate: gone, client-key: away"),
                set_files,
                "https://h certificate ns default"),
        flagged(
            "C16 texts of flags replace texts, groups replace groups",
            impersonated,
            [](auto& flags) {
                flags.as = "p";
                flags.as_groups = {"i"};
            },
            "https://h token t as p uid 7 groups i extra k=v extra k=w ns default"),
        flagged(
            "C16 extras are merged by key",
            with("token: t, as: o, as-user-extra: {k: [v], l: [w]}"),
            [](auto& flags) { flags.as_user_extra = {"k=x"}; },
            "https://h token t as o extra l=w extra k=x ns default"),
        flagged(
            "C16 an empty flag replaces nothing",
            impersonated,
            [](auto& flags) {
                flags.as = flags.as_uid = flags.token = flags.user = flags.cluster = "";
                flags.context = flags.ns = flags.server = flags.tls_server_name = "";
                flags.certificate_authority = flags.client_key = flags.proxy_url = "";
            },
            who),
    };
}

struct PrefixCase {
    std::string name;
    std::string text;
    std::string ns;
};

std::vector<PrefixCase> prefixes() {
    std::vector<PrefixCase> table;
    for (const auto* text : {"namespaces/foo",
                             "NAMESPACES/foo",
                             "namespace/foo",
                             "nameSpace/foo",
                             "ns/foo",
                             "NS/foo"}) {
        table.push_back({std::string("O1 the namespace ") + text, text, "foo"});
    }
    for (const auto* text : {"namespaces/", "namespace/", "ns/"}) {
        table.push_back({std::string("O1 the prefix alone ") + text, text, text});
    }
    return table;
}

void check_prefix(const PrefixCase& wanted) {
    auto world = world_of(kubeconfig_of("server: https://h"));
    const auto flags = with_flags([&](auto& set) { set.ns = wanted.text; });
    CHECK(summary(kubeconfig::load(flags, world.surroundings())) ==
          "https://h token t ns " + wanted.ns);
}

const TableTests<LoadCase> k_clusters(clusters(), check_load);
const TableTests<LoadCase> k_servers(servers(), check_load);
const TableTests<LoadCase> k_users(users(), check_load);
const TableTests<PrefixCase> k_prefixes(prefixes(), check_prefix);

} // namespace

TEST_CASE("C14 a plugin that asks for it gets the cluster's extension as it stands") {
    auto world = world_of(kubeconfig_of(
        "server: https://h, extensions: [{name: client.authentication.k8s.io/exec, "
        "extension: {audience: foo, other: bar}}]",
        "exec: {command: login, args: [a, b], apiVersion: client.authentication.k8s.io/v1, "
        "interactiveMode: Never, provideClusterInfo: true}"));
    world.plugin_result.out = R"({"kind":"ExecCredential","apiVersion":)"
                              R"("client.authentication.k8s.io/v1","status":{"token":"t"}})";
    REQUIRE(kubeconfig::load({}, world.surroundings()));
    REQUIRE(world.commands.size() == 1);
    CHECK(world.commands.front().argv == std::vector<std::string>{"login", "a", "b"});
    CHECK_THAT(world.commands.front().env.back().second,
               Catch::Contains(R"("config":{"audience":"foo","other":"bar"})"));
}
