#include "recipe/merge.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace di::recipe {
namespace {

constexpr std::string_view k_directive = "$patch";

const Node& resolved(const Node& schema, const MergeSchema& context) {
    const auto reference = text(schema, "$ref");
    if (reference.empty() || context.definitions == nullptr) {
        return schema;
    }
    return member(*context.definitions, reference.substr(reference.rfind('/') + 1));
}

MergeSchema at_member(const MergeSchema& context, std::string_view key) {
    auto below = context;
    if (context.schema != nullptr) {
        const auto& whole = resolved(*context.schema, context);
        const auto* property = member(whole, "properties").find(key);
        below.schema = property == nullptr ? nullptr : property->get();
    }
    return below;
}

MergeSchema at_items(const MergeSchema& context) {
    auto below = context;
    if (context.schema != nullptr) {
        const auto* items = resolved(*context.schema, context).find("items");
        below.schema = items == nullptr ? nullptr : items->get();
    }
    return below;
}

/// Merge keys of core/v1 (k8s.io/api/core/v1/types.go, patchMergeKey).
std::string built_in_key(std::string_view list) {
    struct Known {
        std::string_view list;
        std::string_view key;
    };

    static constexpr std::array<Known, 10> k_known = {{{"containers", "name"},
                                                       {"initContainers", "name"},
                                                       {"ephemeralContainers", "name"},
                                                       {"env", "name"},
                                                       {"volumes", "name"},
                                                       {"imagePullSecrets", "name"},
                                                       {"resourceClaims", "name"},
                                                       {"volumeMounts", "mountPath"},
                                                       {"volumeDevices", "devicePath"},
                                                       {"ports", "containerPort"}}};
    const auto* known = std::find_if(
        k_known.begin(), k_known.end(), [&](const Known& entry) { return entry.list == list; });
    return known == k_known.end() ? "" : std::string(known->key);
}

/// The key by which a list is merged; "" when it is replaced.
std::string merge_key(const MergeSchema& list, std::string_view name) {
    if (list.schema != nullptr) {
        return text(resolved(*list.schema, list), "x-kubernetes-patch-merge-key");
    }
    return list.built_in ? built_in_key(name) : "";
}

NodePtr merge_nodes(const NodePtr& base,
                    const NodePtr& patch,
                    const MergeSchema& schema,
                    std::string_view name);

NodePtr without_directives(const NodePtr& node) {
    if (node->kind != NodeKind::map || node->find(k_directive) == nullptr) {
        return node;
    }
    Node copy = *node;
    std::erase_if(copy.members, [](const Member& entry) { return entry.first == k_directive; });
    return std::make_shared<const Node>(std::move(copy));
}

NodePtr merge_maps(const NodePtr& base, const NodePtr& patch, const MergeSchema& schema) {
    Node merged = *base;
    merged.position = patch->position;
    for (const auto& [key, value] : patch->members) {
        if (key.starts_with('$')) { // $setElementOrder, $retainKeys: nothing that is read here
            continue;
        }
        const auto same =
            std::find_if(merged.members.begin(),
                         merged.members.end(),
                         [&key = key](const Member& entry) { return entry.first == key; });
        const bool known = same != merged.members.end();
        if (value->kind == NodeKind::null) {
            if (known) {
                merged.members.erase(same);
            }
        } else if (known) {
            same->second = merge_nodes(same->second, value, at_member(schema, key), key);
        } else {
            merged.members.emplace_back(key, without_directives(value));
        }
    }
    return std::make_shared<const Node>(std::move(merged));
}

NodePtr merge_lists(const NodePtr& base,
                    const NodePtr& patch,
                    const MergeSchema& schema,
                    const std::string& key) {
    Node merged = *base;
    merged.position = patch->position;
    const auto below = at_items(schema);
    std::vector<NodePtr> fresh; // kustomize puts new elements in front
    for (const auto& item : patch->items) {
        const auto id = text(*item, key);
        const auto directive = text(*item, k_directive);
        const auto same =
            std::find_if(merged.items.begin(), merged.items.end(), [&](const NodePtr& other) {
                return !id.empty() && text(*other, key) == id;
            });
        if (same == merged.items.end()) {
            if (directive != "delete") {
                fresh.push_back(without_directives(item));
            }
        } else if (directive == "delete") {
            merged.items.erase(same);
        } else {
            *same = merge_nodes(*same, item, below, "");
        }
    }
    merged.items.insert(merged.items.begin(), fresh.begin(), fresh.end());
    return std::make_shared<const Node>(std::move(merged));
}

bool replaces_list(const Node& patch) {
    return std::any_of(patch.items.begin(), patch.items.end(), [](const NodePtr& item) {
        return text(*item, k_directive) == "replace";
    });
}

NodePtr merge_nodes(const NodePtr& base,
                    const NodePtr& patch,
                    const MergeSchema& schema,
                    std::string_view name) {
    if (base->kind == NodeKind::map && patch->kind == NodeKind::map) {
        return text(*patch, k_directive) == "replace" ? without_directives(patch)
                                                      : merge_maps(base, patch, schema);
    }
    if (base->kind == NodeKind::list && patch->kind == NodeKind::list && !replaces_list(*patch)) {
        const auto key = merge_key(schema, name);
        return key.empty() ? patch : merge_lists(base, patch, schema, key);
    }
    return patch;
}

// ---- RFC 6902 ----

/// RFC 6901: ~1 is a slash, ~0 a tilde.
std::string unescaped(std::string_view part) {
    std::string name;
    for (std::size_t i = 0; i < part.size(); ++i) {
        const char next = part[i] == '~' && i + 1 < part.size() ? part[i + 1] : '\0';
        const bool escape = next == '0' || next == '1';
        name += !escape ? part[i] : next == '1' ? '/' : '~';
        i += escape ? 1 : 0;
    }
    return name;
}

std::vector<std::string> pointer_parts(std::string_view pointer) {
    std::vector<std::string> parts;
    if (!pointer.empty()) {
        pointer.remove_prefix(1);
        for (const auto part : split(pointer, '/')) {
            parts.push_back(unescaped(part));
        }
    }
    return parts;
}

enum class Change : std::uint8_t { add, replace, remove };

/// One operation on its way down to the place that it changes.
class Edit {
public:
    Edit(Change change, NodePtr value, Position position)
        : change_(change),
          value_(std::move(value)),
          position_(std::move(position)) {}

