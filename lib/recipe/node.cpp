#include "recipe/node.hpp"

#include "base/strings.hpp"
#include "base/yaml_text.hpp"

#include <algorithm>

namespace di::recipe {
namespace {

const Node k_nothing{};

bool is_scalar(const Node& node) {
    return node.kind == NodeKind::boolean || node.kind == NodeKind::number ||
           node.kind == NodeKind::text;
}

std::string scalar_text(const Node& node) {
    return is_scalar(node) ? node.text : std::string();
}

} // namespace

const NodePtr* Node::find(std::string_view key) const {
    const auto found = std::find_if(
        members.begin(), members.end(), [&](const Member& entry) { return entry.first == key; });
    return found == members.end() ? nullptr : &found->second;
}

const Node& member(const Node& node, std::string_view key) {
    const auto* found = node.find(key);
    return found == nullptr ? k_nothing : **found;
}

const Node& member(const Node& node, std::initializer_list<std::string_view> path) {
    const Node* at = &node;
    for (const auto key : path) {
        at = &member(*at, key);
    }
    return *at;
}

std::string text(const Node& node, std::string_view key) {
    return scalar_text(member(node, key));
}

std::vector<std::string> texts(const Node& list) {
    std::vector<std::string> result;
    result.reserve(list.items.size());
    for (const auto& item : list.items) {
        result.push_back(scalar_text(*item));
    }
    return result;
}

std::vector<std::pair<std::string, std::string>> text_members(const Node& map) {
    std::vector<std::pair<std::string, std::string>> result;
    for (const auto& [key, value] : map.members) {
        if (is_scalar(*value)) {
            result.emplace_back(key, value->text);
        }
    }
    return result;
}

bool is_true(const Node& node) {
    return node.kind == NodeKind::boolean && is_yaml_true(node.text);
}

model::Place place_of(const Node& node) {
    return {node.position.file ? *node.position.file : std::string(), node.position.line};
}

model::Value to_value(const Node& node) {
    switch (node.kind) {
    case NodeKind::map: {
        model::Value object = model::Value::object();
        for (const auto& [key, value] : node.members) {
            object.set(key, to_value(*value));
        }
        return object;
    }
    case NodeKind::list: {
        model::Value array = model::Value::array();
        for (const auto& item : node.items) {
            array.push(to_value(*item));
        }
        return array;
    }
    case NodeKind::boolean:
        return is_true(node);
    case NodeKind::null:
        return nullptr;
    default:
        return node.text;
    }
}

std::string to_json(const Node& node) {
    std::vector<std::string> parts;
    switch (node.kind) {
    case NodeKind::map:
        for (const auto& [key, value] : node.members) {
            parts.push_back(quote_json(key) + ':' + to_json(*value));
        }
        return '{' + join(parts, ",") + '}';
    case NodeKind::list:
        for (const auto& item : node.items) {
            parts.push_back(to_json(*item));
        }
        return '[' + join(parts, ",") + ']';
    case NodeKind::text:
        return quote_json(node.text);
    case NodeKind::boolean:
        return is_true(node) ? "true" : "false";
    case NodeKind::number:
        return node.text;
    case NodeKind::null:
        break;
    }
    return "null";
}

} // namespace di::recipe
