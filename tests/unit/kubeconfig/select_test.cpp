#include "kubeconfig/select.hpp"
#include "kubeconfig/validate.hpp"

#include <catch2/catch.hpp>

using namespace di;
using kubeconfig::Overrides;

namespace {

kubeconfig::Config config() {
    kubeconfig::Config made;
    made.clusters["c"].server = "https://c:6443";
    made.clusters["c"].tls_server_name = "inner";
    made.clusters["c"].ca_data = "Q0E=";
    made.clusters["d"].server = "https://d";
    made.users["u"].token = model::Secret("t");
    made.users["u"].token_file = "/token";
    made.users["v"].certificate_data = "Q1JU";
    made.users["v"].key_data = model::Secret("S0VZ");
    made.contexts["one"] = {"c", "u", "ns1"};
    made.contexts["two"] = {"d", "v", ""};
    made.contexts["lost-cluster"] = {"garbage", "u", ""};
    made.contexts["lost-user"] = {"c", "garbage", ""};
    made.current_context = "one";
    return made;
}

kubeconfig::Selection select(const Overrides& flags) {
    auto selection = kubeconfig::select(config(), flags, "/srv");
    if (!selection) {
        FAIL(to_text(selection.error()));
    }
    return *selection;
}

} // namespace

TEST_CASE("the current context is selected, and flags select others") {
    auto selection = select({});
    CHECK(selection.context == "one");
    CHECK(selection.cluster.server == "https://c:6443");
    CHECK(selection.user.token.reveal() == "t");
    CHECK(selection.ns == "ns1");
    Overrides flags;
    flags.context = "two";
    flags.user = "u";
    flags.ns = "Namespaces/mine";
    selection = select(flags);
    CHECK(selection.cluster.server == "https://d");
    CHECK(selection.user.token.reveal() == "t");
    CHECK(selection.ns == "mine");
}

TEST_CASE("names that lead nowhere are errors with kubectl's words") {
    struct Case {
        std::optional<std::string> context;
        std::optional<std::string> cluster;
        std::optional<std::string> user;
        std::string what;
    };

    const auto wanted = GENERATE(values<Case>({
        {"nope", {}, {}, "context \"nope\" does not exist"},
        {{}, "nope", {}, "no server found for cluster \"nope\""},
        {{}, {}, "nope", "auth info \"nope\" does not exist"},
        {"lost-cluster", {}, {}, "cluster \"garbage\" was not found for context \"lost-cluster\""},
        {"lost-user", {}, {}, "user \"garbage\" was not found for context \"lost-user\""},
    }));
    Overrides flags;
    flags.context = wanted.context;
    flags.cluster = wanted.cluster;
    flags.user = wanted.user;
    const auto selection = kubeconfig::select(config(), flags, "/srv");
    REQUIRE_FALSE(selection);
    CHECK(selection.error().kind == ErrorKind::config);
    CHECK(selection.error().what == wanted.what);
    CHECK_FALSE(selection.error().hint.empty());
}

TEST_CASE("a current-context that is not there is said so") {
    auto broken = config();
    broken.current_context = "gone";
    CHECK(kubeconfig::select(broken, {}, "/srv").error().what ==
          "context was not found for specified context: gone");
}

TEST_CASE("the flag --server takes its own TLS name") {
    Overrides flags;
    flags.server = "https://elsewhere";
    CHECK(select(flags).cluster.tls_server_name.empty());
    flags.tls_server_name = "given";
    CHECK(select(flags).cluster.tls_server_name == "given");
}

TEST_CASE("certificate flags replace what they contradict") {
    Overrides flags;
    flags.insecure_skip_tls_verify = true;
    CHECK(select(flags).cluster.insecure);
    CHECK(select(flags).cluster.ca_data.empty());
    flags = {};
    flags.certificate_authority = "pki/ca";
    CHECK(select(flags).cluster.ca_file == "/srv/pki/ca");
    CHECK(select(flags).cluster.ca_data.empty());
    flags = {};
    flags.context = "two";
    flags.client_certificate = "crt";
    flags.client_key = "/key";
    CHECK(select(flags).user.certificate_file == "/srv/crt");
    CHECK(select(flags).user.certificate_data.empty());
    CHECK(select(flags).user.key_data.empty());
}

TEST_CASE("the flag --token beats everything else that would authenticate") {
    auto rich = config();
    rich.users["u"].exec.emplace();
    rich.users["u"].username = "me";
    Overrides flags;
    flags.token = "typed";
    const auto selection = kubeconfig::select(rich, flags, "/srv");
    REQUIRE(selection);
    CHECK(selection->user.token.reveal() == "typed");
    CHECK(selection->user.token_file.empty());
    CHECK(selection->user.username.empty());
    CHECK_FALSE(selection->user.exec);
}

TEST_CASE("impersonation flags, and a malformed one") {
    Overrides flags;
    flags.as = "other";
    flags.as_uid = "7";
    flags.as_groups = {"g"};
    flags.as_user_extra = {"k=v", "k=w=x"};
    const auto who = select(flags).user.impersonation;
    CHECK(who.user == "other");
    CHECK(who.uid == "7");
    CHECK(who.groups == std::vector<std::string>{"g"});
    CHECK(who.extra.at(1) == std::pair<std::string, std::string>("k", "w=x"));
    flags.as_user_extra = {"novalue"};
    CHECK(kubeconfig::select(config(), flags, "/").error().kind == ErrorKind::usage);
}

