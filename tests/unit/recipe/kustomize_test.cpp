// Kustomizations in memory, compared with what kubectl kustomize 1.32 prints.
#include "base/strings.hpp"
#include "support/manifests.hpp"

namespace di::test {
namespace {

const std::string k_alpha = R"(apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: g, labels: {tier: gpu}}
spec:
  services:
    P:
      componentType: worker
      subComponentType: prefill
      envs: [{name: UCX_TLS, value: rc}, {name: NIXL_LOG_LEVEL, value: INFO}]
      extraPodSpec:
        mainContainer: {command: [python3, -m, dynamo.vllm]}
)";

const std::string k_plain = R"(apiVersion: apps/v1
kind: Deployment
metadata: {name: p}
spec:
  template:
    spec:
      containers:
      - name: c
        command: [python3, -m, dynamo.vllm, --disaggregation-mode, prefill]
        env: [{name: UCX_TLS, value: rc}, {name: NIXL_LOG_LEVEL, value: INFO}]
)";

std::string kustomization(const std::string& rest) {
    return "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
           "resources: [../base]\n" +
           rest;
}

/// The overlay's component, as `base` under `rest` and `files` makes it.
class Overlay {
public:
    Overlay(const std::string& base,
            const std::string& rest,
            const ManifestFolder::Files& files = {}) {
        folder_.add("base/deploy.yaml", base)
            .add("base/kustomization.yaml", "resources: [deploy.yaml]\n")
            .add("lab/kustomization.yaml", kustomization(rest));
        for (const auto& [name, text] : files) {
            folder_.add("lab/" + name, text);
        }
        recipe_ = folder_.read("lab");
    }

    [[nodiscard]] const recipe::Recipe& recipe() const { return recipe_; }

    [[nodiscard]] std::string var(const std::string& name, const std::string& variable) const {
        return value(component(recipe_, name), variable);
    }

private:
    ManifestFolder folder_;
    recipe::Recipe recipe_;
};

const std::string k_plain_patch =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: p}\nspec: {template: {spec: "
    "{containers: [{name: c, env: [{name: UCX_TLS, value: tcp}]}]}}}\n";
const std::string k_alpha_patch =
    "apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: g}\n"
    "spec: {services: {P: {envs: [{name: UCX_TLS, value: tcp}]}}}\n";

} // namespace

TEST_CASE("lists of built-in kinds are merged by their keys", "[recipe]") {
    const Overlay overlay(k_plain, "patches: [{path: p.yaml}]\n", {{"p.yaml", k_plain_patch}});
    CHECK(overlay.var("p", "UCX_TLS") == "tcp");
    CHECK(overlay.var("p", "NIXL_LOG_LEVEL") == "INFO");
    CHECK(rows(overlay.recipe()).empty());
}

TEST_CASE("lists of custom resources are replaced without a schema", "[recipe]") {
    const Overlay overlay(k_alpha, "patches: [{path: p.yaml}]\n", {{"p.yaml", k_alpha_patch}});
    CHECK(overlay.var("P", "UCX_TLS") == "tcp");
    CHECK(overlay.var("P", "NIXL_LOG_LEVEL") == "-");
}

TEST_CASE("a schema makes lists of custom resources merge", "[recipe]") {
    const std::string schema = R"({"definitions": {
        "entry": {"type": "array", "x-kubernetes-patch-merge-key": "name"},
        "graph": {
            "x-kubernetes-group-version-kind": [
                {"group": "nvidia.com", "kind": "DynamoGraphDeployment", "version": "v1alpha1"}],
            "properties": {"spec": {"properties": {"services": {"properties": {"P": {"properties":
                {"envs": {"$ref": "#/definitions/entry"}}}}}}}}}}})";
    const Overlay overlay(k_alpha,
                          "openapi: {path: schema.json}\npatches: [{path: p.yaml}]\n",
                          {{"p.yaml", k_alpha_patch}, {"schema.json", schema}});
    CHECK(overlay.var("P", "UCX_TLS") == "tcp");
    CHECK(overlay.var("P", "NIXL_LOG_LEVEL") == "INFO");
}

