#include "kubeconfig/yaml_types.hpp"

#include "base/strings.hpp"
#include "base/yaml_text.hpp"

#include <fmt/format.h>

#include <vector>

namespace di::kubeconfig {
namespace {

constexpr int k_deepest = 64; ///< a node may contain itself

bool is_plain(const YAML::Node& node) {
    return node.IsScalar() && node.Tag() == "?";
}

} // namespace

std::string_view type_of(const YAML::Node& node) {
    if (node.IsMap()) {
        return "object";
    }
    if (node.IsSequence()) {
        return "array";
    }
    const auto type = is_plain(node) ? plain_scalar(node.Scalar()) : PlainScalar::text;
    return type == PlainScalar::boolean ? "bool" : type == PlainScalar::number ? "number" : "string";
}

bool is_true(const YAML::Node& node) {
    return is_plain(node) && is_yaml_true(node.Scalar());
}

namespace {

std::string to_json(const YAML::Node& node, int depth) {
    if (!node.IsDefined() || node.IsNull() || depth > k_deepest) {
        return "null";
    }
    std::vector<std::string> parts;
    if (node.IsMap()) {
        for (const auto& pair : node) {
            parts.push_back(quote_json(pair.first.IsScalar() ? pair.first.Scalar() : "") + ':' +
                            to_json(pair.second, depth + 1));
        }
        return '{' + join(parts, ",") + '}';
    }
    if (node.IsSequence()) {
        for (const auto& element : node) {
            parts.push_back(to_json(element, depth + 1));
        }
        return '[' + join(parts, ",") + ']';
    }
    const auto type = type_of(node);
    if (type == "bool") {
        return is_true(node) ? "true" : "false";
    }
    return type == "number" ? node.Scalar() : quote_json(node.Scalar());
}

} // namespace

std::string to_json(const YAML::Node& node) {
    return to_json(node, 0);
}

} // namespace di::kubeconfig
