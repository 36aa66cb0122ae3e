#include "kubeconfig/yaml_types.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace di::kubeconfig {
namespace {

constexpr int k_deepest = 64; ///< a node may contain itself

constexpr std::array<std::string_view, 11> k_true{
    "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
constexpr std::array<std::string_view, 11> k_false{
    "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};

template<class Table> bool is_one_of(const Table& table, std::string_view text) {
    return std::find(table.begin(), table.end(), text) != table.end();
}

bool is_plain(const YAML::Node& node) {
    return node.IsScalar() && node.Tag() == "?";
}

bool is_number(std::string_view text) {
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        text.remove_prefix(1);
    }
    double number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool digit_first =
        !text.empty() && (text.front() == '.' || (text.front() >= '0' && text.front() <= '9'));
    const bool decimal = digit_first && status == std::errc{} && end == text.data() + text.size();
    return decimal || (digit_first && text.size() > 2 && parse_unsigned(text).has_value());
}

} // namespace

std::string_view type_of(const YAML::Node& node) {
    if (node.IsMap()) {
        return "object";
    }
    if (node.IsSequence()) {
        return "array";
    }
    if (is_plain(node) && (is_one_of(k_true, node.Scalar()) || is_one_of(k_false, node.Scalar()))) {
        return "bool";
    }
    return is_plain(node) && is_number(node.Scalar()) ? "number" : "string";
}

bool is_true(const YAML::Node& node) {
    return is_plain(node) && is_one_of(k_true, node.Scalar());
}

std::string quote_json(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
        }
        if (static_cast<unsigned char>(c) < 0x20) {
            quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
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
