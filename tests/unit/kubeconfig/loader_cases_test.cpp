// client-go's own cases of tools/clientcmd/loader_test.go and merged_client_builder_test.go as our
// L and M cases; those about the list of files alone are in files_test.cpp.
#include "kubeconfig/document.hpp"
#include "unit/kubeconfig/kubeconfig_cases.hpp"

using namespace di;
using namespace di::test;

namespace {

SmallWorld files_of(const std::map<std::string, std::string>& files, const std::string& list) {
    SmallWorld world;
    world.files = files;
    world.environment["KUBECONFIG"] = list;
    return world;
}

kubeconfig::Overrides file_flag(const std::string& path) {
    return with_flags([&](auto& flags) { flags.kubeconfig = path; });
}

SmallWorld without_token(SmallWorld pod) {
    pod.files.erase(k_pod_files + "token");
    return pod;
}

SmallWorld without_ca(SmallWorld pod) {
    pod.files.erase(k_pod_files + "ca.crt");
    return pod;
}

SmallWorld with_master(SmallWorld world) {
    world.environment["KUBERNETES_MASTER"] = "http://master:8080";
    return world;
}

std::vector<LoadCase> loader() {
    return {
        {"L1 a file that the flag names and nobody has",
         files_of({}, ""),
         "...error loading config file \"bogus_file\": No such file or directory",
         file_flag("bogus_file")},
        {"L3 a file that is no configuration",
         files_of({{"/f", "bogus value"}}, ""),
         "...error loading config file \"/f\": couldn't get version/kind",
         file_flag("/f")},
        {"L3 a directory where the flag names a file",
         files_of({{"/d", "<directory>"}}, ""),
         "...error loading config file \"/d\": Is a directory",
         file_flag("/d")},
        {"L4 the current context is that of the file that the flag names",
         files_of({{"/a", kubeconfig_of("server: https://a")},
                   {"/b", kubeconfig_of("server: https://b")}},
                  "/b"),
         "https://a token t ns default",
         file_flag("/a")},
        {"L5 a file with nothing but kind and apiVersion",
         files_of({{"/f", "kind: Config\napiVersion: v1\n"}}, "/f"),
         "...no kubeconfig found, looked in: /f"},
        {"L7 an auth-provider without its config is read, and its removal is said",
         world_of(kubeconfig_of("server: https://h", "auth-provider: {name: gcp}")),
         "...The gcp auth plugin has been removed"},
        {"L12 four files with a part each",
         files_of({{"/1", "current-context: x"},
                   {"/2", "contexts: [{name: x, context: {cluster: c, user: u}}]"},
                   {"/3", "clusters: [{name: c, cluster: {server: https://h}}]"},
                   {"/4", "users: [{name: u, user: {token: t}}]"}},
                  "/1:/2:/3:/4"),
         "https://h token t ns default"},
        {"L12 without a current context none is chosen",
         files_of({{"/1", "clusters: [{name: c, cluster: {server: https://h}}]"}}, "/1"),
         "...current-context is not set"},
    };
}

std::vector<LoadCase> builder() {
    const auto https = kubeconfig_of("server: https://h");
    const auto flag = [](auto set) { return with_flags(set); };
    const std::string inside = "https://10.0.0.1:443 token sa-token ns icc ca";
    return {
        {"M1 no configuration, and no pod: an error",
         without_token(pod_of("")),
         "...no kubeconfig"},
        {"M1 no configuration in a pod: the service account", pod_of(""), inside},
        {"M1 no configuration in a pod whose CA is missing: that is the error",
         without_ca(pod_of("")),
         "...unable to read certificate-authority " + k_pod_files + "ca.crt for in-cluster"},
        {"M2 (deviation) a broken configuration: the service account is not asked",
         pod_of("a: ["),
         "...yaml: "},
        {"M2 (deviation) a configuration that differs from none: the service account is not asked",
         pod_of(https),
         "https://h token t ns icc"},
        {"M2 (deviation) unrelated flags do not hide the service account",
         pod_of(""),
         inside,
         flag([](auto& flags) { flags.request_timeout = "5"; })},
        {"M3 a default server in a pod: the service account is asked first",
         with_master(pod_of("")),
         inside},
        {"M3 a default server elsewhere: it is kept",
         with_master(without_token(pod_of(""))),
         "http://master:8080 ns default"},
        {"M4 the namespace of a flag: the service account's is not asked",
         pod_of(https),
         "https://h token t ns test",
         flag([](auto& flags) { flags.ns = "test"; })},
        {"M4 no namespace anywhere, outside a pod: default",
         without_token(pod_of(https)),
         "https://h token t ns default"},
        {"M5 a context whose namespace is called default keeps it in a pod",
         pod_of(kubeconfig_of(
             "server: https://h", "token: t", "cluster: c, user: u, namespace: default")),
         "https://h token t ns default",
         flag([](auto& flags) { flags.context = "x"; })},
        {"C12 in a pod the token and the CA of flags count",
         pod_of(""),
         "https://10.0.0.1:443 token typed ns icc ca",
         flag([](auto& flags) {
             flags.token = "typed";
             flags.certificate_authority = "ca";
         })},
        {"C12 in a pod the server of a flag counts, and gets nothing of the service account",
         pod_of(""),
         "https://elsewhere ns icc",
         flag([](auto& flags) { flags.server = "https://elsewhere"; })},
    };
}

const TableTests<LoadCase> k_loader(loader(), check_load);
const TableTests<LoadCase> k_builder(builder(), check_load);

kubeconfig::Config parsed(const std::string& text, const std::string& path) {
    auto config = kubeconfig::parse_config(text, path);
    REQUIRE(config);
    return *config;
}

} // namespace

