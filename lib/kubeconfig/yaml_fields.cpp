#include "kubeconfig/yaml_fields.hpp"

#include "base/strings.hpp"
#include "base/yaml_text.hpp"
#include "kubeconfig/base64.hpp"
#include "kubeconfig/yaml_types.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubeconfig {
namespace {

constexpr int k_most_merges = 256; ///< a node may contain itself, and twice

YAML::Node find_member(const YAML::Node& map, std::string_view key, int& merges_left);

/// In the mapping, or the list of mappings, that `<<` names; the first that has the key wins.
YAML::Node find_merged(const YAML::Node& merged, std::string_view key, int& merges_left) {
    if (merged.IsMap()) {
        return find_member(merged, key, merges_left);
    }
    if (merged.IsSequence()) {
        for (const auto& element : merged) {
            if (auto found = find_member(element, key, merges_left); found.IsDefined()) {
                return found;
            }
        }
    }
    return YAML::Node(YAML::NodeType::Undefined);
}

/// In order, as Go's reader of YAML 1.1 fills its map: what stands later wins, so a key overrides
/// the merge keys in front of it only.
YAML::Node find_member(const YAML::Node& map, std::string_view key, int& merges_left) {
    YAML::Node found(YAML::NodeType::Undefined);
    if (!map.IsMap() || merges_left == 0) {
        return found;
    }
    --merges_left;
    for (const auto& pair : map) {
        if (!pair.first.IsScalar()) {
            continue;
        }
        if (pair.first.Scalar() == key) {
            found.reset(pair.second);
        } else if (pair.first.Scalar() == "<<") {
            if (const auto merged = find_merged(pair.second, key, merges_left);
                merged.IsDefined()) {
                found.reset(merged);
            }
        }
    }
    return found;
}

/// A `---` line after the first document has begun.
bool has_second_document(std::string_view text) {
    bool begun = false;
    for (const auto line : lines(text)) {
        const bool separator = line.substr(0, 3) == "---" && (line.size() == 3 || line[3] == ' ');
        if (separator && begun) {
            return true;
        }
        const auto content = trim(line);
        begun = begun || separator || (!content.empty() && content.front() != '#');
    }
    return false;
}

} // namespace

Parsed parse_yaml(std::string_view text) {
    Parsed parsed;
    parsed.more_follow = has_second_document(text);
    try {
        const bool json = trim(text).substr(0, 1) == "{";
        parsed.root = YAML::Load(json ? join_surrogates(text) : std::string(text));
    } catch (const YAML::Exception& exception) {
        parsed.error = fmt::format("yaml: line {}, column {}: {}",
                                   exception.mark.line + 1,
                                   exception.mark.column + 1,
                                   exception.msg);
    } catch (const std::exception& exception) {
        parsed.error = fmt::format("yaml: {}", exception.what());
    }
    return parsed;
}

Fields::Fields(const YAML::Node& node, std::string path, std::string& error)
    : node_(node),
      path_(std::move(path)),
      error_(&error) {}

YAML::Node Fields::find(std::string_view key) const {
    YAML::Node found(YAML::NodeType::Undefined);
    if (error_->empty() && node_.IsDefined()) {
        int merges_left = k_most_merges;
        found.reset(find_member(node_, key, merges_left));
    }
    return found.IsDefined() && found.IsNull() ? YAML::Node(YAML::NodeType::Undefined) : found;
}

void Fields::fail_at(const YAML::Node& node, std::string_view key, std::string_view problem) const {
    if (error_->empty()) {
        *error_ = fmt::format("line {}, column {}: {}{}{}: {}",
                              node.Mark().line + 1,
                              node.Mark().column + 1,
                              path_,
                              path_.empty() ? "" : ".",
                              key,
                              problem);
    }
}

void Fields::fail(std::string_view key, std::string_view problem) const {
    const auto member = find(key);
    fail_at(member.IsDefined() ? member : node_, key, problem);
}

std::string Fields::read_text(const YAML::Node& node, std::string_view key) const {
    if (const auto type = type_of(node); type != "string") {
        fail_at(node, key, fmt::format("cannot unmarshal {} into a field of type string", type));
        return {};
    }
    if (node.Tag() == "tag:yaml.org,2002:binary") {
        const auto bytes = from_base64(node.Scalar());
        const auto* good = std::get_if<std::string>(&bytes);
        return good != nullptr ? *good : std::string();
    }
    return node.Scalar();
}

std::string Fields::text(std::string_view key) const {
    const auto node = find(key);
    return node.IsDefined() ? read_text(node, key) : std::string();
}

bool Fields::flag(std::string_view key) const {
    const auto node = find(key);
    if (!node.IsDefined()) {
        return false;
    }
    if (const auto type = type_of(node); type != "bool") {
        fail_at(node, key, fmt::format("cannot unmarshal {} into a field of type bool", type));
        return false;
    }
    return is_true(node);
}

std::vector<std::string> Fields::texts(std::string_view key) const {
    std::vector<std::string> result;
    const auto node = find(key);
    if (node.IsDefined() && !node.IsSequence()) {
        fail_at(node, key, fmt::format("cannot unmarshal {} into a list", type_of(node)));
    } else if (node.IsDefined()) {
        for (const auto& element : node) {
            result.push_back(element.IsNull() ? std::string() : read_text(element, key));
        }
    }
    return result;
}

Fields Fields::child(std::string_view key) const {
    const auto node = find(key);
    if (node.IsDefined() && !node.IsMap()) {
        fail_at(node, key, fmt::format("cannot unmarshal {} into a mapping", type_of(node)));
    }
    return {node, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key), *error_};
}

std::vector<Fields> Fields::children(std::string_view key) const {
    std::vector<Fields> result;
    const auto node = find(key);
    if (node.IsDefined() && !node.IsSequence()) {
        fail_at(node, key, fmt::format("cannot unmarshal {} into a list", type_of(node)));
    } else if (node.IsDefined()) {
        const auto prefix = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
        for (const auto& element : node) {
            result.emplace_back(element, fmt::format("{}[{}]", prefix, result.size()), *error_);
        }
    }
    return result;
}

bool Fields::has(std::string_view key) const {
    return find(key).IsDefined();
}

std::vector<std::string> Fields::keys() const {
    std::vector<std::string> names;
    if (node_.IsDefined() && node_.IsMap()) {
        for (const auto& pair : node_) {
            const auto name = pair.first.IsScalar() ? pair.first.Scalar() : std::string();
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(name);
            }
        }
    }
    return names;
}

std::string Fields::json(std::string_view key) const {
    const auto node = find(key);
    if (!node.IsDefined()) {
        return {};
    }
    auto text = to_json(node);
    if (!text) {
        fail_at(node, key, "too large");
    }
    return std::move(text).value_or(std::string());
}

} // namespace di::kubeconfig