    /// The changed node, or nullptr when the path leads nowhere.
    [[nodiscard]] NodePtr apply(const NodePtr& node, const std::vector<std::string>& path) const {
        return down(node, path, 0);
    }

private:
    [[nodiscard]] NodePtr
    down(const NodePtr& node, const std::vector<std::string>& path, std::size_t depth) const {
        if (depth == path.size()) {
            return change_ == Change::remove ? nullptr : value_;
        }
        Node copy = *node;
        copy.position = position_;
        const bool last = depth + 1 == path.size();
        const bool done = copy.kind == NodeKind::map    ? in_map(copy, path, depth, last)
                          : copy.kind == NodeKind::list ? in_list(copy, path, depth, last)
                                                        : false;
        return done ? std::make_shared<const Node>(std::move(copy)) : nullptr;
    }

    bool
    in_map(Node& map, const std::vector<std::string>& path, std::size_t depth, bool last) const {
        const auto found =
            std::find_if(map.members.begin(), map.members.end(), [&](const Member& entry) {
                return entry.first == path[depth];
            });
        if (found == map.members.end()) {
            if (!last || change_ != Change::add) {
                return false;
            }
            map.members.emplace_back(path[depth], value_);
            return true;
        }
        if (last && change_ == Change::remove) {
            map.members.erase(found);
            return true;
        }
        found->second = down(found->second, path, depth + 1);
        return found->second != nullptr;
    }

    bool
    in_list(Node& list, const std::vector<std::string>& path, std::size_t depth, bool last) const {
        const bool at_end = path[depth] == "-";
        const auto index = at_end ? std::optional(list.items.size()) : parse_index(path[depth]);
        if (!index || *index > list.items.size()) {
            return false;
        }
        const auto place = list.items.begin() + static_cast<std::ptrdiff_t>(*index);
        if (last && change_ == Change::add) {
            list.items.insert(place, value_);
            return true;
        }
        if (place == list.items.end()) {
            return false;
        }
        if (last && change_ == Change::remove) {
            list.items.erase(place);
            return true;
        }
        *place = down(*place, path, depth + 1);
        return *place != nullptr;
    }

    static std::optional<std::size_t> parse_index(std::string_view text) {
        const auto number = parse_unsigned(text);
        return number ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
    }

    Change change_;
    NodePtr value_;
    Position position_;
};

NodePtr find_at(const NodePtr& node, const std::vector<std::string>& path) {
    NodePtr at = node;
    for (const auto& part : path) {
        const auto* found = at->find(part);
        const auto index = parse_unsigned(part);
        if (found != nullptr) {
            at = *found;
        } else if (index && *index < at->items.size()) {
            at = at->items[*index];
        } else {
            return nullptr;
        }
    }
    return at;
}

NodePtr apply_operation(const NodePtr& base, const Node& operation) {
    const auto op = text(operation, "op");
    const auto path = pointer_parts(text(operation, "path"));
    const auto from = pointer_parts(text(operation, "from"));
    const auto* value = operation.find("value");
    const auto edit = [&](Change change, const NodePtr& with, const NodePtr& on) {
        return on == nullptr || (with == nullptr && change != Change::remove)
                   ? nullptr
                   : Edit(change, with, operation.position).apply(on, path);
    };
    const NodePtr given = value == nullptr ? nullptr : *value;
    if (op == "add" || op == "replace") {
        return edit(op == "add" ? Change::add : Change::replace, given, base);
    }
    if (op == "remove") {
        return edit(Change::remove, nullptr, base);
    }
    if (op == "copy" || op == "move") {
        const auto rest = op == "copy"
                              ? base
                              : Edit(Change::remove, nullptr, operation.position).apply(base, from);
        return edit(Change::add, find_at(base, from), rest);
    }
    return op == "test" ? base : nullptr;
}

} // namespace

NodePtr strategic_merge(const NodePtr& base, const NodePtr& patch, const MergeSchema& schema) {
    return merge_nodes(base, patch, schema, "");
}

Result<NodePtr> json_patch(const NodePtr& base, const Node& operations) {
    NodePtr result = base;
    for (const auto& operation : operations.items) {
        auto next = apply_operation(result, *operation);
        if (next == nullptr) {
            return Error{
                ErrorKind::parse,
                "",
                "",
                fmt::format("cannot {} {}", text(*operation, "op"), text(*operation, "path")),
                ""};
        }
        result = std::move(next);
    }
    return result;
}

NodePtr with_member(const NodePtr& base, std::string_view key, NodePtr value) {
    Node copy = *base;
    const auto same = std::find_if(copy.members.begin(),
                                   copy.members.end(),
                                   [&](const Member& entry) { return entry.first == key; });
    if (same == copy.members.end()) {
        copy.members.emplace_back(key, std::move(value));
    } else {
        same->second = std::move(value);
    }
    return std::make_shared<const Node>(std::move(copy));
}

} // namespace di::recipe