TEST_CASE("L5 a file with nothing but kind and apiVersion has empty maps") {
    CHECK(parsed("kind: Config\napiVersion: v1\n", "/f").empty());
}

TEST_CASE("L8 relative paths belong to the folder of their file, absolute ones are kept") {
    const std::string one =
        "users: [{name: u, user: {client-certificate: relative/client/cert, "
        "client-key: ../relative/client/key, tokenFile: /abs/token}}]\n"
        "clusters: [{name: c, cluster: {certificate-authority: ../relative/ca}}]";
    for (const auto& folder : {"/one/two", "/three/four"}) {
        const auto config = parsed(one, std::string(folder) + "/config");
        const auto above = std::string(folder).substr(0, std::string(folder).rfind('/'));
        CHECK(config.users.at("u").certificate_file ==
              std::string(folder) + "/relative/client/cert");
        CHECK(config.users.at("u").key_file == above + "/relative/client/key");
        CHECK(config.users.at("u").token_file == "/abs/token");
        CHECK(config.clusters.at("c").ca_file == above + "/relative/ca");
    }
}

TEST_CASE("L9 a plugin's command is relative to its file, absolute, or a name for PATH") {
    const auto command = [](const std::string& text) {
        const auto config =
            parsed("users: [{name: u, user: {exec: {command: " + text + "}}}]", "/one/two/config");
        return config.users.at("u").exec->command;
    };
    CHECK(command("../relative/client/cmd") == "/one/relative/client/cmd");
    CHECK(command("/absolute/cmd") == "/absolute/cmd");
    CHECK(command("cmd") == "cmd");
}

TEST_CASE("I25 blanks in a plugin's path split nothing, and no path is read as a URL") {
    const auto config =
        parsed("users: [{name: u, user: {exec: {command: './my tools/log in'}, "
               "tokenFile: 'C:\\token'}}]\n"
               "clusters: [{name: c, cluster: {certificate-authority: 'a?b#c%20'}}]",
               "/one/config");
    CHECK(config.users.at("u").exec->command == "/one/my tools/log in");
    CHECK(config.users.at("u").token_file == "/one/C:\\token");
    CHECK(config.clusters.at("c").ca_file == "/one/a?b#c%20");
}
