// Fields and order as in sigs.k8s.io/kustomize api/types/kustomization.go and
// api/internal/target/kusttarget.go.
#include "recipe/kustomize.hpp"

#include "base/strings.hpp"
#include "recipe/config_map_generator.hpp"
#include "recipe/merge.hpp"
#include "recipe/patch_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::recipe {
namespace {

constexpr int k_deepest_base = 16;

constexpr std::array<std::string_view, 3> k_names = {
    "kustomization.yaml", "kustomization.yml", "Kustomization"};

/// Fields that may change what is deployed and that are not rendered here.
constexpr std::array<std::string_view, 6> k_not_rendered = {"helmCharts",
                                                            "helmChartInflationGenerator",
                                                            "generators",
                                                            "transformers",
                                                            "replacements",
                                                            "vars"};

bool is_remote(const std::string& path) {
    return contains(path, "://") || path.starts_with("git@") || path.starts_with("github.com/") ||
           contains(path, "?ref=");
}

class Renderer {
public:
    Renderer(FileStore& files, Rendering& out)
        : files_(files),
          out_(out) {}

    /// Adds what the folder's kustomization makes to `objects`; a Component changes those there.
    void render(const std::string& folder, std::vector<Object>& objects, int depth) {
        const auto path = kustomization_in(folder);
        const auto& file = files_.open(path);
        out_.used.insert(normal_path(path));
        if (!file.errors.empty() || file.roots.empty()) {
            return; // the file's own row says so
        }
        const Node& root = *file.roots.front();
        std::vector<Object> own;
        const bool component = text(root, "kind") == "Component";
        auto& target = component ? objects : own;
        note_not_rendered(root);
        for (const auto field : {"resources", "bases", "components"}) {
            for (const auto& entry : member(root, field).items) {
                add_resource(folder, *entry, target, depth);
            }
        }
        generate_config_maps(
            root, [&](const Node& named) { return read(folder, named); }, target);
        patch(folder, root, target);
        rename(root, target);
        if (!component) {
            std::move(own.begin(), own.end(), std::back_inserter(objects));
        }
    }

private:
    void gap(const Node& at, std::string why) {
        out_.gaps.push_back({place_of(at), std::move(why)});
    }

    void note_not_rendered(const Node& root) {
        for (const auto field : k_not_rendered) {
            const auto& part = member(root, field);
            if (!part.items.empty() || !part.members.empty()) {
                gap(part,
                    fmt::format("{} are not rendered here: pass the output of kubectl "
                                "kustomize",
                                field));
            }
        }
    }

    const ParsedFile* open(const std::string& folder, const Node& named) {
        const auto path = allowed(folder, named);
        return path.empty() ? nullptr : &files_.open(path);
    }

    const ParsedFile* read(const std::string& folder, const Node& named) {
        const auto path = allowed(folder, named);
        return path.empty() ? nullptr : &files_.read(path);
    }

    /// The path of a file that a kustomization names; "", and a gap, when it must not be read.
    std::string allowed(const std::string& folder, const Node& named) {
        auto path = path_in(folder, named.text);
        // Kustomize itself refuses files outside of its folder.
        const bool inside =
            !named.text.starts_with('/') && !normal_path(named.text).starts_with("..");
        if (!inside || type_of(path) != PathType::file) {
            gap(named,
                fmt::format("{} {}", named.text, inside ? "does not exist" : "lies outside"));
            return "";
        }
        out_.used.insert(path);
        return path;
    }

    void add_resource(const std::string& folder,
                      const Node& entry,
                      std::vector<Object>& objects,
                      int depth) {
        if (is_remote(entry.text)) {
            gap(entry, entry.text + " is not among the files");
            return;
        }
        const auto path = path_in(folder, entry.text);
        if (type_of(path) == PathType::folder) {
            if (kustomization_in(path).empty() || depth >= k_deepest_base) {
                gap(entry, entry.text + " holds no kustomization");
            } else {
                render(path, objects, depth + 1);
            }
            return;
        }
        const auto* file = open(folder, entry);
        if (file == nullptr) {
            return;
        }
        for (const auto& document : file->roots) {
            auto found = objects_of(document, *file->path);
            std::move(found.begin(), found.end(), std::back_inserter(objects));
        }
    }

    // ---- patches ----

    void patch(const std::string& folder, const Node& root, std::vector<Object>& objects) {
        const PatchSchemas schemas(openapi(folder, root));
        for (const auto& entry : member(root, "patchesStrategicMerge").items) {
            const bool is_inline = contains(entry->text, "\n") || contains(entry->text, ": ");
            apply(is_inline ? inline_documents(*entry) : file_documents(folder, *entry),
                  {},
                  objects,
                  schemas);
        }
        for (const auto field : {"patchesJson6902", "patches"}) {
            for (const auto& entry : member(root, field).items) {
                const auto* path = entry->find("path");
                const auto* body = entry->find("patch");
                const auto documents = path != nullptr   ? file_documents(folder, **path)
                                       : body != nullptr ? inline_documents(**body)
                                                         : std::vector<NodePtr>();
                apply(documents, target_of(member(*entry, "target")), objects, schemas);
            }
        }
    }

