#include "kubesim/store.hpp"

#include "base/strings.hpp"
#include "kubesim/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace di::kubesim {
namespace {

std::string field_text(const JsonValue& item, std::string_view field) {
    const JsonValue* value = &item;
    for (const auto part : split(field, '.')) {
        value = find_at(*value, {part});
        if (value == nullptr) {
            return {};
        }
    }
    return text_at(*value, {});
}

Object read_object(rapidjson::Document& list, JsonValue& item, const ResourceType& type) {
    Object object;
    object.ns = text_at(item, {"metadata", "namespace"});
    object.name = text_at(item, {"metadata", "name"});
    if (type.namespaced && object.ns.empty()) {
        object.ns = "default";
    }
    if (const auto* const labels = find_at(item, {"metadata", "labels"});
        labels != nullptr && labels->IsObject()) {
        for (const auto& label : labels->GetObject()) {
            object.labels.emplace(label.name.GetString(), text_at(label.value, {}));
        }
    }
    for (const auto& field : type.fields) {
        object.fields.emplace(field, field_text(item, field));
    }
    object.fields["metadata.namespace"] = object.ns;
    object.root = text_at(item, {"metadata", "annotations", "kubesim.dev/root"});
    item.EraseMember("kind");
    item.EraseMember("apiVersion");
    if (type.namespaced && find_at(item, {"metadata", "namespace"}) == nullptr) {
        item["metadata"].AddMember("namespace", "default", list.GetAllocator());
    }
    object.json = to_json(item);
    return object;
}

/// Custom resources: an operator from before a version cannot serve it, a later one still serves
/// the earlier versions.
void narrow_versions(Collection& collection, std::string_view api_version) {
    const auto stored = api_version.substr(api_version.find('/') + 1);
    const auto found = std::find(collection.versions.begin(), collection.versions.end(), stored);
    if (found != collection.versions.end()) {
        collection.versions.erase(collection.versions.begin(), found);
        collection.stored_version = stored;
    }
}

Result<Collection> read_collection(const std::filesystem::path& directory,
                                   const ResourceType& type) {
    Collection collection{&type, type.versions, std::string(type.versions.front()), {}};
    const auto path = directory / "objects" / fmt::format("{}.json", type.resource);
    if (!std::filesystem::exists(path)) {
        return collection;
    }
    const auto text = read_file(path);
    if (!text) {
        return text.error();
    }
    auto list = parse_json(*text, path.string());
    if (!list) {
        return list.error();
    }
    std::string version = text_at(*list, {"apiVersion"});
    auto* const items = const_cast<JsonValue*>(find_at(*list, {"items"}));
    if (items == nullptr || !(items->IsArray() || items->IsNull())) {
        return Error{
            ErrorKind::parse, "cannot read objects", path.string(), "no items: not a list", ""};
    }
    if (items->IsArray()) {
        for (auto& item : items->GetArray()) {
            if (find_at(item, {"metadata", "name"}) == nullptr) {
                return Error{ErrorKind::parse,
                             "cannot read objects",
                             path.string(),
                             "an item has no name",
                             ""};
            }
            const auto item_version = text_at(item, {"apiVersion"});
            version = item_version.empty() ? version : item_version;
            collection.objects.push_back(read_object(*list, item, type));
        }
    }
    narrow_versions(collection, version);
    std::sort(collection.objects.begin(),
              collection.objects.end(),
              [](const Object& a, const Object& b) { return a.key() < b.key(); });
    return collection;
}

/// Namespaces as objects, for those that no file declares.
void complete_namespaces(std::vector<Collection>& collections) {
    std::set<std::string> names{"default", "dynamo-demo"};
    for (const auto& collection : collections) {
        for (const auto& object : collection.objects) {
            names.insert(object.ns);
        }
    }
    names.erase("");
    auto& namespaces = *std::find_if(collections.begin(), collections.end(), [](const auto& c) {
        return c.type->resource == "namespaces";
    });
    if (!namespaces.objects.empty()) {
        return;
    }
    for (const auto& name : names) {
        Object object;
        object.name = name;
        object.labels = {{"kubernetes.io/metadata.name", name}};
        object.fields = {{"metadata.name", name}, {"status.phase", "Active"}};
        object.json = fmt::format(
            R"({{"metadata":{{"name":{0},"labels":{{"kubernetes.io/metadata.name":{0}}}}},)"
            R"("spec":{{"finalizers":["kubernetes"]}},"status":{{"phase":"Active"}}}})",
            json_string(name));
        namespaces.objects.push_back(std::move(object));
    }
}

} // namespace

const std::vector<ResourceType>& resource_types() {
    static const std::vector<ResourceType> k_types{
        {"pods",
         "Pod",
         "",
         {"v1"},
         true,
         {"metadata.name",
          "metadata.namespace",
          "spec.nodeName",
          "spec.restartPolicy",
          "spec.schedulerName",
          "spec.serviceAccountName",
          "spec.hostNetwork",
          "status.phase",
          "status.podIP",
          "status.nominatedNodeName"}},
        {"nodes", "Node", "", {"v1"}, false, {"metadata.name", "spec.unschedulable"}},
        {"namespaces", "Namespace", "", {"v1"}, false, {"metadata.name", "status.phase"}},
        {"events",
         "Event",
         "",
         {"v1"},
         true,
         {"metadata.name",
          "metadata.namespace",
          "involvedObject.kind",
          "involvedObject.namespace",
          "involvedObject.name",
          "involvedObject.uid",
          "reason",
          "reportingComponent",
          "source",
          "type"}},
        {"dynamographdeployments",
         "DynamoGraphDeployment",
         "nvidia.com",
         {"v1beta1", "v1alpha1"},
         true,
         {"metadata.name", "metadata.namespace"}},
    };
    return k_types;
}

const ResourceType* find_resource_type(std::string_view group, std::string_view resource) {
    for (const auto& type : resource_types()) {
        if (type.group == group && type.resource == resource) {
            return &type;
        }
    }
    return nullptr;
}

Result<Store> Store::load(const std::filesystem::path& directory) {
    Store store;
    for (const auto& type : resource_types()) {
        auto collection = read_collection(directory, type);
        if (!collection) {
            return collection.error();
        }
        store.collections_.push_back(std::move(*collection));
    }
    complete_namespaces(store.collections_);
    return store;
}

const Collection& Store::collection(const ResourceType& type) const {
    return collections_[static_cast<std::size_t>(&type - resource_types().data())];
}

const Object*
Store::find(const Collection& collection, std::string_view ns, std::string_view name) {
    const auto key = ns.empty() ? std::string(name) : fmt::format("{}/{}", ns, name);
    const auto found =
        std::lower_bound(collection.objects.begin(),
                         collection.objects.end(),
                         key,
                         [](const Object& object, const auto& k) { return object.key() < k; });
    return found != collection.objects.end() && found->key() == key ? &*found : nullptr;
}

Result<std::string> read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf() || file.peek() == std::ifstream::traits_type::eof())) {
        return Error{ErrorKind::config, "cannot read", path.string(), std::strerror(errno), ""};
    }
    return std::move(text).str();
}

} // namespace di::kubesim
