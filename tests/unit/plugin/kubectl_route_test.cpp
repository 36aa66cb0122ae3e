#include "kubeconfig/base64.hpp"
#include "kubectl_route.hpp"

#include <catch2/catch.hpp>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

using namespace di;
using namespace di::app;

namespace {

model::ClientConfig full_config() {
    model::ClientConfig config;
    config.server = "https://api.example:6443/prefix";
    config.ns = "here";
    config.ca_pem = "a CA";
    config.tls_server_name = "api.internal";
    config.proxy.proxy_url = "http://me:secret@proxy:3128";
    config.credentials.token = model::Secret("t0ken");
    config.credentials.certificate_pem = "a certificate";
    config.credentials.key_pem = model::Secret("a key");
    config.impersonation = {"jane", "7", {"team", "more"}, {{"k", "1"}, {"l", "2"}, {"k", "3"}}};
    return config;
}

/// What stands at a JSON pointer (RFC 6901); "(nothing)" where nothing does.
std::string at(const rapidjson::Document& file, const char* pointer) {
    const auto* value = rapidjson::Pointer(pointer).Get(file);
    return value == nullptr    ? "(nothing)"
           : value->IsString() ? value->GetString()
           : value->IsTrue()   ? "true"
                               : "(no text)";
}

rapidjson::Document written(const model::ClientConfig& config) {
    rapidjson::Document file;
    file.Parse(resolved_kubeconfig(config).c_str());
    REQUIRE_FALSE(file.HasParseError());
    return file;
}

} // namespace

TEST_CASE("a resolved kubeconfig holds everything that kubectl needs to be us", "[kubectl]") {
    const auto file = written(full_config());
    const auto data = [](std::string_view bytes) { return kubeconfig::to_base64(bytes); };
    const std::pair<const char*, std::string> rows[] = {
        {"/current-context", "resolved"},
        {"/contexts/0/name", "resolved"},
        {"/contexts/0/context/cluster", "resolved"},
        {"/contexts/0/context/user", "resolved"},
        {"/contexts/0/context/namespace", "here"},
        {"/clusters/0/name", "resolved"},
        {"/clusters/0/cluster/server", "https://api.example:6443/prefix"},
        {"/clusters/0/cluster/certificate-authority-data", data("a CA")},
        {"/clusters/0/cluster/tls-server-name", "api.internal"},
        {"/clusters/0/cluster/proxy-url", "http://me:secret@proxy:3128"},
        {"/clusters/0/cluster/insecure-skip-tls-verify", "(nothing)"},
        {"/users/0/name", "resolved"},
        {"/users/0/user/token", "t0ken"},
        {"/users/0/user/client-certificate-data", data("a certificate")},
        {"/users/0/user/client-key-data", data("a key")},
        {"/users/0/user/username", "(nothing)"},
        {"/users/0/user/as", "jane"},
        {"/users/0/user/as-uid", "7"},
        {"/users/0/user/as-groups/0", "team"},
        {"/users/0/user/as-groups/1", "more"},
        {"/users/0/user/as-user-extra/k/0", "1"},
        {"/users/0/user/as-user-extra/k/1", "3"},
        {"/users/0/user/as-user-extra/l/0", "2"},
    };
    for (const auto& [pointer, text] : rows) {
        CAPTURE(pointer);
        CHECK(at(file, pointer) == text);
    }
}

TEST_CASE("a resolved kubeconfig says nothing of what was not given", "[kubectl]") {
    model::ClientConfig config;
    config.server = "https://h";
    config.ns = "default";
    config.verification = model::TlsVerification::skip;
    config.credentials.username = "me";
    config.credentials.password = model::Secret("pass");
    const auto file = written(config);
    CHECK(at(file, "/clusters/0/cluster/insecure-skip-tls-verify") == "true");
    CHECK(at(file, "/users/0/user/username") == "me");
    CHECK(at(file, "/users/0/user/password") == "pass");
    for (const char* absent : {"/clusters/0/cluster/certificate-authority-data",
                               "/clusters/0/cluster/tls-server-name",
                               "/clusters/0/cluster/proxy-url",
                               "/users/0/user/token",
                               "/users/0/user/client-certificate-data",
                               "/users/0/user/client-key-data",
                               "/users/0/user/as",
                               "/users/0/user/as-uid",
                               "/users/0/user/as-groups",
                               "/users/0/user/as-user-extra"}) {
        CAPTURE(absent);
        CHECK(at(file, absent) == "(nothing)");
    }
}

TEST_CASE("a token and a proxy are in no command line of kubectl", "[kubectl]") {
    cli::Invocation invocation;
    invocation.connection.token = "t0ken";
    invocation.connection.proxy_url = "http://me:secret@proxy:3128";
    const auto route = KubectlRoute::open(invocation, full_config());
    REQUIRE(route.ok());
    const auto argv = route->command({0, "ns", "pod", "main", {"sh", "-c", "true"}});
    REQUIRE(argv.size() > 3);
    CHECK(argv[1] == "--kubeconfig");
    CHECK(argv[2].rfind("/proc/self/fd/", 0) == 0);
    const std::vector<std::string> rest(argv.begin() + 3, argv.end());
    CHECK(rest == std::vector<std::string>{
                      "-n", "ns", "exec", "pod", "-c", "main", "--", "sh", "-c", "true"});
}
