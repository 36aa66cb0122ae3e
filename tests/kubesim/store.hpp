// The cluster's objects, read once from DIR/objects and never changed.
#pragma once

#include "base/result.hpp"
#include "kubesim/selectors.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace di::kubesim {

/// What kubesim knows about one resource; the table of them is `resource_types()`.
struct ResourceType {
    std::string_view resource; ///< plural: "pods"
    std::string_view kind;
    std::string_view group;                 ///< "" is the core group
    std::vector<std::string_view> versions; ///< preferred first
    bool namespaced = true;
    std::vector<std::string> fields; ///< what a field selector may ask for
};

const std::vector<ResourceType>& resource_types();

/// nullptr when there is no such resource in the group.
const ResourceType* find_resource_type(std::string_view group, std::string_view resource);

struct Object {
    std::string ns;
    std::string name;
    std::string json; ///< compact, without kind and apiVersion
    StringMap labels;
    StringMap fields;
    std::string root; ///< pods: the annotation `kubesim.dev/root`

    /// Place in the API server's list order: bytewise by namespace/name.
    [[nodiscard]] std::string key() const { return ns.empty() ? name : ns + '/' + name; }
};

struct Collection {
    const ResourceType* type = nullptr;
    std::vector<std::string_view> versions; ///< those that this cluster serves, preferred first
    std::string stored_version;             ///< the one that the objects are written in
    std::vector<Object> objects;            ///< in list order
};

class Store {
public:
    /// Reads DIR/objects/*.json; a missing file is an empty list. Namespaces that no file
    /// declares are taken from the objects, with `default` and `dynamo-demo`.
    static Result<Store> load(const std::filesystem::path& directory);

    [[nodiscard]] const Collection& collection(const ResourceType& type) const;

    [[nodiscard]] const Collection& pods() const { return collections_.front(); }

    /// nullptr when there is no such object.
    [[nodiscard]] static const Object*
    find(const Collection& collection, std::string_view ns, std::string_view name);

private:
    std::vector<Collection> collections_; ///< in the order of resource_types()
};

/// A whole file; the error names it.
Result<std::string> read_file(const std::filesystem::path& path);

} // namespace di::kubesim
