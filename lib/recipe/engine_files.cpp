#include "recipe/engine_files.hpp"

#include "base/strings.hpp"
#include "recipe/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::recipe {
namespace {

using model::SkipReason;
using model::Unseen;

constexpr std::string_view k_flag_file = "--config";

bool names_file(std::string_view option) {
    static constexpr std::array<std::string_view, 6> k_options = {k_flag_file,
                                                                  "--extra-engine-args",
                                                                  "--extra_engine_args",
                                                                  "--extra_llm_api_options",
                                                                  "--extra-llm-api-options",
                                                                  "--config_file"};
    return std::find(k_options.begin(), k_options.end(), option) != k_options.end();
}

/// A volume whose mount covers the path, and the path below it.
struct Mount {
    std::string volume;
    std::string below;
};

Mount find_mount(const Node& container, const std::string& path) {
    Mount best;
    std::size_t longest = 0;
    for (const auto& mount : member(container, "volumeMounts").items) {
        auto root = normal_path(text(*mount, "mountPath"));
        const auto sub_path = text(*mount, "subPath");
        const bool exact = path == root;
        const bool covers = exact || path.starts_with(root == "/" ? root : root + "/");
        if (root.empty() || !covers || root.size() < longest) {
            continue;
        }
        longest = root.size();
        const auto rest = exact ? std::string() : path.substr(root.size() + (root == "/" ? 0 : 1));
        best = {text(*mount, "name"), path_in(sub_path.empty() ? "." : sub_path, rest)};
    }
    return best;
}

/// The key of a ConfigMap that a projected path shows.
std::string key_at(const Node& source, const std::string& below) {
    const auto& items = member(source, "items").items;
    if (items.empty()) {
        return below;
    }
    const auto item = std::find_if(items.begin(), items.end(), [&](const NodePtr& entry) {
        return text(*entry, "path") == below;
    });
    return item == items.end() ? "" : text(**item, "key");
}

class Finder {
public:
    Finder(const ConfigMaps& maps, const Asker& asker)
        : maps_(maps),
          asker_(asker) {}

    void find(EngineFile& file, const Node& container, const Node& pod_spec) const {
        file.unknown = fmt::format("{} is not among the files", file.path);
        const auto mount = find_mount(container, normal_path(file.path));
        for (const auto& volume : member(pod_spec, "volumes").items) {
            if (text(*volume, "name") != mount.volume || mount.volume.empty()) {
                continue;
            }
            in_source(file, member(*volume, "configMap"), mount.below);
            for (const auto& source : member(*volume, {"projected", "sources"}).items) {
                in_source(file, member(*source, "configMap"), mount.below);
            }
        }
    }

private:
    void in_source(EngineFile& file, const Node& source, const std::string& below) const {
        const auto name = text(source, "name");
        if (name.empty() || file.content != nullptr) {
            return;
        }
        const auto found = maps_.find(name, asker_);
        if (found.lookup != Lookup::found) {
            file.unknown = fmt::format("ConfigMap {} is not among the files", name);
            return;
        }
        const auto* data = found.data->find(key_at(source, below));
        if (data == nullptr) {
            file.unknown = fmt::format("ConfigMap {} has no {}", name, below);
            return;
        }
        auto documents = parse_documents((*data)->text, (*data)->position.file);
        if (!documents.errors.empty()) {
            file.unknown = fmt::format("{} of ConfigMap {} is no YAML", below, name);
            return;
        }
        file.content =
            documents.roots.empty() ? std::make_shared<const Node>() : documents.roots.front();
    }

    const ConfigMaps& maps_;
    const Asker& asker_;
};

/// One key of a flag file as words.
void add_flag(std::vector<std::string>& words, const std::string& key, const Node& value) {
    const std::string flag = "--" + key;
    switch (value.kind) {
    case NodeKind::null:
        break;
    case NodeKind::boolean:
        if (is_true(value)) {
            words.push_back(flag);
        }
        break;
    case NodeKind::map:
        words.insert(words.end(), {flag, to_json(value)});
        break;
    case NodeKind::list:
        words.push_back(flag);
        for (const auto& item : value.items) {
            words.push_back(item->text);
        }
        break;
    default:
        words.insert(words.end(), {flag, value.text});
    }
}

std::pair<std::string, std::string> option_at(const std::vector<std::string>& words,
                                              std::size_t at) {
    const auto& word = words[at];
    const auto sign = word.find('=');
    if (sign != std::string::npos) {
        return {word.substr(0, sign), word.substr(sign + 1)};
    }
    return {word, at + 1 < words.size() ? words[at + 1] : ""};
}

} // namespace

std::vector<EngineFile> find_engine_files(const std::vector<std::string>& words,
                                          const Node& container,
                                          const Node& pod_spec,
                                          const ConfigMaps& maps,
                                          const Asker& asker) {
    std::vector<EngineFile> files;
    const Finder finder(maps, asker);
    for (std::size_t i = 0; i < words.size(); ++i) {
        auto [option, path] = option_at(words, i);
        if (names_file(option) && !path.empty()) {
            EngineFile file{std::move(option), std::move(path), nullptr, ""};
            finder.find(file, container, pod_spec);
            files.push_back(std::move(file));
        }
    }
    return files;
}

std::vector<std::string> with_flag_files(std::vector<std::string> words,
                                         const std::vector<EngineFile>& files) {
    for (const auto& file : files) {
        if (file.option != k_flag_file || file.content == nullptr) {
            continue;
        }
        std::vector<std::string> flags;
        for (const auto& [key, value] : file.content->members) {
            add_flag(flags, key, *value);
        }
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (option_at(words, i) == std::pair(file.option, file.path)) {
                const auto begin = words.begin() + static_cast<std::ptrdiff_t>(i);
                words.erase(begin, begin + (contains(words[i], "=") ? 1 : 2));
                break;
            }
        }
        const auto first = std::find_if(words.begin(), words.end(), [](const std::string& word) {
            return word.starts_with("--");
        });
        words.insert(first, flags.begin(), flags.end());
    }
    return words;
}

model::Seen<model::Value> engine_config(const std::vector<EngineFile>& files) {
    model::Seen<model::Value> config;
    for (const auto& file : files) {
        if (file.content == nullptr) {
            return Unseen{SkipReason::unreadable, file.unknown};
        }
        if (!config) {
            config = model::Value::object();
        }
        for (const auto& [key, value] : file.content->members) {
            config->set(key, to_value(*value));
        }
    }
    return config;
}

} // namespace di::recipe
