// Which objects are components, which container runs the engine, and who plays which role.
#include "base/strings.hpp"
#include "support/manifests.hpp"

namespace di::test {
namespace {

using model::ComponentRole;

/// A Deployment with one container, which starts `command`.
std::string deployment(const std::string& name, const std::string& command) {
    return "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name +
           "}\nspec:\n  template:\n    spec:\n      containers:\n"
           "      - {name: c, command: [" +
           command + "]}\n";
}

const std::string k_prefill = "python3, -m, dynamo.vllm, --disaggregation-mode, prefill";
const std::string k_decode = "python3, -m, dynamo.vllm, --disaggregation-mode, decode";

/// A v1beta1 graph; `components` is the list below spec.components.
std::string graph(const std::string& components) {
    return "apiVersion: nvidia.com/v1beta1\nkind: DynamoGraphDeployment\nmetadata: {name: g}\n"
           "spec:\n  backendFramework: vllm\n  components:\n" +
           components;
}

std::string part(const std::string& name, const std::string& type, const std::string& command) {
    return "  - name: " + name + "\n    type: " + type +
           "\n    podTemplate: {spec: {containers: [{name: main, command: [" + command + "]}]}}\n";
}

std::string role_of(const std::string& manifest, const std::string& name) {
    const ManifestFolder folder({{"deploy.yaml", manifest}});
    return std::string(to_string(component(folder.read(), name).role));
}

} // namespace

TEST_CASE("a role is what is declared, else what the engine is told, else the name", "[recipe]") {
    const auto plain = std::string("python3, -m, dynamo.vllm");
    CHECK(role_of(graph(part("X", "prefill", plain)), "X") == "prefill");
    CHECK(role_of(graph(part("X", "worker", k_decode)), "X") == "decode");
    CHECK(role_of(graph(part("MyPrefill", "worker", plain)), "MyPrefill") == "prefill");
    CHECK(role_of(graph(part("X", "worker", plain)), "X") == "worker");
    CHECK(role_of(graph(part("X", "frontend", "python3, -m, dynamo.frontend")), "X") == "frontend");
    CHECK(role_of(graph(part("X", "planner", "python3, -m, dynamo.planner")), "X") == "other");
    CHECK(role_of(deployment("d", k_prefill), "d") == "prefill");
    CHECK(role_of(deployment("d", "python3, -m, dynamo.frontend"), "d") == "frontend");
}

TEST_CASE("a plain worker beside a prefill worker alone is decode", "[recipe]") {
    const std::string old = "python3, -m, dynamo.vllm, --model, m";
    const auto graph_of_both =
        graph(part("A", "worker", old + ", --is-prefill-worker") + part("B", "worker", old));
    CHECK(role_of(graph_of_both, "A") == "prefill");
    CHECK(role_of(graph_of_both, "B") == "decode");
    const auto with_third =
        graph(part("A", "prefill", old) + part("B", "decode", old) + part("C", "worker", old));
    CHECK(role_of(with_third, "C") == "worker");
}

TEST_CASE("only what serves a model is a component", "[recipe]") {
    const ManifestFolder folder(
        {{"all.yaml",
          deployment("nats", "nats-server") + deployment("engine", k_prefill) +
              "---\n# nothing\n---\napiVersion: batch/v1\nkind: Job\n"
              "metadata: {name: load}\nspec: {template: {spec: {containers: "
              "[{name: c, command: [python3, -m, dynamo.vllm]}]}}}\n"
              "---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n"
              "---\nvalues: {UCX_TLS: tcp}\n"}});
    const auto read = folder.read();
    REQUIRE(read.components.size() == 1);
    CHECK(read.components.front().name == "engine");
    CHECK(read.components.front().place.line == 11);
}

TEST_CASE("every kind that holds a pod template is read", "[recipe]") {
    struct Case {
        std::string what;
        std::string manifest;
        std::vector<std::string> names;
    };

    const std::string pod = "{spec: {containers: [{name: c, command: [" + k_prefill +
                            "], env: [{name: UCX_TLS, value: rc}]}]}}";
    const auto head = [](const std::string& version, const std::string& kind) {
        return "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: n}\n";
    };
    const std::vector<Case> cases = {
        {"StatefulSet", head("apps/v1", "StatefulSet") + "spec: {template: " + pod + "}\n", {"n"}},
        {"DaemonSet", head("apps/v1", "DaemonSet") + "spec: {template: " + pod + "}\n", {"n"}},
        {"Pod", head("v1", "Pod") + pod.substr(1, pod.size() - 2) + "\n", {"n"}},
        {"LeaderWorkerSet with two templates",
         head("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet") +
             "spec:\n  leaderWorkerTemplate: {size: 2, leaderTemplate: " + pod +
             ", workerTemplate: " + pod + "}\n",
         {"n/leader", "n/worker"}},
        {"LeaderWorkerSet whose leader is a worker",
         head("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet") +
             "spec:\n  leaderWorkerTemplate: {size: 4, workerTemplate: " + pod + "}\n",
         {"n/leader", "n/worker"}},
        {"LeaderWorkerSet of one pod",
         head("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet") +
             "spec:\n  leaderWorkerTemplate: {size: 1, workerTemplate: " + pod + "}\n",
         {"n/leader"}},
        {"PodCliqueSet",
         head("grove.io/v1alpha1", "PodCliqueSet") +
             "spec: {template: {cliques: [{name: p, spec: {podSpec: " +
             pod.substr(7, pod.size() - 8) + "}}]}}\n",
         {"n/p"}},
        {"DynamoComponentDeployment",
         head("nvidia.com/v1alpha1", "DynamoComponentDeployment") +
             "spec: {serviceName: P, componentType: worker, extraPodSpec: {mainContainer: "
             "{command: [" +
             k_prefill + "], env: [{name: UCX_TLS, value: rc}]}}}\n",
         {"P"}},
        {"a list in a list",
         "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: PodList\n  items:\n  - " +
             std::string("{apiVersion: v1, kind: Pod, metadata: {name: n}, ") + pod.substr(1) +
             "\n",
         {"n"}},
    };
    for (const auto& test : cases) {
        CAPTURE(test.what);
        const ManifestFolder folder({{"deploy.yaml", test.manifest}});
        const auto read = folder.read();
        std::vector<std::string> names;
        for (const auto& one : read.components) {
            names.push_back(one.name);
            CHECK(value(one, "UCX_TLS") == "rc");
            CHECK(to_string(one.role) == "prefill");
        }
        CHECK(names == test.names);
    }
}

TEST_CASE("the pods of a LeaderWorkerSet share a role, and count as several nodes", "[recipe]") {
    const ManifestFolder folder(
        {{"lws.yaml",
          "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: n}\n"
          "spec:\n  leaderWorkerTemplate:\n    size: 2\n"
          "    leaderTemplate: {spec: {containers: [{name: c, command: [" +
              k_decode +
              "]}]}}\n    workerTemplate: {spec: {containers: [{name: c, image: vllm, command: "
              "[ray, start], env: [{name: NCCL_IB_DISABLE, value: '1'}]}]}}\n"}});
    const auto read = folder.read();
    CHECK(component(read, "n/worker").role == ComponentRole::decode);
    CHECK(component(read, "n/leader").worker.group == component(read, "n/worker").worker.group);
    CHECK(component(read, "n/worker").worker.group.has_value());
}

TEST_CASE("init containers and sidecars are not the engine", "[recipe]") {
    struct Case {
        std::string what;
        std::string containers;
        std::string chosen;
    };

    const std::string engine = "command: [python3, -m, dynamo.vllm]";
    const std::string gpu = "resources: {limits: {nvidia.com/gpu: 1}}";
    const auto test = GENERATE_COPY(values<Case>(
        {{"main wherever it stands", "[{name: side}, {name: main, " + engine + "}]", "main"},
         {"an engine beside a main without GPU",
          "[{name: main, command: [sleep]}, {name: e, " + engine + ", " + gpu + "}]",
          "e"},
         {"main keeps its GPU to itself",
          "[{name: main, command: [run.sh], " + gpu + "}, {name: e, " + engine + "}]",
          "main"},
         {"the engine without a main", "[{name: a}, {name: b, " + engine + "}]", "b"},
         {"the GPU without an engine command", "[{name: a}, {name: b, " + gpu + "}]", "b"}}));
    CAPTURE(test.what);
    const ManifestFolder folder(
        {{"deploy.yaml",
          graph(
              "  - name: P\n    type: prefill\n    podTemplate: {spec: {initContainers: [{name: i, "
              "env: [{name: UCX_TLS, value: tcp}]}], containers: " +
              test.containers + "}}\n")}});
    const auto read = folder.read();
    CHECK(component(read, "P").container == test.chosen);
    CHECK(value(component(read, "P"), "UCX_TLS") == "-");
}

TEST_CASE("plain workloads of one folder belong together where each role is played once",
          "[recipe]") {
    const ManifestFolder pair({{"p.yaml", deployment("p", k_prefill)},
                               {"d.yaml", deployment("d", k_decode)},
                               {"other/d.yaml", deployment("far", k_decode)}});
    const auto read = pair.read();
    CHECK(component(read, "p").group == component(read, "d").group);
    CHECK(component(read, "p").group != component(read, "far").group);

    const ManifestFolder several({{"p.yaml", deployment("p", k_prefill)},
                                  {"q.yaml", deployment("q", k_prefill)},
                                  {"d.yaml", deployment("d", k_decode)}});
    const auto mixed = several.read();
    CHECK(component(mixed, "p").group != component(mixed, "d").group);
}

TEST_CASE("graphs of one name in two files are two groups", "[recipe]") {
    const auto manifest = graph(part("P", "prefill", k_prefill));
    ManifestFolder folder;
    folder.add("a/deploy.yaml", manifest).add("b/deploy.yaml", manifest);
    const auto read = folder.read();
    REQUIRE(read.components.size() == 2);
    CHECK(read.components[0].group != read.components[1].group);
}

TEST_CASE("labels of a dumped workload tell graph and role", "[recipe]") {
    ManifestFolder folder;
    folder.add("dump.yaml",
               "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  template:\n"
               "    metadata: {labels: {nvidia.com/dynamo-graph-deployment-name: g, "
               "nvidia.com/dynamo-component-type: worker, nvidia.com/dynamo-sub-component-type: "
               "decode}}\n"
               "    spec: {containers: [{name: main, command: [run.sh]}]}\n");
    const auto read = folder.read();
    // A launch script alone is no engine; the labels say that this is a worker.
    const auto& dumped = component(read, "d");
    CHECK(dumped.graph == "g");
    CHECK(dumped.role == ComponentRole::decode);
}

TEST_CASE("engine files in ConfigMaps are found through mounts", "[recipe]") {
    struct Case {
        std::string what;
        std::string path;
        std::string mount;
        std::string volume;
        bool found;
    };

    const auto test = GENERATE(values<Case>(
        {{"a folder", "/e/p.yaml", "{name: v, mountPath: /e}", "configMap: {name: m}", true},
         {"a trailing slash",
          "/e/p.yaml",
          "{name: v, mountPath: /e/}",
          "configMap: {name: m}",
          true},
         {"one file by subPath",
          "/e/engine.yaml",
          "{name: v, mountPath: /e/engine.yaml, subPath: p.yaml}",
          "configMap: {name: m}",
          true},
         {"a key under another name",
          "/e/q.yaml",
          "{name: v, mountPath: /e}",
          "configMap: {name: m, items: [{key: p.yaml, path: q.yaml}]}",
          true},
         {"a projected volume",
          "/e/p.yaml",
          "{name: v, mountPath: /e}",
          "projected: {sources: [{secret: {name: s}}, {configMap: {name: m}}]}",
          true},
         {"another folder", "/f/p.yaml", "{name: v, mountPath: /e}", "configMap: {name: m}", false},
         {"another key", "/e/x.yaml", "{name: v, mountPath: /e}", "configMap: {name: m}", false},
         {"another ConfigMap",
          "/e/p.yaml",
          "{name: v, mountPath: /e}",
          "configMap: {name: n}",
          false},
         {"a disk",
          "/e/p.yaml",
          "{name: v, mountPath: /e}",
          "persistentVolumeClaim: {claimName: m}",
          false}}));
    CAPTURE(test.what);
    const ManifestFolder folder(
        {{"deploy.yaml",
          graph("  - name: X\n    type: worker\n    podTemplate: {spec: {volumes: [{name: v, " +
                test.volume +
                "}], containers: [{name: main, command: [python3, -m, dynamo.sglang, "
                "--config, " +
                test.path + "], volumeMounts: [" + test.mount +
                "]}]}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n"
                "  p.yaml: |\n    disaggregation-mode: decode\n")}});
    const auto read = folder.read();
    CHECK((component(read, "X").role == ComponentRole::decode) == test.found);
}

TEST_CASE("flags of the command line beat those of its configuration file", "[recipe]") {
    const ManifestFolder folder(
        {{"deploy.yaml",
          graph("  - name: X\n    type: worker\n    podTemplate: {spec: {volumes: [{name: v, "
                "configMap: "
                "{name: m}}], containers: [{name: main, command: [python3, -m, dynamo.sglang, "
                "--disaggregation-mode=prefill, --config=/e/p.yaml], volumeMounts: [{name: v, "
                "mountPath: /e}]}]}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n"
                "data:\n  p.yaml: |\n    disaggregation-mode: decode\n    trust-remote-code: "
                "true\n")}});
    const auto read = folder.read();
    CHECK(component(read, "X").role == ComponentRole::prefill);
    const auto& words = component(read, "X").worker.spec.arguments;
    CHECK(std::count(words.begin(), words.end(), "--trust-remote-code") == 1);
    CHECK(std::count(words.begin(), words.end(), "--config=/e/p.yaml") == 0);
}

} // namespace di::test
