#include "kubeconfig/yaml_types.hpp"

#include "base/strings.hpp"
#include "base/yaml_text.hpp"

#include <fmt/format.h>

#include <utility>
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
    return type == PlainScalar::boolean  ? "bool"
           : type == PlainScalar::number ? "number"
                                         : "string";
}

bool is_true(const YAML::Node& node) {
    return is_plain(node) && is_yaml_true(node.Scalar());
}

namespace {

/// Aliases let a short text stand for an endless one: a budget bounds what is written.
class JsonWriter {
public:
    /// The node as JSON; what lies beyond the budget is left out.
    std::string write(const YAML::Node& node, int depth = 0) {
        if (!node.IsDefined() || node.IsNull() || depth > k_deepest || budget_ == 0) {
            return "null";
        }
        --budget_;
        std::vector<std::string> parts;
        if (node.IsMap()) {
            for (const auto& pair : node) {
                parts.push_back(quote_json(pair.first.IsScalar() ? pair.first.Scalar() : "") + ':' +
                                write(pair.second, depth + 1));
            }
            return '{' + join(parts, ",") + '}';
        }
        if (node.IsSequence()) {
            for (const auto& element : node) {
                parts.push_back(write(element, depth + 1));
            }
            return '[' + join(parts, ",") + ']';
        }
        const auto type = type_of(node);
        if (type == "bool") {
            return is_true(node) ? "true" : "false";
        }
        return type == "number" ? node.Scalar() : quote_json(node.Scalar());
    }

    [[nodiscard]] bool complete() const { return budget_ > 0; }

private:
    int budget_ = 10'000; ///< nodes
};

} // namespace

std::optional<std::string> to_json(const YAML::Node& node) {
    JsonWriter writer;
    auto text = writer.write(node);
    return writer.complete() ? std::optional(std::move(text)) : std::nullopt;
}

} // namespace di::kubeconfig
