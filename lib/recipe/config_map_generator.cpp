#include "recipe/config_map_generator.hpp"

#include "base/strings.hpp"
#include "recipe/merge.hpp"

#include <algorithm>

namespace di::recipe {
namespace {

std::string after(const std::string& text, std::size_t sign) {
    return sign == std::string::npos ? "" : text.substr(sign + 1);
}

/// Quotes around a literal's value are the user's shell habit; kustomize takes them off.
std::string unquoted(std::string value) {
    const bool quoted = value.size() >= 2 && value.front() == value.back() &&
                        (value.front() == '\'' || value.front() == '"');
    return quoted ? value.substr(1, value.size() - 2) : value;
}

class Generator {
public:
    Generator(const Node& generator, const NamedFileReader& read)
        : generator_(generator),
          read_(read) {
        data_.kind = NodeKind::map;
        data_.position = generator.position;
    }

    void run(std::vector<Object>& objects) {
        for (const auto& literal : member(generator_, "literals").items) {
            const auto sign = literal->text.find('=');
            add(literal->text.substr(0, sign), unquoted(after(literal->text, sign)));
        }
        for (const auto& entry : member(generator_, "files").items) {
            add_file(*entry);
        }
        for (const auto& name : member(generator_, "envs").items) {
            add_env_file(*name);
        }
        if (const auto* single = generator_.find("env")) {
            add_env_file(**single);
        }
        keep(objects);
    }

private:
    void add(std::string key, std::string value) {
        Node node;
        node.kind = NodeKind::text;
        node.text = std::move(value);
        node.position = data_.position;
        data_.members.emplace_back(std::move(key), std::make_shared<const Node>(std::move(node)));
    }

    /// "path" or "key=path".
    void add_file(const Node& entry) {
        const auto sign = entry.text.find('=');
        Node named = entry;
        named.text = sign == std::string::npos ? entry.text : after(entry.text, sign);
        if (const auto* file = read_(named)) {
            add(sign == std::string::npos ? file_name_of(named.text) : entry.text.substr(0, sign),
                file->text);
        }
    }

    /// Lines of NAME=value; only blanks in front are no part of them. A bare NAME is empty here,
    /// where the shell that kustomize runs in is not known.
    void add_env_file(const Node& named) {
        const auto* file = read_(named);
        for (const auto line : lines(file == nullptr ? std::string_view() : file->text)) {
            const std::string content(
                line.substr(std::min(line.find_first_not_of(" \t"), line.size())));
            if (!content.empty() && content.front() != '#') {
                const auto sign = content.find('=');
                add(content.substr(0, sign), after(content, sign));
            }
        }
    }

    void keep(std::vector<Object>& objects) {
        const auto name = text(generator_, "name");
        const auto behavior = text(generator_, "behavior");
        const auto same = std::find_if(objects.begin(), objects.end(), [&](const Object& object) {
            return object.kind == "ConfigMap" && object.base_name == name;
        });
        const NodePtr data = std::make_shared<const Node>(std::move(data_));
        if (same != objects.end() && (behavior == "merge" || behavior == "replace")) {
            const auto* old = same->node->find("data");
            const bool merges = behavior == "merge" && old != nullptr;
            same->node =
                with_member(same->node, "data", merges ? strategic_merge(*old, data, {}) : data);
            return;
        }
        Object object;
        object.api_version = "v1";
        object.kind = "ConfigMap";
        object.name = object.base_name = name;
        object.ns = text(generator_, "namespace");
        object.file = place_of(generator_).file;
        Node node;
        node.kind = NodeKind::map;
        node.position = generator_.position;
        node.members.emplace_back("data", data);
        object.node = std::make_shared<const Node>(std::move(node));
        objects.push_back(std::move(object));
    }

    const Node& generator_;
    const NamedFileReader& read_;
    Node data_;
};

} // namespace

void generate_config_maps(const Node& root,
                          const NamedFileReader& read,
                          std::vector<Object>& objects) {
    for (const auto& generator : member(root, "configMapGenerator").items) {
        Generator(*generator, read).run(objects);
    }
}

} // namespace di::recipe
