#include "reporting.hpp"

#include "exit_codes.hpp"
#include "judge/evaluate.hpp"
#include "parse/observe.hpp"
#include "render/document.hpp"
#include "render/json.hpp"
#include "verdict/roll_up.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string_view>

namespace di::app {
namespace {

/// Workers found: probed or not; those that a filter left out do not count.
std::size_t count_found(const model::Report& report) {
    std::set<std::pair<std::string, std::string>> found;
    for (const auto& worker : report.workers) {
        found.emplace(worker.ns, worker.pod);
    }
    for (const auto& pod : report.not_probed) {
        if (pod.reason != model::NotProbedReason::filtered) {
            found.emplace(pod.ns, pod.pod);
        }
    }
    return found.size();
}

/// The areas of codes that a command is about; `check` is about all of them.
struct Focus {
    cli::Command command;
    std::span<const std::string_view> areas;
};

constexpr std::string_view k_node_areas[] = {"IB-", "GDR-", "NVL-", "EXEC-"};

constexpr std::string_view k_env_areas[] = {
    "ENV-", "NCCL-", "EXEC-", "PAIR-001", "PAIR-008", "PAIR-009", "PAIR-016", "PAIR-018"};

constexpr Focus k_focuses[] = {{cli::Command::node, k_node_areas},
                               {cli::Command::env, k_env_areas}};

const Focus* focus_of(cli::Command command) {
    const auto* found = std::find_if(std::begin(k_focuses),
                                     std::end(k_focuses),
                                     [&](const auto& f) { return f.command == command; });
    return found == std::end(k_focuses) ? nullptr : found;
}

/// Leaves the rows that the command is about; pairs are not among them.
void narrow(model::Report& report, const Focus& focus) {
    std::erase_if(report.checks, [&](const model::Check& check) {
        return std::none_of(focus.areas.begin(), focus.areas.end(), [&](std::string_view area) {
            return check.code.compare(0, area.size(), area) == 0;
        });
    });
    report.pairs.clear();
}

} // namespace

model::Report start_report(const std::optional<model::ClusterInfo>& cluster,
                           const model::Inventory& inventory) {
    model::Report report;
    report.tool_version = DI_VERSION;
    report.cluster = cluster;
    if (cluster) {
        report.place = cluster->ns.empty() ? "all namespaces" : "namespace " + cluster->ns;
    }
    report.workers = inventory.workers;
    report.not_probed = inventory.not_probed;
    report.found = count_found(report);
    return report;
}

std::vector<model::PodObservation> read_results(const model::Inventory& inventory,
                                                const model::Plan& plan,
                                                const std::vector<model::RawResult>& results) {
    std::vector<model::PodObservation> observations;
    observations.reserve(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        observations.push_back(parse::observe(inventory.workers[i], results[i], plan.nonce));
        observations.back().worker = i;
    }
    return observations;
}

void waive(std::vector<model::Check>& checks, const std::map<std::string, std::string>& waivers) {
    for (auto& check : checks) {
        if (const auto waiver = waivers.find(check.code); waiver != waivers.end()) {
            check.waived = waiver->second;
        }
    }
}

verdict::Options verdict_options(const cli::Invocation& invocation) {
    verdict::Options options;
    options.fail_on = invocation.fail_on;
    options.require = invocation.require;
    options.kubectl = invocation.kubectl_prefix;
    for (const auto& [code, reason] : invocation.waivers) {
        options.waived.insert(code);
    }
    return options;
}

void judge_report(model::Report& report,
                  const model::Inventory& inventory,
                  const std::vector<model::PodObservation>& observations,
                  const cli::Invocation& invocation) {
    auto judgement = judge::evaluate(inventory, observations, {invocation.kubectl_prefix});
    const auto failed = judge::failed_execs(inventory, observations);
    report.not_probed.insert(report.not_probed.end(), failed.begin(), failed.end());
    report.probed = inventory.workers.size() - failed.size();
    report.checks = inventory.checks;
    std::move(judgement.checks.begin(), judgement.checks.end(), std::back_inserter(report.checks));
    report.pairs = std::move(judgement.pairs);
    const auto* focus = focus_of(invocation.command);
    if (focus != nullptr) {
        narrow(report, *focus);
    }
    waive(report.checks, invocation.waivers);

    auto options = verdict_options(invocation);
    options.question = focus == nullptr ? verdict::Question::transfer : verdict::Question::rows;
    auto rolled_up =
        verdict::roll_up({inventory, report.not_probed, report.checks, report.pairs}, options);
    report.verdict = std::move(rolled_up.verdict);
    report.graphs = std::move(rolled_up.graphs);
    report.counts = rolled_up.counts;
}

render::TableStyle table_style(const cli::Invocation& invocation, const Deps& deps) {
    render::TableStyle style;
    style.detail =
        invocation.format == cli::Format::wide ? render::Detail::wide : render::Detail::normal;
    style.headers = invocation.no_headers ? render::Headers::hidden : render::Headers::shown;
    style.color = choose_color(invocation.color, deps.out_kind, deps.surroundings.environment);
    style.width = deps.width;
    return style;
}

std::string
rendered(const model::Report& report, const cli::Invocation& invocation, const Deps& deps) {
    switch (invocation.format) {
    case cli::Format::json:
        return render::render_json(render::report_document(report));
    case cli::Format::yaml:
        return render::render_yaml(render::report_document(report));
    default:
        return render::render_table(report, table_style(invocation, deps));
    }
}

int give_up(const Error& error, const Deps& deps) {
    deps.err(to_text(error));
    return deps.interrupted() ? k_exit_interrupted : exit_code(error.kind);
}

} // namespace di::app