TEST_CASE("namespace prefixes are stripped only when something follows") {
    for (const auto* text : {"namespaces/foo",
                             "NAMESPACES/foo",
                             "namespace/foo",
                             "nameSpace/foo",
                             "ns/foo",
                             "NS/foo",
                             "foo"}) {
        CHECK(kubeconfig::strip_namespace_prefix(text) == "foo");
    }
    for (const std::string text : {"namespaces/", "namespace/", "ns/"}) {
        CHECK(kubeconfig::strip_namespace_prefix(text) == text);
    }
}

TEST_CASE("servers without a scheme get one, others are kept without their ends") {
    struct Case {
        std::string server;
        bool tls;
        std::string url; ///< "" means an error
    };

    const auto wanted = GENERATE(values<Case>({
        {"https://anything.com:8080/foo/bar", false, "https://anything.com:8080/foo/bar"},
        {"https://anything.com:8080/foo/bar/", false, "https://anything.com:8080/foo/bar"},
        {"http://anything.com:8080//", true, "http://anything.com:8080"},
        {"https://h?x=1", false, "https://h"},
        {"https://h/p#f", false, "https://h/p"},
        {"anything.com:8080", false, "http://anything.com:8080"},
        {"anything.com:8080", true, "https://anything.com:8080"},
        {"127.0.0.1", false, "http://127.0.0.1"},
        {"host/server", false, ""},
        {"", false, ""},
    }));
    CAPTURE(wanted.server);
    kubeconfig::Selection selection;
    selection.cluster.insecure = wanted.tls;
    const auto url = kubeconfig::complete_server(wanted.server, selection);
    CHECK(url.ok() == !wanted.url.empty());
    CHECK((url ? *url : "") == wanted.url);
}

TEST_CASE("contradictions are found, all of them at once") {
    const auto problems = [](auto change) {
        kubeconfig::Selection selection;
        selection.cluster_name = "c";
        selection.user_name = "u";
        selection.user.exec.emplace();
        selection.user.exec->command = "aws";
        selection.user.exec->api_version = "client.authentication.k8s.io/v1beta1";
        change(selection.cluster, selection.user);
        const auto found = kubeconfig::find_contradictions(selection);
        std::string text;
        for (const auto& problem : found) {
            text += problem + '\n';
        }
        return text;
    };
    using kubeconfig::Cluster;
    using kubeconfig::User;

    struct Case {
        std::string part;
        void (*change)(Cluster&, User&);
    };

    const std::vector<Case> table{
        {"certificate-authority-data and certificate-authority are both specified for c.",
         [](Cluster& c, User&) { c.ca_data = c.ca_file = "x"; }},
        {"root certificates file with the insecure flag",
         [](Cluster& c, User&) { c.insecure = !(c.ca_file = "x").empty(); }},
        {"unsupported scheme \"ftp\"", [](Cluster& c, User&) { c.proxy_url = "ftp://u:p@x"; }},
        {"unsupported scheme \"\"", [](Cluster& c, User&) { c.proxy_url = "example.com"; }},
        {"client-cert-data and client-cert are both specified for u.",
         [](Cluster&, User& u) { u.certificate_data = u.certificate_file = "x"; }},
        {"client-key-data and client-key are both specified for u.",
         [](Cluster&, User& u) { u.key_file = (u.key_data = model::Secret("x")).reveal(); }},
        {"client-key-data or client-key must be specified for u",
         [](Cluster&, User& u) { u.certificate_file = "x"; }},
        {"found [token basicAuth]",
         [](Cluster&, User& u) { u.username = (u.token = model::Secret("x")).reveal(); }},
        {"without impersonating a user", [](Cluster&, User& u) { u.impersonation.groups = {"g"}; }},
        {"command must be specified for u", [](Cluster&, User& u) { u.exec->command.clear(); }},
        {"apiVersion must be specified", [](Cluster&, User& u) { u.exec->api_version.clear(); }},
        {"interactiveMode must be specified",
         [](Cluster&, User& u) { u.exec->api_version = "client.authentication.k8s.io/v1"; }},
        {"invalid interactiveMode for u: \"Maybe\"",
         [](Cluster&, User& u) { u.exec->interactive_mode = "Maybe"; }},
        {"env variable name must be specified",
         [](Cluster&, User& u) {
             u.exec->env = {{"", "v"}};
         }},
        {"in combination with an exec plugin for u",
         [](Cluster&, User& u) { u.auth_provider = "oidc"; }},
        {"gke-gcloud-auth-plugin",
         [](Cluster&, User& u) { u.exec.reset(), u.auth_provider = "gcp"; }},
        {"kubelogin", [](Cluster&, User& u) { u.exec.reset(), u.auth_provider = "azure"; }},
        {"no Auth Provider found for name \"foo\"",
         [](Cluster&, User& u) { u.exec.reset(), u.auth_provider = "foo"; }},
    };
    for (const auto& wanted : table) {
        CAPTURE(wanted.part);
        CHECK_THAT(problems(wanted.change), Catch::Contains(wanted.part));
        CHECK_THAT(problems(wanted.change), !Catch::Contains("u:p"));
    }
    CHECK(problems([](Cluster& c, User&) { c.proxy_url = "SOCKS5://p"; }).empty());
}
