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

TEST_CASE("R1 a server without a scheme is http, whatever is set for TLS") {
    CHECK(*kubeconfig::complete_server("anything.com:8080") == "http://anything.com:8080");
    auto flags = Overrides();
    flags.server = "anything.com:8080"; // as in `kubectl -s localhost:8001` through `kubectl proxy`
    flags.context = "two";
    CHECK_FALSE(select(flags).user.certificate_data.empty());
    CHECK(*kubeconfig::complete_server(select(flags).cluster.server) == "http://anything.com:8080");
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
