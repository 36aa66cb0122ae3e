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

/// The components that KV may leave, as the judge sees workers: called by their index, which leads
/// rows back to them.
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
            auto worker = component.worker;
            worker.pod = std::to_string(workers.components.size()); // names may come twice
            worker.spec.image.clear(); // images are none of its business
            workers.inventory.workers.push_back(std::move(worker));
            workers.components.push_back(&component);
        }
    }
    for (auto& [group, graph] : graphs) {
        workers.inventory.graphs.push_back(std::move(graph));
    }
    return workers;
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

/// The component that a row's subject counts.
std::size_t index_of(std::string_view pod) {
    return static_cast<std::size_t>(parse_unsigned(pod).value_or(0));
}

std::set<std::string> split_groups(const model::Inventory& inventory) {
    std::set<std::string> groups;
    for (const auto& graph : inventory.graphs) {
        if (graph.disagg) {
            groups.insert(graph.ns);
        }
    }
    return groups;
}

/// Completes the rows of one component, and says what they mean for each of its variables.
void finish_component(Component& component,
                      const model::PodObservation& seen,
                      bool split,
                      std::vector<Check>& rows) {
    if (component.partial) { // what a patch leaves out is set elsewhere
        std::erase_if(rows, [](const Check& row) { return row.name == "connector"; });
    }
    if (split) {
        auto unknown = judge::judge_unknown_values(component.worker, seen, rows);
        std::move(unknown.begin(), unknown.end(), std::back_inserter(rows));
    }
    const judge::VariableVerdict no_say{model::Status::skipped, SkipReason::not_applicable};
    for (auto& [name, var] : component.vars) {
        const auto verdict =
            split ? judge::judge_variable(name, component.worker, seen, rows) : no_say;
        var.status = verdict.status;
        var.reason = verdict.reason;
    }
    for (auto& row : rows) {
        row.subject.kind = SubjectKind::component;
        row.subject.name = component.name;
        row.subject.graph = component.graph.value_or("");
        point_at(row, place_of(component, row));
    }
}

/// A row about two components, under their names.
void finish_pair(Check& row, const std::vector<Component*>& components) {
    constexpr std::string_view k_arrow = " -> ";
    const auto arrow = row.subject.name.find(k_arrow);
    const auto& prefill = *components.at(index_of(row.subject.name.substr(0, arrow)));
    const auto& decode = *components.at(index_of(row.subject.name.substr(arrow + k_arrow.size())));
    row.subject.name = fmt::format("{}{}{}", prefill.name, k_arrow, decode.name);
    row.subject.graph = prefill.graph.value_or("");
    point_at(row, prefill.place);
}

/// What the rules say of every component, then of every pair.
std::vector<Check> judge_components(Workers& workers, const judge::Context& context) {
    auto judgement =
        judge::evaluate(workers.inventory, workers.observations, context, judge::Scope::settings);
    std::vector<std::vector<Check>> rows(workers.components.size());
    std::vector<Check> pairs;
    for (auto& row : judgement.checks) {
        if (row.subject.kind == SubjectKind::pod) {
            rows.at(index_of(row.subject.name)).push_back(std::move(row));
        } else {
            finish_pair(row, workers.components);
            pairs.push_back(std::move(row));
        }
    }
    const auto splits = split_groups(workers.inventory);
    std::vector<Check> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto& component = *workers.components[i];
        finish_component(
            component, workers.observations[i], splits.count(component.group) > 0, rows[i]);
        std::move(rows[i].begin(), rows[i].end(), std::back_inserter(all));
    }
    std::move(pairs.begin(), pairs.end(), std::back_inserter(all));
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
/// and so is what is said of it. `key` is what tells entries apart.
template<class T, class Key> void keep_first(std::vector<T>& list, Key key) {
    std::set<std::string> seen;
    std::erase_if(list, [&](const T& entry) { return !seen.insert(key(entry)).second; });
}

std::string shown(const model::ComponentVar& var) {
    const auto* value = var.value.get();
    const auto* unseen = var.value.unseen();
    return value != nullptr ? *value : unseen != nullptr ? unseen->why : "";
}

std::string key_of(const Component& component) {
    auto key = fmt::format("{}\n{}\n{}\n{}",
                           component.name,
                           component.graph.value_or(""),
                           to_string(component.role),
                           to_text(component.place));
    for (const auto& [name, var] : component.vars) {
        key += fmt::format(
            "\n{}={} {} {}", name, shown(var), to_string(var.status), to_text(var.place));
    }
    return key;
}

std::string key_of_row(const Check& row) {
    const auto* file = row.facts.find("file");
    const auto* path = file == nullptr ? nullptr : std::get_if<std::string>(&file->data());
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}",
                       row.code,
                       to_string(row.status),
                       row.subject.name,
                       row.subject.graph,
                       path == nullptr ? "" : *path,
                       row.detail);
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
    keep_first(report.checks, key_of_row);
    keep_first(recipe.components, key_of);
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