    NodePtr openapi(const std::string& folder, const Node& root) {
        const auto* path = member(root, "openapi").find("path");
        const auto* file = path == nullptr ? nullptr : open(folder, **path);
        return file == nullptr || file->roots.empty() ? nullptr : file->roots.front();
    }

    std::vector<NodePtr> file_documents(const std::string& folder, const Node& named) {
        const auto* file = open(folder, named);
        return file == nullptr ? std::vector<NodePtr>() : file->roots;
    }

    std::vector<NodePtr> inline_documents(const Node& body) {
        auto documents = parse_documents(body.text, body.position.file);
        if (!documents.errors.empty()) {
            gap(body, "the patch is no YAML: " + documents.errors.front().cause);
        }
        for (auto& root : documents.roots) {
            root = moved(root, body.position);
        }
        return documents.roots;
    }

    /// Positions inside a block scalar count from its own first line, which follows its `|`.
    static NodePtr moved(const NodePtr& node, const Position& origin) {
        Node copy = *node;
        copy.position.line += origin.line;
        for (auto& item : copy.items) {
            item = moved(item, origin);
        }
        for (auto& [key, value] : copy.members) {
            value = moved(value, origin);
        }
        return std::make_shared<const Node>(std::move(copy));
    }

    void apply(const std::vector<NodePtr>& documents,
               const std::optional<PatchTarget>& target,
               std::vector<Object>& objects,
               const PatchSchemas& schemas) {
        for (const auto& document : documents) {
            if (document->kind == NodeKind::list) {
                apply_json(*document, target, objects);
                continue;
            }
            for (const auto& patch : objects_of(document, place_of(*document).file)) {
                apply_merge(patch, target, objects, schemas);
            }
        }
    }

    void apply_json(const Node& operations,
                    const std::optional<PatchTarget>& target,
                    std::vector<Object>& objects) {
        bool found = false;
        for (auto& object : objects) {
            if (!target || !matches(*target, object)) {
                continue;
            }
            found = true;
            auto patched = json_patch(object.node, operations);
            if (patched.ok()) {
                object.node = *std::move(patched);
            } else {
                gap(operations, fmt::format("{} in {}", patched.error().cause, object.name));
            }
        }
        if (!found) {
            gap(operations, "the patch's target is not among the resources");
        }
    }

    void apply_merge(const Object& patch,
                     const std::optional<PatchTarget>& target,
                     std::vector<Object>& objects,
                     const PatchSchemas& schemas) {
        const auto wanted = target.value_or(target_of_patch(patch));
        bool found = false;
        for (std::size_t i = 0; i < objects.size();) {
            auto& object = objects[i];
            if (!matches(wanted, object)) {
                ++i;
                continue;
            }
            found = true;
            if (text(*patch.node, "$patch") == "delete") {
                objects.erase(objects.begin() + static_cast<std::ptrdiff_t>(i));
                continue;
            }
            // A patch that names its target may leave out, or misname, what identifies it.
            const auto* metadata = object.node->find("metadata");
            object.node = strategic_merge(object.node, patch.node, schemas.of(object));
            if (metadata != nullptr && target) {
                const auto merged = member(*object.node, "metadata");
                const auto* name = (*metadata)->find("name");
                object.node = with_member(
                    object.node,
                    "metadata",
                    name == nullptr
                        ? *metadata
                        : with_member(std::make_shared<const Node>(merged), "name", *name));
            }
            ++i;
        }
        if (!found) {
            out_.unapplied.push_back(patch);
            gap(*patch.node,
                fmt::format("{} {} is not among the resources", patch.kind, patch.name));
        }
    }

    // ---- names ----

    static void rename(const Node& root, std::vector<Object>& objects) {
        const auto prefix = text(root, "namePrefix");
        const auto suffix = text(root, "nameSuffix");
        const auto ns = text(root, "namespace");
        for (auto& object : objects) {
            object.name.insert(0, prefix).append(suffix);
            object.ns = ns.empty() ? object.ns : ns;
        }
    }

    FileStore& files_;
    Rendering& out_;
};

} // namespace

bool is_kustomization(const std::string& path) {
    const auto name = file_name_of(path);
    return std::find(k_names.begin(), k_names.end(), name) != k_names.end();
}

std::string kustomization_in(const std::string& folder) {
    for (const auto name : k_names) {
        auto path = path_in(folder, std::string(name));
        if (type_of(path) == PathType::file) {
            return path;
        }
    }
    return "";
}

bool is_kustomize_component(const std::string& folder, FileStore& files) {
    const auto& file = files.open(kustomization_in(folder));
    return !file.roots.empty() && text(*file.roots.front(), "kind") == "Component";
}

Rendering render_kustomization(const std::string& folder, FileStore& files) {
    Rendering rendering;
    std::vector<Object> objects;
    Renderer(files, rendering).render(folder, objects, 0);
    for (auto& object : objects) {
        object.variant = folder;
    }
    for (auto& object : rendering.unapplied) {
        object.variant = folder;
    }
    rendering.objects = std::move(objects);
    return rendering;
}

} // namespace di::recipe
