// YAML mappings read with Go's eyes: the last of duplicate keys wins, `<<` merges, plain scalars
// have types. yaml-cpp alone does none of these. Internal to this room.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::kubeconfig {

/// The first document of a text, or what is wrong with it ("yaml: line 3, column 5: ...").
struct Parsed {
    YAML::Node root;
    std::string error;        ///< "" when the text is YAML
    bool more_follow = false; ///< there are more documents
};

Parsed parse_yaml(std::string_view text);

/// Reads members of one mapping. The first error stays; after it everything reads as absent.
class Fields {
public:
    /// `path` is how errors call the mapping: "clusters[0].cluster".
    Fields(const YAML::Node& node, std::string path, std::string& error);

    /// "" when absent or null. A plain number or boolean is an error, as it is for kubectl.
    std::string text(std::string_view key) const;

    /// False when absent or null. YAML 1.1 booleans (yes, on, y); a quoted one is an error.
    bool flag(std::string_view key) const;

    std::vector<std::string> texts(std::string_view key) const;

    /// Empty fields when absent or null.
    Fields child(std::string_view key) const;
    std::vector<Fields> children(std::string_view key) const;

    [[nodiscard]] bool has(std::string_view key) const;

    /// Member names of a mapping, in order, each once.
    [[nodiscard]] std::vector<std::string> keys() const;

    /// The member as JSON text; "" when absent.
    std::string json(std::string_view key) const;

    /// Reports a problem of this mapping's member.
    void fail(std::string_view key, std::string_view problem) const;

private:
    YAML::Node find(std::string_view key) const;
    std::string read_text(const YAML::Node& node, std::string_view key) const;
    void fail_at(const YAML::Node& node, std::string_view key, std::string_view problem) const;

    YAML::Node node_;
    std::string path_;
    std::string* error_;
};

} // namespace di::kubeconfig
