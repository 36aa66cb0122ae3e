#include "env.hpp"

#include "base/strings.hpp"
#include "exit_codes.hpp"
#include "judge/settings.hpp"
#include "parse/environment.hpp"
#include "recipe/recipe.hpp"
#include "reporting.hpp"
#include "verdict/settings_verdict.hpp"
#include "verdict/standalone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace di::app {
namespace {

using model::Check;
using model::Component;
using model::SkipReason;
using model::SubjectKind;

/// The components that KV may leave, as the judge sees workers. Row subjects lead back to them.
struct Workers {
    model::Inventory inventory;
    std::vector<model::PodObservation> observations;
    std::vector<Component*> components; ///< one for each worker
};

model::PodObservation observation_of(const Component& component, std::size_t worker) {
    model::PodObservation seen;
    seen.worker = worker;
    seen.exec = 0; // nothing was run, so nothing failed
    seen.environment = parse::environment(model::EnvSource::manifest,
                                          parse::only_allowed(component.worker.spec.env));
    seen.environment->unknown = component.unknown;
    return seen;
}

Workers workers_of(std::vector<Component>& components) {
    Workers workers;
    std::map<std::string, model::Graph> graphs;
    for (auto& component : components) {
        auto& graph = graphs[component.group];
        graph.ns = component.group;
        graph.name = component.graph;
        graph.disagg = graph.disagg || component.role == model::ComponentRole::prefill ||
                       component.role == model::ComponentRole::decode;
        if (is_worker(component.role)) {
            workers.observations.push_back(
                observation_of(component, workers.inventory.workers.size()));
            workers.inventory.workers.push_back(component.worker);
            workers.inventory.workers.back().spec.image.clear(); // images are none of its business
            workers.components.push_back(&component);
        }
    }
    for (auto& [group, graph] : graphs) {
        workers.inventory.graphs.push_back(std::move(graph));
    }
    return workers;
}

bool is_split(const model::Inventory& inventory, const Component& component) {
    return std::any_of(
        inventory.graphs.begin(), inventory.graphs.end(), [&](const model::Graph& graph) {
            return graph.ns == component.group && graph.disagg;
        });
}

/// Where a row's cause stands: the variable's own place, else the component's.
model::Place place_of(const Component& component, const Check& row) {
    const auto* fact = row.facts.find("variable");
    const auto* name = fact == nullptr ? nullptr : std::get_if<std::string>(&fact->data());
    const auto var = name == nullptr ? component.vars.end() : component.vars.find(*name);
    return var == component.vars.end() ? component.place : var->second.place;
}

/// The row as one about a component: where to look is a place in a file.
void point_at(Check& row, const model::Place& place) {
    row.facts.set("file", place.file).set("line", place.line);
    if (row.next && row.reason != SkipReason::not_applicable) {
        row.next->argv = {"vi", fmt::format("+{}", std::max(place.line, 1)), place.file};
    }
}

/// What the rules say of every worker, and what that means for each of its variables.
std::vector<Check> judge_components(Workers& workers, const judge::Context& context) {
    auto judgement =
        judge::evaluate(workers.inventory, workers.observations, context, judge::Scope::settings);
    std::vector<Check> all;
    for (std::size_t i = 0; i < workers.components.size(); ++i) {
        auto& component = *workers.components[i];
        const auto& worker = workers.inventory.workers[i];
        const auto& seen = workers.observations[i];
        std::vector<Check> rows;
        for (const auto& row : judgement.checks) {
            const bool own = row.subject.kind == SubjectKind::pod && row.subject.ns == worker.ns &&
                             row.subject.name == worker.pod;
            if (own && !(component.partial && row.name == "connector")) {
                rows.push_back(row);
            }
        }
        const bool split = is_split(workers.inventory, component);
        if (split) {
            auto unknown = judge::judge_unknown_values(worker, seen, rows);
            std::move(unknown.begin(), unknown.end(), std::back_inserter(rows));
        }
        for (auto& [name, var] : component.vars) {
            const auto verdict =
                split ? judge::judge_variable(name, worker, seen, rows)
                      : judge::VariableVerdict{model::Status::skipped, SkipReason::not_applicable};
            var.status = verdict.status;
            var.reason = verdict.reason;
        }
        for (auto& row : rows) {
            row.subject.kind = SubjectKind::component;
            row.subject.graph = component.graph.value_or("");
            point_at(row, place_of(component, row));
        }
        std::move(rows.begin(), rows.end(), std::back_inserter(all));
    }
    for (auto& row : judgement.checks) {
        if (row.subject.kind == SubjectKind::pair) {
            const auto prefill = row.subject.name.substr(0, row.subject.name.find(" -> "));
            const auto side = std::find_if(
                workers.components.begin(), workers.components.end(), [&](const Component* one) {
                    return one->group == row.subject.ns && one->name == prefill;
                });
            row.subject.graph = (*side)->graph.value_or("");
            point_at(row, (*side)->place);
            all.push_back(std::move(row));
        }
    }
    return all;
}

void skip_other_components(std::vector<Component>& components) {
    for (auto& component : components) {
        if (!is_worker(component.role)) {
            for (auto& [name, var] : component.vars) {
                var.status = model::Status::skipped;
                var.reason = SkipReason::not_applicable;
            }
        }
    }
}

/// The same component may be read through several overlays that leave it alone; it is listed once,
/// and so is what is said of it.
template<class T, class Same> void keep_first(std::vector<T>& list, Same same) {
    std::vector<T> kept;
    for (auto& entry : list) {
        if (std::none_of(
                kept.begin(), kept.end(), [&](const T& one) { return same(one, entry); })) {
            kept.push_back(std::move(entry));
        }
    }
    list = std::move(kept);
}

bool same_component(const Component& a, const Component& b) {
    return a.name == b.name && a.graph == b.graph && a.role == b.role && a.place == b.place &&
           a.vars == b.vars;
}

bool same_row(const Check& a, const Check& b) {
    return a.code == b.code && a.status == b.status && a.subject == b.subject &&
           a.detail == b.detail && a.facts == b.facts;
}

std::string describe(const recipe::Recipe& recipe) {
    std::map<model::ComponentRole, std::size_t> roles;
    for (const auto& component : recipe.components) {
        ++roles[component.role];
    }
    const auto counted = [](std::size_t count, std::string_view what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    auto text =
        counted(recipe.components.size(), "component") + " in " + counted(recipe.files, "file");
    const auto* separator = ": ";
    for (const auto& [role, count] : roles) {
        text += fmt::format("{}{} {}", separator, count, to_string(role));
        separator = ", ";
    }
    return text;
}

/// Files that could not be judged, for people and logs that look at stderr alone.
void report_files(const recipe::Recipe& recipe, const Deps& deps) {
    for (const auto& row : recipe.checks) {
        if (row.subject.kind == SubjectKind::file) {
            deps.err(to_text(Error{
                ErrorKind::parse, "cannot judge a manifest", row.subject.name, row.detail, ""}));
        }
    }
}

model::Report make_report(recipe::Recipe& recipe, const cli::Invocation& invocation) {
    auto workers = workers_of(recipe.components);
    auto report = start_report(std::nullopt, {});
    report.place = describe(recipe);
    report.checks = std::move(recipe.checks);
    auto rows = judge_components(workers, {invocation.kubectl_prefix});
    std::move(rows.begin(), rows.end(), std::back_inserter(report.checks));
    skip_other_components(recipe.components);
    waive(report.checks, invocation.waivers);
    auto weighed =
        verdict::weigh_settings(recipe.components, report.checks, verdict_options(invocation));
    for (auto& row : report.checks) { // the group was for weighing; a person knows files and graphs
        row.subject.ns.clear();
    }
    keep_first(report.checks, same_row);
    keep_first(recipe.components, same_component);
    report.verdict = std::move(weighed.verdict);
    report.graphs = std::move(weighed.graphs);
    report.counts = verdict::count_rows(report.checks);
    report.components = std::move(recipe.components);
    return report;
}

} // namespace

int run_env(const cli::Invocation& invocation, const Deps& deps) {
    const Instant started = deps.clock.now();
    auto recipe = recipe::read_recipe(invocation.arguments);
    report_files(recipe, deps);
    const bool absent = !recipe.absent.empty();
    if (recipe.components.empty() && recipe.checks.size() == recipe.absent.size()) {
        if (absent) {
            return k_exit_usage;
        }
        return give_up(Error{ErrorKind::not_found,
                             "no manifest with a Dynamo component or an engine",
                             join(invocation.arguments, ", "),
                             "files that kubectl would apply end in .yaml, .yml or .json",
                             ""},
                       deps);
    }
    auto report = make_report(recipe, invocation);
    report.timing.total = std::chrono::duration_cast<Millis>(deps.clock.now() - started);
    if (absent) {
        report.verdict.readiness.exit_code = k_exit_usage;
    }
    deps.out(rendered(report, invocation, deps));
    return report.verdict.readiness.exit_code;
}

} // namespace di::app