TEST_CASE("patches of every spelling reach their target", "[recipe]") {
    const std::string path = "/spec/template/spec/containers/0/env/0/value";
    const std::string replace = "[{op: replace, path: " + path + ", value: tcp}]";
    const auto in_block = [](const std::string& text) {
        std::string block = "|-\n";
        for (const auto line : lines(text)) {
            block += "    " + std::string(line) + "\n";
        }
        return block;
    };
    const std::vector<std::pair<std::string, std::string>> spellings = {
        {"an inline merge patch", "patches:\n- patch: " + in_block(k_plain_patch)},
        {"an inline JSON patch with a target",
         "patches:\n- target: {kind: Deployment}\n  patch: " + in_block(replace)},
        {"a target by a pattern",
         "patches:\n- target: {name: 'p.*', group: apps, version: v1}\n  patch: " +
             in_block(replace)},
        {"patchesStrategicMerge", "patchesStrategicMerge: [p.yaml]\n"},
        {"patchesStrategicMerge inline", "patchesStrategicMerge:\n- " + in_block(k_plain_patch)},
        {"patchesJson6902",
         "patchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: p}\n"
         "  path: j.yaml\n"},
    };
    for (const auto& [what, spelling] : spellings) {
        CAPTURE(what);
        const Overlay overlay(k_plain, spelling, {{"p.yaml", k_plain_patch}, {"j.yaml", replace}});
        CHECK(overlay.var("p", "UCX_TLS") == "tcp");
        CHECK(rows(overlay.recipe()).empty());
    }
}

TEST_CASE("JSON patches add, remove, copy and move", "[recipe]") {
    const std::string env = "/spec/template/spec/containers/0/env";
    const auto patched = [&](const std::string& operations) {
        return Overlay(k_plain,
                       "patches: [{target: {kind: Deployment}, path: j.yaml}]\n",
                       {{"j.yaml", operations}});
    };
    const auto added =
        patched("[{op: add, path: " + env + "/-, value: {name: UCX_TLS, value: tcp}}]");
    CHECK(added.var("p", "UCX_TLS") == "tcp");
    CHECK(patched("[{op: remove, path: " + env + "/0}]").var("p", "UCX_TLS") == "-");
    const auto copied =
        patched("[{op: copy, from: " + env + "/1/value, path: " + env + "/0/value}]");
    CHECK(copied.var("p", "UCX_TLS") == "INFO");
    const auto moved =
        patched("[{op: move, from: " + env + "/1/value, path: " + env + "/0/value}]");
    CHECK(moved.var("p", "NIXL_LOG_LEVEL").empty());
    const auto impossible = patched("[{op: remove, path: " + env + "/7}]");
    CHECK(impossible.var("p", "UCX_TLS") == "rc");
    CHECK(contains(rows(impossible.recipe()), "FILE-002"));
}

TEST_CASE("directives of a merge patch are obeyed", "[recipe]") {
    const auto patch = [](const std::string& entry) {
        return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: p}\nspec: {template: "
               "{spec: "
               "{containers: [{name: c, env: [" +
               entry + "]}]}}}\n";
    };
    const auto patched = [&](const std::string& entry) {
        return Overlay(k_plain, "patches: [{path: p.yaml}]\n", {{"p.yaml", patch(entry)}});
    };
    CHECK(patched("{name: UCX_TLS, $patch: delete}").var("p", "UCX_TLS") == "-");
    CHECK(patched("{name: UCX_TLS, value: null}").var("p", "UCX_TLS").empty());
    const auto replaced = patched("{$patch: replace}, {name: UCX_TLS, value: dc}");
    CHECK(replaced.var("p", "UCX_TLS") == "dc");
    CHECK(replaced.var("p", "NIXL_LOG_LEVEL") == "-");
}

TEST_CASE("components change what uses them, and are nothing alone", "[recipe]") {
    ManifestFolder folder;
    folder.add("base/deploy.yaml", k_plain)
        .add("base/kustomization.yaml", "resources: [deploy.yaml]\n")
        .add("tcp/kustomization.yaml",
             "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
             "patches: [{path: p.yaml}]\n")
        .add("tcp/p.yaml", k_plain_patch)
        .add("lab/kustomization.yaml", kustomization("components: [../tcp]\n"));
    const auto lab = folder.read("lab");
    CHECK(value(component(lab, "p"), "UCX_TLS") == "tcp");
    CHECK(rows(lab).empty());
    const auto all = folder.read();
    CHECK(rows(all).empty());
    CHECK(all.components.size() == 2); // base and lab
    const auto alone = folder.read("tcp");
    CHECK(component(alone, "p").partial);
    CHECK(rows(alone).empty());
}

