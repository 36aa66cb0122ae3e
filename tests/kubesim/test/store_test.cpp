#include "kubesim/json.hpp"
#include "sample.hpp"

using namespace di::kubesim;
using di::kubesim::test::Folder;
using di::kubesim::test::pod_list;

namespace {

std::vector<std::string> keys(const Collection& collection) {
    std::vector<std::string> found;
    for (const auto& object : collection.objects) {
        found.push_back(object.key());
    }
    return found;
}

const Collection& graphs(const Store& store) {
    return store.collection(*find_resource_type("nvidia.com", "dynamographdeployments"));
}

const Collection& core(const Store& store, std::string_view resource) {
    return store.collection(*find_resource_type("", resource));
}

} // namespace

TEST_CASE("objects come in the order of their keys, bytewise", "[kubesim][store]") {
    const Folder folder;
    folder.write("objects/pods.json",
                 pod_list(R"({"metadata":{"name":"b","namespace":"a"}},)"
                          R"({"metadata":{"name":"a","namespace":"a-b"}},)"
                          R"({"metadata":{"name":"a","namespace":"a"}},)"
                          R"({"metadata":{"name":"lost"}})"));
    const auto store = folder.load();
    CHECK(keys(store.pods()) == std::vector<std::string>{"a-b/a", "a/a", "a/b", "default/lost"});
    CHECK(Store::find(store.pods(), "a", "b") != nullptr);
    CHECK(Store::find(store.pods(), "a", "c") == nullptr);
    CHECK(Store::find(store.pods(), "", "a") == nullptr);
}

TEST_CASE("items lose kind and apiVersion, nothing else", "[kubesim][store]") {
    const Folder folder;
    folder.write(
        "objects/pods.json",
        pod_list(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"n",)"
                 R"("labels":{"a":"b"},"annotations":{"kubesim.dev/root":"r"}},)"
                 R"("spec":{"nodeName":"n1","hostNetwork":true},"x":"<&é>"})"));
    const auto store = folder.load();
    const auto& pod = store.pods().objects.front();
    CHECK(pod.json ==
          R"({"metadata":{"name":"p","namespace":"n","labels":{"a":"b"},)"
          R"("annotations":{"kubesim.dev/root":"r"}},"spec":{"nodeName":"n1","hostNetwork":true},)"
          R"("x":"<&é>"})");
    CHECK(pod.labels == StringMap{{"a", "b"}});
    CHECK(pod.fields.at("spec.nodeName") == "n1");
    CHECK(pod.fields.at("spec.hostNetwork") == "true");
    CHECK(pod.fields.at("status.phase").empty());
    CHECK(pod.fields.at("metadata.namespace") == "n");
    CHECK(pod.root == "r");
}

TEST_CASE("missing files are empty lists, namespaces follow from the objects", "[kubesim][store]") {
    const Folder folder;
    folder.write("objects/pods.json", pod_list(R"({"metadata":{"name":"p","namespace":"team"}})"));
    const auto store = folder.load();
    CHECK(core(store, "nodes").objects.empty());
    CHECK(keys(core(store, "namespaces")) ==
          std::vector<std::string>{"default", "dynamo-demo", "team"});
    folder.write("objects/namespaces.json",
                 R"({"apiVersion":"v1","items":[{"metadata":{"name":"only"}}]})");
    CHECK(keys(core(folder.load(), "namespaces")) == std::vector<std::string>{"only"});
}

TEST_CASE("an operator serves the version it stores and older ones", "[kubesim][store]") {
    using Versions = std::vector<std::string_view>;
    const Folder folder;
    CHECK(graphs(folder.load()).versions == Versions{"v1beta1", "v1alpha1"});
    const auto with = [&](const std::string& version) {
        folder.write(
            "objects/dynamographdeployments.json",
            R"({"apiVersion":")" + version + R"(","items":[{"apiVersion":")" + version +
                R"(","kind":"DynamoGraphDeployment","metadata":{"name":"g","namespace":"n"}}]})");
        return folder.load();
    };
    CHECK(graphs(with("nvidia.com/v1alpha1")).versions == Versions{"v1alpha1"});
    CHECK(graphs(with("nvidia.com/v1alpha1")).stored_version == "v1alpha1");
    CHECK(graphs(with("nvidia.com/v1beta1")).versions == Versions{"v1beta1", "v1alpha1"});
}

TEST_CASE("lists that are none are errors that name their file", "[kubesim][store]") {
    const auto* const text =
        GENERATE("", "{", "[]", "{}", R"({"items":{}})", R"({"items":[{}]})", R"({"items":[7]})");
    CAPTURE(text);
    const Folder folder;
    folder.write("objects/nodes.json", text);
    const auto store = Store::load(folder.path());
    REQUIRE_FALSE(store.ok());
    CHECK(store.error().object.find("nodes.json") != std::string::npos);
}

TEST_CASE("a list of null items is an empty list", "[kubesim][store]") {
    const Folder folder;
    folder.write("objects/nodes.json", R"({"items":null})");
    CHECK(core(folder.load(), "nodes").objects.empty());
}

TEST_CASE("every case of the discovery corpus is a cluster", "[kubesim][store]") {
    const std::filesystem::path corpus = DI_TEST_DATA "/corpus/discover-open";
    std::size_t cases = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
        if (entry.is_directory()) {
            CAPTURE(entry.path());
            CHECK(Store::load(entry.path()).ok());
            ++cases;
        }
    }
    CHECK(cases > 0);
}

TEST_CASE("JSON text is quoted", "[kubesim][json]") {
    CHECK(json_string("a\"b\\\n\x01") == R"("a\"b\\\n\u0001")");
}
