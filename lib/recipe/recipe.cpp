#include "recipe/recipe.hpp"

#include "base/strings.hpp"
#include "recipe/components.hpp"
#include "recipe/kustomize.hpp"
#include "recipe/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace di::recipe {
namespace {

using model::Check;
using model::SkipReason;

Check file_row(RuleId id, const model::Place& place, std::string detail) {
    Check check;
    check.name = rule(id).name;
    check.code = rule(id).code;
    check.status = model::Status::skipped;
    check.reason = SkipReason::unreadable;
    check.subject = {model::SubjectKind::file, "", place.file};
    check.detail = std::move(detail);
    check.facts.set("file", place.file)
        .set("line", place.line > 0 ? model::Value(place.line) : model::Value(nullptr));
    check.next = model::NextStep{{"vi", fmt::format("+{}", std::max(place.line, 1)), place.file},
                                 std::string(rule(id).fix)};
    return check;
}

/// Marks of Go's and Jinja's template languages.
bool is_template(std::string_view text) {
    return contains(text, "{{") || contains(text, "{%");
}

class Reader {
public:
    explicit Reader(Recipe& recipe)
        : recipe_(recipe) {}

    void read(const Walk& walk) {
        const auto used = render(kustomized_folders(walk));
        for (const auto& file : walk.files) {
            if (!file.problem.empty()) {
                recipe_.checks.push_back(
                    file_row(RuleId::broken_file, {file.path, 0}, file.problem));
            } else if (used.count(normal_path(file.path)) == 0 && !is_kustomization(file.path)) {
                read_plain(file, walk);
            }
        }
        report_broken();
        recipe_.files = files_.count();
        auto list = read_components(objects_, patches_);
        recipe_.components = std::move(list.components);
        std::move(list.checks.begin(), list.checks.end(), std::back_inserter(recipe_.checks));
    }

private:
    static std::set<std::string> kustomized_folders(const Walk& walk) {
        std::set<std::string> folders;
        for (const auto& file : walk.files) {
            if (is_kustomization(file.path) && file.problem.empty()) {
                folders.insert(folder_of(normal_path(file.path)));
            }
        }
        return folders;
    }

    /// Renders what stands by itself, then the Components that nobody uses: their patches are parts
    /// of what lies elsewhere. Returns the files that were read.
    std::set<std::string> render(const std::set<std::string>& folders) {
        std::set<std::string> used;
        for (const bool components : {false, true}) {
            for (const auto& folder : folders) {
                const bool is_used = used.count(normal_path(kustomization_in(folder))) > 0;
                if (is_kustomize_component(folder, files_) != components ||
                    (components && is_used)) {
                    continue;
                }
                auto rendering = render_kustomization(folder, files_);
                used.insert(rendering.used.begin(), rendering.used.end());
                if (components) {
                    rendering.gaps.clear();
                }
                keep(std::move(rendering));
            }
        }
        return used;
    }

    void keep(Rendering rendering) {
        for (const auto& gap : rendering.gaps) {
            recipe_.checks.push_back(file_row(RuleId::not_rendered, gap.place, gap.why));
        }
        std::move(rendering.objects.begin(), rendering.objects.end(), std::back_inserter(objects_));
        std::move(
            rendering.unapplied.begin(), rendering.unapplied.end(), std::back_inserter(patches_));
    }

    static bool in_chart_templates(const std::string& path, const Walk& walk) {
        return std::any_of(walk.charts.begin(), walk.charts.end(), [&](const std::string& chart) {
            return path.starts_with(chart + "/templates/");
        });
    }

    void read_plain(const FoundFile& found, const Walk& walk) {
        if (in_chart_templates(found.path, walk) && is_template(files_.read(found.path).text)) {
            name_template(found.path);
            return;
        }
        for (const auto& document : files_.open(found.path).roots) {
            auto objects = objects_of(document, found.path);
            std::move(objects.begin(), objects.end(), std::back_inserter(objects_));
        }
    }

    void name_template(const std::string& path) {
        recipe_.checks.push_back(file_row(RuleId::not_rendered,
                                          {path, 0},
                                          "a template, not YAML: render it first and pass that"));
    }

    void report_broken() {
        for (const auto* file : files_.broken()) {
            const auto& error = file->errors.front();
            if (error.line > 0 && is_template(file->text)) {
                name_template(*file->path);
                continue;
            }
            const auto where =
                error.line > 0 ? fmt::format("line {}, column {}: ", error.line, error.column) : "";
            recipe_.checks.push_back(
                file_row(RuleId::broken_file, {*file->path, error.line}, where + error.cause));
        }
    }

    Recipe& recipe_;
    FileStore files_;
    std::vector<Object> objects_;
    std::vector<Object> patches_;
};

} // namespace

Recipe read_recipe(const std::vector<std::string>& paths) {
    Recipe recipe;
    auto walk = find_files(paths);
    Reader(recipe).read(walk);
    for (const auto& path : walk.absent) {
        auto row = file_row(RuleId::broken_file, {path, 0}, "no such file or folder");
        row.next->argv = {"ls", "-l", folder_of(path)};
        recipe.checks.push_back(std::move(row));
    }
    recipe.absent = std::move(walk.absent);
    return recipe;
}

} // namespace di::recipe
