#include "kubeconfig/exec_plugin.hpp"
#include "unit/kubeconfig/small_world.hpp"

#include <catch2/catch.hpp>

using namespace di;
using kubeconfig::CommandResult;
using test::SmallWorld;

namespace {

constexpr auto k_v1 = "client.authentication.k8s.io/v1";
constexpr auto k_v1beta1 = "client.authentication.k8s.io/v1beta1";

kubeconfig::ExecPlugin plugin() {
    kubeconfig::ExecPlugin made;
    made.command = "aws";
    made.args = {"eks", "get-token"};
    made.env = {{"AWS_PROFILE", "p"}};
    made.api_version = k_v1;
    made.interactive_mode = "Never";
    made.install_hint = "Install it:\n  get aws\x1b[1m\n";
    return made;
}

std::string credential(const std::string& status, const std::string& version = k_v1) {
    return R"({"kind":"ExecCredential","apiVersion":")" + version + R"(","status":)" + status + "}";
}

Result<model::Credentials> parse(const std::string& text) {
    return kubeconfig::parse_exec_credential(
        text, k_v1, std::chrono::system_clock::from_time_t(1'136'214'245)); // 2006-01-02T15:04:05Z
}

} // namespace

TEST_CASE(
    "I20 a plugin gets its arguments and KUBERNETES_EXEC_INFO, and our stdin only on a terminal") {
    SmallWorld world;
    world.plugin_result.out = credential(R"({"token":"t"})");
    const auto credentials = kubeconfig::run_plugin(plugin(), {}, world.surroundings());
    REQUIRE(credentials);
    CHECK(credentials->token.reveal() == "t");
    CHECK_FALSE(credentials->lifetime);
    REQUIRE(world.commands.size() == 1);
    const auto& command = world.commands.front();
    CHECK(command.argv == std::vector<std::string>{"aws", "eks", "get-token"});
    CHECK(command.input == kubeconfig::Stdin::none);
    CHECK(command.env.front() == std::pair<std::string, std::string>("AWS_PROFILE", "p"));
    CHECK(command.env.back().first == "KUBERNETES_EXEC_INFO");
    CHECK(command.env.back().second ==
          R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
          R"("spec":{"interactive":false}})");
}

TEST_CASE("X5 the cluster is described when the plugin asks for it, and not otherwise") {
    auto asks = plugin();
    asks.provide_cluster_info = true;
    kubeconfig::ClusterInfo info;
    info.cluster.server = "https://h";
    info.cluster.tls_server_name = "na\"me";
    info.cluster.insecure = true;
    info.cluster.proxy_url = "http://p";
    info.cluster.disable_compression = true;
    info.cluster.exec_extension = R"({"audience":"foo"})";
    info.ca_pem = "CA";
    CHECK(
        kubeconfig::make_exec_info(asks, info, kubeconfig::Stdin::inherited) ==
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{)"
        R"("cluster":{"server":"https://h","tls-server-name":"na\"me",)"
        R"("insecure-skip-tls-verify":true,"certificate-authority-data":"Q0E=",)"
        R"("proxy-url":"http://p","disable-compression":true,"config":{"audience":"foo"}},"interactive":true}})");
    info = {};
    CHECK_THAT(kubeconfig::make_exec_info(asks, info, kubeconfig::Stdin::none),
               Catch::Contains(R"("config":null)"));
    CHECK_THAT(kubeconfig::make_exec_info(plugin(), info, kubeconfig::Stdin::none),
               !Catch::Contains("cluster"));
}

TEST_CASE("X2 stdin goes to a plugin only when it may ask and somebody can answer") {
    struct Case {
        std::string mode;
        bool terminal;
        bool ok;
        kubeconfig::Stdin input;
    };

    using kubeconfig::Stdin;
    const auto wanted = GENERATE(values<Case>({
        {"Never", true, true, Stdin::none},
        {"Never", false, true, Stdin::none},
        {"IfAvailable", true, true, Stdin::inherited},
        {"IfAvailable", false, true, Stdin::none},
        {"", true, true, Stdin::inherited}, // v1beta1's default
        {"Always", true, true, Stdin::inherited},
        {"Always", false, false, Stdin::none},
    }));
    CAPTURE(wanted.mode, wanted.terminal);
    SmallWorld world;
    world.terminal = wanted.terminal;
    world.plugin_result.out = credential(R"({"token":"t"})");
    auto asks = plugin();
    asks.interactive_mode = wanted.mode;
    const auto credentials = kubeconfig::run_plugin(asks, {}, world.surroundings());
    CHECK(credentials.ok() == wanted.ok);
    if (wanted.ok) {
        CHECK(world.commands.at(0).input == wanted.input);
    } else {
        CHECK_THAT(credentials.error().cause, Catch::Contains("not a terminal"));
    }
}

TEST_CASE("X4 a plugin that fails is an error with its exit code or its install hint") {
    using Outcome = CommandResult::Outcome;

    struct Case {
        Outcome outcome;
        int code;
        std::string cause;
    };

    const auto wanted = GENERATE(values<Case>({
        {Outcome::not_found, 0, "exec: executable aws not found"},
        {Outcome::exited, 73, "exec: executable aws failed with exit code 73"},
        {Outcome::killed, 0, "exec: executable aws failed: killed: Killed"},
        {Outcome::endless_output, 0, "exec: executable aws printed too much"},
    }));
    SmallWorld world;
    world.plugin_result = {wanted.outcome, wanted.code, "", "killed: Killed"};
    const auto credentials = kubeconfig::run_plugin(plugin(), {}, world.surroundings());
    REQUIRE_FALSE(credentials);
    CHECK(credentials.error().kind == ErrorKind::auth);
    CHECK(credentials.error().what == "getting credentials");
    CHECK(credentials.error().cause == wanted.cause);
    if (wanted.outcome == Outcome::not_found) {
        CHECK(credentials.error().hint == "Install it: get aws\\x1b[1m"); // C11, see below
    }
}

TEST_CASE("C11 (deviation) an install hint becomes one line, its control characters visible") {
    SmallWorld world;
    world.plugin_result.outcome = CommandResult::Outcome::not_found;
    const auto hint_of = [&](const std::string& text) {
        auto missing = plugin();
        missing.install_hint = text;
        return kubeconfig::run_plugin(missing, {}, world.surroundings()).error().hint;
    };
    CHECK(hint_of("\x1b[1mA\x1b[2AB\x1b[2JC") == "\\x1b[1mA\\x1b[2AB\\x1b[2JC");
    CHECK(hint_of("get it:\n  brew install aws\r\n") == "get it: brew install aws");
    CHECK(hint_of("\xC3\xA9 \xE2\x88\x9A $ + \xE2\x98\x83") ==
          "\xC3\xA9 \xE2\x88\x9A $ + \xE2\x98\x83");
}

TEST_CASE("I19 an API version that nobody speaks any more is refused before anything runs") {
    SmallWorld world;
    auto old = plugin();
    old.api_version = "client.authentication.k8s.io/v1alpha1";
    const auto credentials = kubeconfig::run_plugin(old, {}, world.surroundings());
    REQUIRE_FALSE(credentials);
    CHECK_THAT(credentials.error().cause,
               Catch::Contains("invalid apiVersion \"client.authentication.k8s.io/v1alpha1\""));
    CHECK(world.commands.empty());
}

TEST_CASE("X1 a token, or a certificate and its key, are read from JSON and from YAML") {
    const auto certificate = parse(
        credential(R"({"clientCertificateData":"-----BEGIN C","clientKeyData":"-----BEGIN K"})"));
    REQUIRE(certificate);
    CHECK(certificate->certificate_pem == "-----BEGIN C");
    CHECK(certificate->key_pem.reveal() == "-----BEGIN K");
    const auto yaml = parse("kind: ExecCredential\napiVersion: client.authentication.k8s.io/v1\n"
                            "status:\n  token: from-yaml\n");
    REQUIRE(yaml);
    CHECK(yaml->token.reveal() == "from-yaml");
}

TEST_CASE("X3 an expiry becomes a lifetime, one in the past none at all") {
    struct Case {
        std::string expiry;
        long seconds;
    };

    const auto wanted = GENERATE(values<Case>({
        {"2006-01-02T15:05:05Z", 60},
        {"2006-01-02T15:05:05.123456Z", 60},
        {"2006-01-02T16:05:05+01:00", 60},
        {"2006-01-02T14:05:05-01:00", 60},
        {"2006-01-02T15:04:05Z", 0},
        {"2006-01-02T15:00:00Z", 0},
        {"9999-12-31T23:59:59Z", 10 * 31'556'952L}, // never; ten years outlast any run
        {"0000-01-01T00:00:00Z", 0},
    }));
    CAPTURE(wanted.expiry);
    const auto credentials =
        parse(credential(R"({"token":"t","expirationTimestamp":")" + wanted.expiry + "\"}"));
    REQUIRE(credentials);
    CHECK(credentials->lifetime == std::chrono::seconds(wanted.seconds));
}

TEST_CASE("X1 output that is no credential is an error that does not repeat it") {
    struct Case {
        std::string out;
        std::string cause;
    };

    const auto wanted = GENERATE(values<Case>({
        {"", "no ExecCredential"},
        {"secret-token", "no ExecCredential"},
        {"{\"kind\":", "decoding exec plugin output"},
        {"{}", "plugin returned version  of kind "},
        {R"({"kind":"ExecCredential"})", "plugin returned version"},
        {credential("{\"token\":\"secret-token\"}", k_v1beta1),
         "plugin returned version " + std::string(k_v1beta1)},
        {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"})",
         "didn't return a status field"},
        {credential("{}"), "didn't return a token or cert/key pair"},
        {credential(R"({"clientCertificateData":"secret-token"})"), "only certificate or key"},
        {credential(R"({"clientKeyData":"secret-token"})"), "only certificate or key"},
        {credential(R"({"clientCertificateData":"secret-token","clientKeyData":"K"})"),
         "failed parsing client key/certificate"},
        {credential(R"({"token":"secret-token","expirationTimestamp":"tomorrow"})"),
         "invalid expirationTimestamp"},
        {credential(R"({"token":"secret-token","expirationTimestamp":"2006-01-02T15:05:05+x"})"),
         "invalid expirationTimestamp"},
        {credential(R"({"token":17})"), "cannot unmarshal number"},
    }));
    CAPTURE(wanted.out);
    const auto credentials = parse(wanted.out);
    REQUIRE_FALSE(credentials);
    CHECK_THAT(credentials.error().cause, Catch::Contains(wanted.cause));
    CHECK_THAT(to_text(credentials.error()), !Catch::Contains("secret-token"));
}
