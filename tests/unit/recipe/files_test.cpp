// Which files are read, and what becomes of those that cannot be.
#include "base/strings.hpp"
#include "model/secrets.hpp"
#include "recipe/container_reading.hpp"
#include "support/manifests.hpp"

#include <sys/stat.h>

namespace di::test {
namespace {

namespace fs = std::filesystem;

const std::string k_engine = graph_with("          command: [python3, -m, dynamo.vllm]\n");

} // namespace

TEST_CASE("a folder gives what kubectl would read, below it too", "[recipe]") {
    ManifestFolder folder;
    folder.add("a.yaml", k_engine)
        .add("deep/er/b.yml", k_engine)
        .add("c.json", R"({"apiVersion": "v1", "kind": "List", "items": []})")
        .add("d.txt", k_engine)
        .add("e.yaml.bak", k_engine);
    const auto read = folder.read();
    CHECK(read.components.size() == 2);
    CHECK(read.files == 3);
    CHECK(folder.read("e.yaml.bak").components.size() == 1); // a file that is named is read
}

TEST_CASE("a path that does not exist is named, and the others are read", "[recipe]") {
    ManifestFolder folder;
    folder.add("a.yaml", k_engine);
    const auto gone = folder.path("gone").string();
    const auto read = recipe::read_recipe({gone, folder.path("a.yaml").string()});
    CHECK(read.absent == std::vector<std::string>{gone});
    CHECK(read.components.size() == 1);
    CHECK(contains(rows(read), "FILE-001 " + gone));
}

TEST_CASE("links are followed once, and lead nowhere in silence never", "[recipe]") {
    ManifestFolder folder;
    folder.add("a/deploy.yaml", k_engine);
    fs::create_directory_symlink(".", folder.path("a/again"));
    fs::create_directory_symlink("..", folder.path("a/up"));
    fs::create_symlink("deploy.yaml", folder.path("a/same.yaml"));
    CHECK(folder.read("a").components.size() == 1);
    CHECK(rows(folder.read("a")).empty());
    fs::create_symlink("nowhere", folder.path("a/gone.yaml"));
    fs::create_symlink("self.yaml", folder.path("a/self.yaml"));
    const auto read = folder.read("a");
    CHECK(read.components.size() == 1);
    CHECK(contains(rows(read), "gone.yaml: dangling symbolic link"));
    CHECK(contains(rows(read), "self.yaml: dangling symbolic link"));
}

TEST_CASE("what is no readable text is named and stops no other", "[recipe]") {
    ManifestFolder folder;
    folder.add("a.yaml", k_engine)
        .add("binary.yaml", std::string("PK\x03\x04\0\0", 6))
        .add("large.yaml", std::string((std::size_t{4} << 20U) + 1, '#'))
        .add("tab.yaml", "a:\n\tb: c\n");
    REQUIRE(mkfifo(folder.path("pipe.yaml").c_str(), 0600) == 0); // opening it would wait for ever
    const auto read = folder.read();
    CHECK(read.components.size() == 1);
    for (const auto* name : {"binary.yaml: line 1",
                             "large.yaml: larger than 4 MiB",
                             "tab.yaml: line 2",
                             "pipe.yaml: not a regular file"}) {
        CHECK(contains(rows(read), name));
    }
}

TEST_CASE("templates are named as such, with or without a chart", "[recipe]") {
    ManifestFolder folder;
    folder.add("chart/Chart.yaml", "apiVersion: v2\nname: c\n")
        .add("chart/values.yaml", "tls: tcp\n")
        .add("chart/templates/a.yaml", "{{- if .Values.x }}\na: {{ .Values.x }}\n{{- end }}\n")
        .add("chart/templates/plain.yaml", k_engine)
        .add("chart/templates/valid.yaml", k_engine + "          image: '{{ .Values.image }}'\n")
        .add("jinja.yaml", "{% if x %}\na: b\n{% endif %}\n");
    const auto read = folder.read();
    CHECK(read.components.size() == 1);
    CHECK(contains(rows(read), "FILE-002 " + folder.path("chart/templates/a.yaml").string()));
    CHECK(contains(rows(read), "FILE-002 " + folder.path("chart/templates/valid.yaml").string()));
    CHECK(contains(rows(read), "FILE-002 " + folder.path("jinja.yaml").string()));
    CHECK_FALSE(contains(rows(read), "values.yaml"));
}

TEST_CASE("no row and no variable holds what is no transport variable's value", "[recipe]") {
    ManifestFolder folder;
    folder.add("deploy.yaml",
               "# s3cret\n" +
                   graph_with_env("          - {name: HF_TOKEN, value: s3cret}\n"
                                  "          - {name: UCX_TLS, value: rc}\n") +
                   "          args: [--hf-token, s3cret]\n");
    const auto read = folder.read();
    const auto& prefill = component(read, "Prefill");
    CHECK(prefill.vars.size() == 1);
    CHECK(prefill.worker.spec.env == model::EnvMap{{"UCX_TLS", "rc"}});
    CHECK_FALSE(contains(rows(read), "s3cret"));
}

TEST_CASE("placeholders are told from values", "[recipe]") {
    for (const auto* text : {"${X}",
                             "$X",
                             "a$(x)b",
                             "<your-hca>:1",
                             "{{ .Values.x }}",
                             "@HCA@",
                             "CHANGE_ME",
                             "replace-me",
                             "your-hca",
                             "`ls`"}) {
        CAPTURE(text);
        CHECK(recipe::is_placeholder(text));
    }
    for (const auto* text : {"",
                             "rc,cuda_copy",
                             "^ib",
                             "mlx5_[0-3]:1",
                             "\\rc_mlx5",
                             "100$",
                             "1<2",
                             "user@host",
                             "auto"}) {
        CAPTURE(text);
        CHECK_FALSE(recipe::is_placeholder(text));
    }
}

TEST_CASE("credentials are told from settings", "[model]") {
    for (const auto* text : {"hf_abcdefghijklmnop",
                             "nvapi-0123456789abcdef",
                             "AKIAIOSFODNN7EXAMPLE",
                             "x=ghp_0123456789abcdef",
                             "eyJhbGciOiJIUzI1NiJ9.e30.x",
                             "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"}) {
        CAPTURE(text);
        CHECK(model::looks_secret(text));
    }
    for (const auto* text : {"",
                             "rc_x,rc,cuda_copy,cuda_ipc",
                             "mlx5_0:1,mlx5_1:1,mlx5_2:1",
                             "hf_",
                             "/opt/nvidia/nvda_nixl/lib/x86_64-linux-gnu/plugins",
                             "rdmap79s0:1",
                             "GPU-3f1c2a74-93be-4d05-8a1e-52c7d90b3e48"}) {
        CAPTURE(text);
        CHECK_FALSE(model::looks_secret(text));
    }
}

} // namespace di::test
