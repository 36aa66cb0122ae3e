#include "base/clock.hpp"
#include "kubeconfig/load.hpp"
#include "unit/kubeconfig/small_world.hpp"

#include <catch2/catch.hpp>

using namespace di;
using kubeconfig::Overrides;
using test::SmallWorld;

namespace {

constexpr auto k_pem = "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n";
constexpr auto k_pem_data =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCng="; // "-----BEGIN CERTIFICATE-----\nx"

std::string with(const std::string& cluster, const std::string& user) {
    return "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
           "clusters: [{name: c, cluster: {" +
           cluster + "}}]\nusers: [{name: u, user: {" + user + "}}]\n";
}

SmallWorld world_of(const std::string& cluster, const std::string& user) {
    SmallWorld world;
    world.files["/home/u/.kube/config"] = with(cluster, user);
    return world;
}

model::ClientConfig loaded(SmallWorld& world, const Overrides& flags = {}) {
    auto config = kubeconfig::load(flags, world.surroundings());
    if (!config) {
        FAIL(to_text(config.error()));
    }
    return *config;
}

constexpr auto k_service_account = "/var/run/secrets/kubernetes.io/serviceaccount/";

SmallWorld pod() {
    SmallWorld world;
    const std::string directory = k_service_account;
    world.files = {{directory + "token", " sa-token\n"},
                   {directory + "ca.crt", k_pem},
                   {directory + "namespace", "icc\n"}};
    world.environment["KUBERNETES_SERVICE_HOST"] = "fd00::1";
    world.environment["KUBERNETES_SERVICE_PORT"] = "443";
    return world;
}

} // namespace

TEST_CASE("an ordinary kubeconfig becomes a client configuration") {
    auto world = world_of("server: https://h:6443/, certificate-authority: ca", "token: t");
    world.files["/home/u/.kube/ca"] = k_pem;
    world.environment["HTTPS_PROXY"] = "p";
    world.environment["no_proxy"] = "x";
    const auto config = loaded(world);
    CHECK(config.context == "x");
    CHECK(config.server == "https://h:6443");
    CHECK(config.ns == "default");
    CHECK(config.ca_pem == k_pem);
    CHECK(config.verification == model::TlsVerification::verify);
    CHECK(config.credentials.token.reveal() == "t");
    CHECK_FALSE(config.renew);
    CHECK(config.proxy.https_proxy == "p");
    CHECK(config.proxy.no_proxy == "x");
    CHECK(config.request_timeout == Millis(0));
    CHECK(config.compression == model::Compression::allowed);
}

TEST_CASE("certificate data is decoded and must be PEM") {
    auto good = world_of(
        std::string("server: https://h, certificate-authority-data: ") + k_pem_data, "token: t");
    CHECK_THAT(loaded(good).ca_pem, Catch::StartsWith("-----BEGIN"));

    struct Case {
        std::string cluster;
        std::string cause;
    };

    const auto wanted = GENERATE(values<Case>({
        {"server: https://h, certificate-authority-data: Q0E=",
         "unable to parse bytes as PEM block"},
        {"server: https://h, certificate-authority: /missing", "No such file or directory"},
    }));
    CAPTURE(wanted.cluster);
    auto world = world_of(wanted.cluster, "token: t");
    const auto config = kubeconfig::load({}, world.surroundings());
    REQUIRE_FALSE(config);
    CHECK(config.error().kind == ErrorKind::config);
    CHECK(config.error().cause == wanted.cause);
}

TEST_CASE("I13 without a CA the system's roots are trusted, never nothing") {
    auto world = world_of("server: https://h, certificate-authority-data: ''", "token: t");
    world.files["/etc/ssl/certs/ca-certificates.crt"] = k_pem;
    CHECK(loaded(world).ca_pem.empty());
    CHECK(loaded(world).verification == model::TlsVerification::verify);
    CHECK(loaded(world).system_ca_file == "/etc/ssl/certs/ca-certificates.crt");
    world.environment["SSL_CERT_FILE"] = "/mine";
    CHECK(loaded(world).system_ca_file == "/mine");
}

TEST_CASE("C7 and R5 (deviation): a token file beats a token; it is read again, and the last good "
          "content stays") {
    auto world = world_of("server: https://h", "tokenFile: /token, token: old");
    world.files["/token"] = " first \n";
    const auto config = loaded(world);
    CHECK(config.credentials.token.reveal() == "first");
    CHECK(config.credentials.lifetime == std::chrono::seconds(60));
    REQUIRE(config.renew);
    world.files["/token"] = "second";
    CHECK(config.renew()->token.reveal() == "second");
    world.files.erase("/token");
    CHECK(config.renew()->token.reveal() == "second"); // the last good one
    CHECK(loaded(world).credentials.token.reveal() == "old");
    world.files["/token"] = " \n"; // being written
    CHECK(loaded(world).credentials.token.reveal() == "old");
}

