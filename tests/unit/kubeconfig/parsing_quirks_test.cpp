// How kubectl reads a kubeconfig's text: KP1 to KP21, observed with kubectl 1.32.4; the
// differential test in tests/cli/kubectl asks the kubectl of the day.
#include "unit/kubeconfig/kubeconfig_cases.hpp"

using namespace di;
using namespace di::test;

namespace {

const std::string k_good = kubeconfig_of("server: https://h");
constexpr auto k_default = "https://h token t ns default";
constexpr auto k_file = "...error loading config file \"/home/u/.kube/config\": ";

LoadCase reads(const std::string& name, const std::string& text, const std::string& wanted) {
    return {name, world_of(text), wanted};
}

LoadCase refuses(const std::string& name, const std::string& text, const std::string& cause) {
    return {name, world_of(text), k_file + cause};
}

std::string json() {
    return R"({"current-context":"x","contexts":[{"name":"x","context":{"cluster":"c","user":"u"}}],)"
           R"("clusters":[{"name":"c","cluster":{"server":"https://h"}}],)"
           R"("users":[{"name":"u","user":{"token":"\ud83d\ude00\u0041\\u"}}]})";
}

std::string with_crlf(const std::string& text) {
    std::string lines;
    for (const char c : text) {
        lines += c == '\n' ? "\r\n" : std::string(1, c);
    }
    return lines;
}

std::vector<LoadCase> documents() {
    return {
        reads("KP1 (deviation) of several documents the first counts, and a warning says so",
              k_good + "---\ncurrent-context: nope\n",
              k_default),
        reads("KP2 a leading document mark", "---\n" + k_good, k_default),
        reads("KP2 a byte order mark", "\xEF\xBB\xBF" + k_good, k_default),
        reads("KP2 CR LF at line ends", with_crlf(k_good), k_default),
        reads("KP2 JSON, with tabs and escapes beyond the BMP",
              "{\t" + json().substr(1),
              "https://h token \xF0\x9F\x98\x80"
              "A\\u ns default"),
        reads("KP3 an empty file is an empty configuration", "", "...no kubeconfig found"),
        reads("KP3 a file of blanks", " \n\n", "...no kubeconfig found"),
        reads("KP3 a file of comments", "# nothing\n", "...no kubeconfig found"),
        refuses("KP4 broken YAML is named with its line", "clusters: [", "yaml: line 1"),
        refuses("KP4 broken YAML in the second line", "a: b\n  c: d\n", "yaml: line 2, column"),
        refuses("KP4 endless nesting is broken YAML", std::string(20'000, '['), "yaml: "),
        refuses("KP5 a scalar at the root", "just text", "couldn't get version/kind"),
        refuses("KP5 a list at the root", "[1, 2]", "couldn't get version/kind"),
        reads("KP6 neither kind nor apiVersion", k_good, k_default),
        refuses("KP7 another kind",
                "kind: Pod\napiVersion: v1",
                "line 1, column 7: kind: no kind \"Pod\" is registered for version \"v1\""),
        refuses(
            "KP7 another version",
            "apiVersion: v2",
            "line 1, column 13: apiVersion: no kind \"Config\" is registered for version \"v2\""),
        reads("KP8 null and missing maps are empty",
              "clusters: null\nusers: null\ncontexts: ~\n",
              "...no kubeconfig found"),
        reads("KP8 a null text is no text",
              kubeconfig_of("server: https://h, proxy-url: ~"),
              k_default),
        reads("KP9 unknown fields are ignored at every level",
              kubeconfig_of("server: https://h, colour: red") + "unknown: {a: [1]}\n",
              k_default),
        reads("KP10 keys in the wrong case are unknown",
              kubeconfig_of("server: https://h, Server: https://other") + "Clusters: [{name: x}]\n",
              k_default),
        reads("KP11 duplicate mapping keys: the last wins",
              kubeconfig_of("server: https://other, server: https://h"),
              k_default),
    };
}

std::vector<LoadCase> fields() {
    const std::string extension = "extensions: [{name: e, extension: {}}, {name: e}]";
    const auto insecure = [](const std::string& value) {
        return kubeconfig_of("server: https://h, insecure-skip-tls-verify: " + value);
    };
    return {
        refuses("KP12 a cluster twice",
                "clusters: [{name: c}, {name: c}]",
                "line 1, column 30: "
                "clusters[1].name: duplicate name \"c\" in list"),
        refuses("KP12 a user twice", "users: [{name: c}, {name: c}]", "line 1, column 27: users"),
        refuses(
            "KP12 a context twice", "contexts: [{name: c}, {name: c}]", "line 1, column 30: con"),
        refuses("KP13 a number for a name",
                "contexts:\n- name: 7\n",
                "line 2, column 9: contexts[0].name: cannot unmarshal number"),
        refuses("KP13 a boolean for a name",
                "contexts: [{name: true}]",
                "line 1, column 19: contexts[0].name: cannot unmarshal bool into a field of type "
                "string"),
        refuses("KP13 a number for a namespace",
                kubeconfig_of("server: https://h", "", "namespace: 0x10"),
                "line 2, column 43: contexts[0].context.namespace: cannot unmarshal number"),
        refuses("KP13 a number for a token, which is not repeated",
                kubeconfig_of("server: https://h", "token: 12345"),
                "line 4, column 33: users[0].user.token: cannot unmarshal number"),
        reads("KP13 a quoted number is a text",
              kubeconfig_of("server: https://h", "token: '12345'"),
              "https://h token 12345 ns default"),
        refuses("KP13 lists and mappings for texts, texts for mappings",
                "clusters: [{name: c, cluster: text}]",
                "line 1, column 31: clusters[0].cluster: cannot unmarshal string into a mapping"),
        reads("KP14 yes is true", insecure("yes"), "https://h token t ns default insecure"),
        reads("KP14 y is true", insecure("y"), "https://h token t ns default insecure"),
        reads("KP14 Off is false", insecure("Off"), k_default),
        refuses("KP14 a quoted true is no boolean",
                insecure("\"true\""),
                "line 3, column 77: clusters[0].cluster.insecure-skip-tls-verify: cannot unmarshal "
                "string into a field of type bool"),
        refuses("KP14 a number is no boolean", insecure("1"), "line 3, column 77: clusters"),
        {"KP15 a directory in place of the file",
         world_of("<directory>"),
         k_file + std::string("Is a directory")},
        reads("KP16 base64 with line ends",
              "clusters:\n- name: c\n  cluster:\n    server: https://h\n"
              "    certificate-authority-data: |\n      " +
                  k_pem_data.substr(0, 20) + "\n      " + k_pem_data.substr(20) + "\n" +
                  "users: [{name: u, user: {token: t}}]\ncurrent-context: x\n"
                  "contexts: [{name: x, context: {cluster: c, user: u}}]\n",
              "https://h token t ns default ca"),
        refuses("KP17 a space at the end of base64",
                kubeconfig_of("server: https://h, certificate-authority-data: 'Q0E= '"),
                "line 3, column 79: clusters[0].cluster.certificate-authority-data: illegal base64 "
                "data at input byte 4"),
        refuses("KP17 base64 without its padding",
                kubeconfig_of("server: https://h", "client-certificate-data: Q0E"),
                "line 4, column 51: users[0].user.client-certificate-data: illegal base64 data at "
                "input byte 0"),
        refuses("KP17 broken base64 of an entry that nobody uses",
                k_good.substr(0, k_good.size() - 2) + ", {name: v, user: {client-key-data: '?'}}]",
                "line 4, column 72: users[1].user.client-key-data: illegal base64"),
        reads("KP18 data that is no PEM",
              kubeconfig_of("server: https://h, certificate-authority-data: Q0E="),
              "...unable to load certificate-authority for c: unable to parse bytes as PEM block"),
        reads("KP19 empty data is as if absent",
              kubeconfig_of("server: https://h, certificate-authority-data: \"\""),
              k_default),
        refuses(
            "KP20 the tag !!binary is resolved first, so that data is decoded twice",
            kubeconfig_of("server: https://h, certificate-authority-data: !!binary " + k_pem_data),
            "line 3, column 79: clusters[0].cluster.certificate-authority-data: illegal base64"),
        reads("KP20 a text tagged as binary",
              kubeconfig_of("server: !!binary aHR0cHM6Ly9o"),
              k_default),
        reads("KP21 a merge key, overridden by an explicit one",
              "b: &b {server: https://base, insecure-skip-tls-verify: true}\n" +
                  kubeconfig_of("<<: *b, server: https://h"),
              "https://h token t ns default insecure"),
        reads(
            "KP21 of a list of merge keys the first wins",
            "b: &b {server: https://h}\nd: &d {server: https://d, insecure-skip-tls-verify: y}\n" +
                kubeconfig_of("<<: [*b, *d]"),
            "https://h token t ns default insecure"),
        reads("KP21 an alias",
              "b: &b {server: https://h}\n" +
                  kubeconfig_of("x: 1").replace(kubeconfig_of("x: 1").find("{x: 1}"), 6, "*b"),
              k_default),
        reads("KP12 an extension without content may come twice",
              k_good + "extensions: [{name: e}, {name: e}]\n",
              k_default),
        refuses(
            "L6 an extension twice", extension, "line 1, column 47: extensions[1].name: duplicate"),
        refuses("L6 an extension of a cluster twice",
                kubeconfig_of("server: h, " + extension),
                "line 3, column 89: clusters[0].cluster.extensions[1].name: duplicate name \"e\""),
        refuses("L6 an extension of a user twice",
                kubeconfig_of("server: h", extension),
                "line 4, column 72: users[0].user.extensions[1].name: duplicate name \"e\""),
        refuses("L6 an extension of a context twice",
                kubeconfig_of("server: h", "", extension),
                "line 2, column 78: contexts[0].context.extensions[1].name: duplicate name \"e\""),
    };
}

const TableTests<LoadCase> k_documents(documents(), check_load);
const TableTests<LoadCase> k_fields(fields(), check_load);

} // namespace