TEST_CASE("generated ConfigMaps are found by the name that references use", "[recipe]") {
    const auto user = [](const std::string& from) {
        return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, "
               "command: [python3, -m, dynamo.vllm], " +
               from + "}]}\n";
    };
    const auto whole = user("envFrom: [{configMapRef: {name: m}}]");
    const Overlay literals(
        whole, "namePrefix: lab-\nconfigMapGenerator: [{name: m, literals: ['UCX_TLS=a=b']}]\n");
    CHECK(literals.var("lab-p", "UCX_TLS") == "a=b");
    const Overlay envs(
        whole,
        "configMapGenerator: [{name: m, envs: [x.env], literals: [\"UCX_LOG_LEVEL='info'\"]}]\n",
        {{"x.env", "# comment\nUCX_TLS=rc\n\n"}});
    CHECK(envs.var("p", "UCX_TLS") == "rc");
    CHECK(envs.var("p", "UCX_LOG_LEVEL") == "info");
    const Overlay files(
        user("env: [{name: UCX_TLS, valueFrom: {configMapKeyRef: {name: m, key: t}}}]"),
        "configMapGenerator: [{name: m, files: ['t=tls.txt']}]\n",
        {{"tls.txt", "rc"}});
    CHECK(files.var("p", "UCX_TLS") == "rc");
    const Overlay merged(
        whole + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {UCX_TLS: rc}\n",
        "configMapGenerator: [{name: m, behavior: merge, literals: [UCX_TLS=tcp]}]\n");
    CHECK(merged.var("p", "UCX_TLS") == "tcp");
}

TEST_CASE("prefix, suffix and namespace name the rendered objects", "[recipe]") {
    const Overlay overlay(k_alpha, "namePrefix: a-\nnameSuffix: -z\nnamespace: n\n");
    CHECK(component(overlay.recipe(), "P").graph == "a-g-z");
}

TEST_CASE("what cannot be rendered is named, and the rest is judged", "[recipe]") {
    const std::vector<std::pair<std::string, std::string>> gaps = {
        {"a remote base", "bases: ['https://example.com/x?ref=v1']\n"},
        {"a file that is not there", "patches: [{path: gone.yaml}]\n"},
        {"a file outside", "configMapGenerator: [{name: m, files: [../../x]}]\n"},
        {"an absolute path", "configMapGenerator: [{name: m, files: [/etc/hostname]}]\n"},
        {"replacements", "replacements: [{path: r.yaml}]\n"},
        {"a Helm chart", "helmCharts: [{name: c}]\n"},
        {"a patch without its target",
         "patches: [{patch: '{apiVersion: v1, kind: Pod, metadata: {name: x}}'}]\n"},
        {"a JSON patch without its target",
         "patches: [{target: {kind: Pod}, patch: '[{op: remove, path: /a}]'}]\n"},
    };
    for (const auto& [what, spelling] : gaps) {
        CAPTURE(what);
        const Overlay overlay(k_alpha, spelling);
        CHECK(contains(rows(overlay.recipe()), "FILE-002"));
        CHECK(overlay.var("P", "UCX_TLS") == "rc");
    }
}

TEST_CASE("bases that lead back to themselves end", "[recipe]") {
    ManifestFolder folder;
    folder.add("a/kustomization.yaml", "resources: [../b]\n")
        .add("b/kustomization.yaml", "resources: [../a, p.yaml]\n")
        .add("b/p.yaml", k_plain);
    CHECK(contains(rows(folder.read()), "FILE-002"));
}

TEST_CASE("a patch whose base is elsewhere is judged as the part that it is", "[recipe]") {
    ManifestFolder folder;
    folder
        .add("kustomization.yaml",
             "resources: ['https://example.com/base']\npatches: [{path: p.yaml}]\n")
        .add("p.yaml", k_alpha_patch);
    const auto read = folder.read();
    CHECK(component(read, "P").partial);
    CHECK(value(component(read, "P"), "UCX_TLS") == "tcp");
}

TEST_CASE("a changed component stands where the change stands", "[recipe]") {
    const Overlay overlay(k_alpha, "patches: [{path: p.yaml}]\n", {{"p.yaml", k_alpha_patch}});
    const auto& prefill = component(overlay.recipe(), "P");
    CHECK(contains(prefill.place.file, "lab/p.yaml"));
    CHECK(contains(prefill.vars.at("UCX_TLS").place.file, "lab/p.yaml"));
}

} // namespace di::test