TEST_CASE("a token file that is not there, with nothing beside it, is an error") {
    auto world = world_of("server: https://h", "tokenFile: /token");
    const auto config = kubeconfig::load({}, world.surroundings());
    REQUIRE_FALSE(config);
    CHECK(config.error().kind == ErrorKind::auth);
    CHECK(config.error().object == "/token");
}

TEST_CASE("a credential plugin runs once, and again on renewal") {
    auto world = world_of("server: https://h",
                          "exec: {command: aws, apiVersion: client.authentication.k8s.io/v1beta1}");
    world.plugin_result.out = R"({"kind":"ExecCredential",
        "apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"t1"}})";
    const auto config = loaded(world);
    CHECK(config.credentials.token.reveal() == "t1");
    CHECK(world.commands.size() == 1);
    REQUIRE(config.renew);
    CHECK(config.renew()->token.reveal() == "t1");
    CHECK(world.commands.size() == 2);
}

TEST_CASE("X8 a plugin is not run when something else proves who we are, or over plain http") {
    const std::string exec =
        "exec: {command: aws, apiVersion: client.authentication.k8s.io/v1beta1}";
    auto token = world_of("server: https://h", "token: t, " + exec);
    CHECK(loaded(token).credentials.token.reveal() == "t");
    CHECK(token.commands.empty());
    auto basic = world_of("server: https://h", "username: me, password: p, " + exec);
    CHECK(loaded(basic).credentials.username == "me");
    CHECK(basic.commands.empty());
    auto certificate =
        world_of("server: https://h", "client-certificate: /crt, client-key: /key, " + exec);
    certificate.files["/crt"] = certificate.files["/key"] = k_pem;
    CHECK(loaded(certificate).credentials.token.empty());
    CHECK(certificate.commands.empty());
    auto plain = world_of("server: http://h", exec);
    CHECK(loaded(plain).credentials.token.empty());
    CHECK(plain.commands.empty());
    auto flag = world_of("server: https://h", exec);
    Overrides flags;
    flags.token = "typed";
    CHECK(loaded(flag, flags).credentials.token.reveal() == "typed");
    CHECK(flag.commands.empty());
}

TEST_CASE("nothing secret is obtained for plain http") {
    auto world = world_of("server: http://h", "token: t, as: other");
    const auto config = loaded(world);
    CHECK(config.credentials.token.empty());
    CHECK(config.impersonation.user == "other");
}

TEST_CASE("client certificates come from files or data, with their key") {
    auto world = world_of("server: https://h", "client-certificate: crt, client-key: key");
    world.files["/home/u/.kube/crt"] = k_pem;
    world.files["/home/u/.kube/key"] = "-----BEGIN EC PRIVATE KEY-----\n";
    CHECK(loaded(world).credentials.certificate_pem == k_pem);
    CHECK_THAT(loaded(world).credentials.key_pem.reveal(), Catch::Contains("EC PRIVATE KEY"));
    world.files.erase("/home/u/.kube/key");
    CHECK(kubeconfig::load({}, world.surroundings()).error().what ==
          "unable to read client-key /home/u/.kube/key for u");
}

TEST_CASE("several contradictions are listed together") {
    auto world = world_of("server: https://h",
                          "client-certificate: a, client-certificate-data: Yg==, "
                          "as-groups: [g]");
    const auto config = kubeconfig::load({}, world.surroundings());
    REQUIRE_FALSE(config);
    CHECK(config.error().what == "Error in configuration");
    CHECK_THAT(config.error().cause,
               Catch::StartsWith("[") && Catch::Contains("both specified") &&
                   Catch::Contains("without impersonating"));
}

TEST_CASE("inside a pod the service account is used when there is no kubeconfig") {
    auto world = pod();
    const auto config = loaded(world);
    CHECK(config.server == "https://[fd00::1]:443");
    CHECK(config.credentials.token.reveal() == "sa-token");
    CHECK(config.ca_pem == k_pem);
    CHECK(config.ns == "icc");
    world.environment["POD_NAMESPACE"] = "downward";
    CHECK(loaded(world).ns == "downward");
}

