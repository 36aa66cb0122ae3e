#include "recipe/container_reading.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace di::recipe {
namespace {

using model::VarSource;

/// What `$(NAME)` expansion must leave alone.
std::string literal(std::string_view value) {
    std::string escaped;
    for (const char c : value) {
        escaped += c;
        if (c == '$') {
            escaped += c;
        }
    }
    return escaped;
}

class Reader {
public:
    Reader(const ConfigMaps& maps, const Asker& asker)
        : maps_(maps),
          asker_(asker) {}

    void env_from(const Node& entries) {
        for (const auto& entry : entries.items) {
            const auto& reference = member(*entry, "configMapRef");
            const auto name = text(reference, "name");
            if (name.empty()) {
                continue; // a Secret: its names are not known, and are none of transport
            }
            const auto found = maps_.find(name, asker_);
            if (found.lookup != Lookup::found) {
                if (!is_true(member(reference, "optional"))) {
                    reading.absent_maps.push_back(name);
                }
                continue;
            }
            for (const auto& [key, value] : text_members(*found.data)) {
                set(text(*entry, "prefix") + key,
                    literal(value),
                    {VarSource::env_from, place_of(*entry), "", false, true, false});
            }
        }
    }

    void layer(const Node& entries, VarSource source) {
        std::set<std::string> names;
        for (const auto& entry : entries.items) {
            const auto name = text(*entry, "name");
            if (name.empty()) {
                continue;
            }
            Origin origin;
            origin.source = source;
            origin.place = place_of(*entry);
            origin.hides_earlier = !names.insert(name).second;
            const auto& from = member(*entry, "valueFrom");
            if (from.kind == NodeKind::map) {
                reference(name, from, std::move(origin));
            } else {
                plain(name, member(*entry, "value"), std::move(origin));
            }
        }
    }

    ContainerReading reading;

private:
    void set(const std::string& name, std::optional<std::string> value, Origin origin) {
        reading.container.env.push_back({name, std::move(value)});
        reading.origins.insert_or_assign(name, std::move(origin));
    }

    void plain(const std::string& name, const Node& value, Origin origin) {
        origin.is_text = value.kind == NodeKind::text || value.kind == NodeKind::null;
        if (value.kind == NodeKind::list || value.kind == NodeKind::map) {
            origin.unknown = "a list or mapping where a text must stand";
            set(name, std::nullopt, std::move(origin));
            return;
        }
        if (value.kind != NodeKind::null) {
            origin.place = place_of(value);
        }
        set(name, value.kind == NodeKind::null ? std::string() : value.text, std::move(origin));
    }

    void reference(const std::string& name, const Node& from, Origin origin) {
        origin.source = VarSource::value_from;
        const auto& map = member(from, "configMapKeyRef");
        if (map.kind == NodeKind::map) {
            from_map(name, map, std::move(origin));
            return;
        }
        const auto secret = text(member(from, "secretKeyRef"), "name");
        const auto field = text(member(from, "fieldRef"), "fieldPath");
        if (field == "status.podIP" || field == "status.podIPs" || field == "status.hostIP") {
            set(name, std::string(field == k_host_ip ? k_host_ip : k_pod_ip), std::move(origin));
            return;
        }
        origin.is_secret = !secret.empty();
        origin.unknown = origin.is_secret ? fmt::format("from Secret {}", secret)
                         : !field.empty() ? fmt::format("from the pod's {}", field)
                                          : std::string("from what only the cluster knows");
        set(name, std::nullopt, std::move(origin));
    }

    void from_map(const std::string& name, const Node& reference, Origin origin) {
        const auto map = text(reference, "name");
        const auto key = text(reference, "key");
        const auto found = maps_.find(map, asker_);
        const auto* value = found.lookup == Lookup::found ? found.data->find(key) : nullptr;
        if (value != nullptr) {
            origin.source = VarSource::config_map;
            origin.place = place_of(**value);
            set(name, literal((*value)->text), std::move(origin));
            return;
        }
        origin.unknown =
            found.lookup == Lookup::ambiguous
                ? fmt::format("from ConfigMap {}, of which several lie equally near", map)
            : found.lookup == Lookup::absent
                ? fmt::format("from ConfigMap {}, which is not among the files", map)
                : fmt::format("from key {} of ConfigMap {}, which has none such", key, map);
        set(name, std::nullopt, std::move(origin));
    }

    const ConfigMaps& maps_;
    const Asker& asker_;
};

void add_resources(model::StringMap& limits, const Node& resources) {
    for (const auto field : {"limits", "requests"}) {
        const auto& part = member(resources, field);
        for (const auto& [key, quantity] : text_members(part)) {
            // v1alpha1 has a word of its own for GPUs, and puts other resources below `custom`.
            limits.emplace(key == "gpu" ? std::string("nvidia.com/gpu") : key, quantity);
        }
        for (const auto& [key, quantity] : text_members(member(part, "custom"))) {
            limits.emplace(key, quantity);
        }
    }
}

void read_shape(model::Container& container, const Node& node, const PodTemplate& pod) {
    container.name = text(node, "name");
    container.image = text(node, "image");
    container.command = texts(member(node, "command"));
    container.args = texts(member(node, "args"));
    add_resources(container.limits, member(node, "resources"));
    if (&node == pod.main) {
        container.name = container.name.empty() ? "main" : container.name;
        add_resources(container.limits, *pod.resources);
    }
    for (const auto& claim : member(node, {"resources", "claims"}).items) {
        container.claims.push_back(text(*claim, "name"));
    }
    container.privileged = is_true(member(node, {"securityContext", "privileged"}));
}

bool stands_between(std::string_view value, std::string_view open, std::string_view close) {
    const auto begin = value.find(open);
    return begin != std::string_view::npos &&
           value.find(close, begin + open.size()) != std::string_view::npos;
}

bool is_variable_start(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '{' || c == '(';
}

} // namespace

ContainerReading read_container(const Node& node,
                                const PodTemplate& pod,
                                const ConfigMaps& maps,
                                const Asker& asker) {
    Reader reader(maps, asker);
    read_shape(reader.reading.container, node, pod);
    reader.env_from(member(node, "envFrom"));
    for (const auto& layer : pod.env) {
        reader.layer(*layer.entries, layer.source);
    }
    reader.layer(member(node, "env"), VarSource::literal);
    return std::move(reader.reading);
}

bool is_placeholder(std::string_view value) {
    static constexpr std::array<std::string_view, 7> k_words = {
        "change_me", "change-me", "changeme", "replace_me", "replace-me", "replaceme", "todo"};
    for (auto at = value.find('$'); at != std::string_view::npos; at = value.find('$', at + 1)) {
        if (at + 1 < value.size() && is_variable_start(value[at + 1])) {
            return true;
        }
    }
    const auto lower = to_lower(value);
    const bool marked = stands_between(value, "<", ">") || stands_between(value, "{{", "}}") ||
                        stands_between(value, "@", "@") || contains(value, "`");
    return marked || lower.starts_with("your-") || lower.starts_with("your_") ||
           std::any_of(k_words.begin(), k_words.end(), [&](std::string_view word) {
               return contains(lower, word);
           });
}

} // namespace di::recipe