TEST_CASE("inside a pod flags still count") {
    auto world = pod();
    Overrides flags;
    flags.request_timeout = "1m30s";
    flags.token = "typed";
    flags.ns = "mine";
    const auto config = loaded(world, flags);
    CHECK(config.server == "https://[fd00::1]:443");
    CHECK(config.request_timeout == std::chrono::seconds(90));
    CHECK(config.credentials.token.reveal() == "typed");
    CHECK(config.ns == "mine");
    flags.server = "https://elsewhere";
    CHECK(loaded(world, flags).server == "https://elsewhere");
}

TEST_CASE("a kubeconfig beats the service account, a missing token file means no pod") {
    auto world = pod();
    world.files["/home/u/.kube/config"] = with("server: https://h", "token: t");
    CHECK(loaded(world).server == "https://h");
    CHECK(loaded(world).ns == "icc");
    world = pod();
    world.files.erase(std::string(k_service_account) + "token");
    CHECK_FALSE(kubeconfig::load({}, world.surroundings()).ok());
}

TEST_CASE("nothing at all is an error that says where it looked") {
    SmallWorld world;
    const auto config = kubeconfig::load({}, world.surroundings());
    REQUIRE_FALSE(config);
    CHECK(config.error().kind == ErrorKind::config);
    CHECK_THAT(config.error().cause, Catch::Contains("/home/u/.kube/config"));
    world.environment["KUBERNETES_MASTER"] = "http://master:8080";
    CHECK(loaded(world).server == "http://master:8080");
}

TEST_CASE("a KUBECONFIG that names no file, or one in ~, is said so") {
    SmallWorld world;
    world.environment["KUBECONFIG"] = ":";
    CHECK_THAT(kubeconfig::load({}, world.surroundings()).error().cause,
               Catch::Contains("looked in: nothing, KUBECONFIG names no file,"));
    world.environment["KUBECONFIG"] = "/a:~/b";
    CHECK_THAT(kubeconfig::load({}, world.surroundings()).error().cause,
               Catch::Contains("looked in: /a, ~/b (no ~ is expanded in KUBECONFIG),"));
    world.environment.clear();
    CHECK_THAT(kubeconfig::load({}, world.surroundings()).error().cause,
               Catch::Contains("looked in: nothing, HOME is not set,"));
}

TEST_CASE("a cluster without a server, and no context, are said so") {
    auto world = world_of("insecure-skip-tls-verify: true", "token: t");
    CHECK_THAT(kubeconfig::load({}, world.surroundings()).error().cause,
               Catch::Contains("no server found for cluster \"c\""));
    world.files["/home/u/.kube/config"] = "clusters: [{name: c, cluster: {server: https://h}}]";
    CHECK_THAT(kubeconfig::load({}, world.surroundings()).error().cause,
               Catch::Contains("current-context is not set"));
}

TEST_CASE("request timeouts") {
    auto world = world_of("server: https://h", "token: t");

    struct Case {
        std::string text;
        int milliseconds; ///< -1: usage error
    };

    const auto wanted = GENERATE(values<Case>({{"0", 0},
                                               {"", 0},
                                               {"5", 5000},
                                               {"1m30s", 90000},
                                               {"300ms", 300},
                                               {"-1s", -1},
                                               {"soon", -1}}));
    CAPTURE(wanted.text);
    Overrides flags;
    flags.request_timeout = wanted.text;
    const auto config = kubeconfig::load(flags, world.surroundings());
    CHECK(config.ok() == (wanted.milliseconds >= 0));
    if (config) {
        CHECK(config->request_timeout == Millis(wanted.milliseconds));
    } else {
        CHECK(config.error().kind == ErrorKind::usage);
    }
}

TEST_CASE("proxy variables: upper case first, and HTTP_PROXY not in a CGI program") {
    auto world = world_of("server: https://h, proxy-url: http://own", "token: t");
    world.environment["HTTP_PROXY"] = "upper";
    world.environment["http_proxy"] = "lower";
    CHECK(loaded(world).proxy.http_proxy == "upper");
    CHECK(loaded(world).proxy.proxy_url == "http://own");
    world.environment["REQUEST_METHOD"] = "GET";
    CHECK(loaded(world).proxy.http_proxy.empty());
}

TEST_CASE("secrets do not show in errors") {
    auto world = world_of("server: https://h", "token: hidden, username: me, password: hidden");
    CHECK_THAT(to_text(kubeconfig::load({}, world.surroundings()).error()),
               !Catch::Contains("hidden"));
}
