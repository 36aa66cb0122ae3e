#include "check.hpp"

#include "base/duration.hpp"
#include "base/strings.hpp"
#include "exit_codes.hpp"
#include "explain.hpp"
#include "inventory.hpp"
#include "judge/evaluate.hpp"
#include "kube/exec_transport.hpp"
#include "kube/permissions.hpp"
#include "parse/observe.hpp"
#include "probe/fan_out.hpp"
#include "probe/plan.hpp"
#include "render/document.hpp"
#include "render/json.hpp"
#include "render/plan_table.hpp"
#include "render/table.hpp"
#include "session.hpp"
#include "verdict/roll_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace di::app {
namespace {

Millis since(Instant start, const Clock& clock) {
    return std::chrono::duration_cast<Millis>(clock.now() - start);
}

void pass_on_warnings(kube::Client& client, const cli::Invocation& invocation, const Deps& deps) {
    for (const auto& warning : client.take_warnings()) {
        if (!invocation.quiet) {
            deps.err("Warning: " + printable(warning) + "\n");
        }
    }
}

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

/// The head of a report: everything that is known before the first exec.
model::Report start_report(const Session& session, const model::Inventory& inventory) {
    model::Report report;
    report.tool_version = DI_VERSION;
    report.cluster = session.cluster;
    report.workers = inventory.workers;
    report.not_probed = inventory.not_probed;
    report.found = count_found(report);
    return report;
}

/// A progress line on a terminal's stderr, overwritten as execs end and wiped before the report.
class Progress {
public:
    Progress(const cli::Invocation& invocation, const Deps& deps)
        : deps_(deps),
          shown_(!invocation.quiet && deps.err_kind == OutputKind::terminal) {}

    void show(std::size_t ended, std::size_t total) {
        if (shown_ && ended != last_) {
            last_ = ended;
            deps_.err(fmt::format("\r\x1b[Kprobing {} of {} workers ...", ended, total));
        }
    }

    void wipe() const {
        if (shown_) {
            deps_.err("\r\x1b[K");
        }
    }

private:
    const Deps& deps_;
    bool shown_;
    std::size_t last_ = static_cast<std::size_t>(-1);
};

probe::FanOut probe_workers(Session& session,
                            const model::Plan& plan,
                            const cli::Invocation& invocation,
                            const Deps& deps,
                            Instant started) {
    const auto transport = kube::make_exec_transport(session.client);
    Progress progress(invocation, deps);
    const probe::Limits limits{
        invocation.max_parallel, invocation.probe_timeout, started + invocation.timeout};
    auto run = probe::fan_out(plan,
                              *transport,
                              deps.clock,
                              limits,
                              {deps.interrupted, [&](std::size_t ended, std::size_t total) {
                                   progress.show(ended, total);
                               }});
    progress.wipe();
    return run;
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

/// Judges, weighs, and completes the report.
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
    waive(report.checks, invocation.waivers);

    verdict::Options options;
    options.fail_on = invocation.fail_on;
    options.require = invocation.require;
    options.kubectl = invocation.kubectl_prefix;
    for (const auto& [code, reason] : invocation.waivers) {
        options.waived.insert(code);
    }
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

std::string
rendered(const render::PlanView& view, const cli::Invocation& invocation, const Deps& deps) {
    switch (invocation.format) {
    case cli::Format::json:
        return render::render_json(render::plan_document(view));
    case cli::Format::yaml:
        return render::render_yaml(render::plan_document(view));
    default:
        return render::render_plan_table(view, table_style(invocation, deps));
    }
}

/// Not one exec was allowed: the run says nothing about the fabric, only about permissions.
bool exec_denied_everywhere(const std::vector<model::PodObservation>& observations) {
    return !observations.empty() &&
           std::all_of(observations.begin(), observations.end(), [](const auto& observation) {
               const auto* unseen = observation.exec.unseen();
               return unseen != nullptr && unseen->reason == model::SkipReason::no_permission;
           });
}

Error exec_denied(const model::PodObservation& observation,
                  const cli::Invocation& invocation,
                  const Session& session) {
    return {ErrorKind::permission,
            "no permission to exec in any worker",
            session.ns() ? "namespace " + *session.ns() : "all namespaces",
            observation.exec.unseen()->why,
            fmt::format("{} auth can-i create pods/exec{}",
                        shell_command(invocation.kubectl_prefix),
                        session.ns() ? " -n " + *session.ns() : "")};
}

int give_up(const Error& error, const Deps& deps) {
    deps.err(to_text(error));
    return deps.interrupted() ? k_exit_interrupted : exit_code(error.kind);
}

std::vector<render::Access> access_of(const Session& session) {
    std::vector<render::Access> accesses;
    for (const auto& permission : kube::k_permissions) {
        const std::string group(permission.group.empty() ? ""
                                                         : "." + std::string(permission.group));
        accesses.push_back({std::string(permission.verb),
                            std::string(permission.resource) + group,
                            std::string(permission.subresource),
                            session.cluster.ns});
    }
    return accesses;
}

} // namespace

int run_check(const cli::Invocation& invocation, const Deps& deps) {
    const Instant started = deps.clock.now();
    for (const auto& [code, reason] : invocation.waivers) {
        if (const auto known = require_code(code); !known.ok()) {
            return give_up(known.error(), deps);
        }
    }
    auto session = open_session(invocation, deps);
    if (!session.ok()) {
        return give_up(session.error(), deps);
    }
    auto inventory = take_inventory(*session, invocation);
    pass_on_warnings(session->client, invocation, deps);
    if (!inventory.ok()) {
        return give_up(inventory.error(), deps);
    }
    auto report = start_report(*session, *inventory);
    report.timing.list = since(started, deps.clock);

    const Instant probing = deps.clock.now();
    const auto plan = probe::make_plan(*inventory, deps.nonce());
    const auto run = probe_workers(*session, plan, invocation, deps, started);
    pass_on_warnings(session->client, invocation, deps);
    report.timing.probe = since(probing, deps.clock);
    report.timing.execs = run.execs;
    report.partial = run.partial;

    const auto observations = read_results(*inventory, plan, run.results);
    judge_report(report, *inventory, observations, invocation);
    report.timing.total = since(started, deps.clock);
    if (deps.interrupted()) {
        report.verdict.readiness.exit_code = k_exit_interrupted;
    } else if (exec_denied_everywhere(observations)) {
        report.verdict.readiness.exit_code = k_exit_could_not_run;
    }
    deps.out(rendered(report, invocation, deps));
    if (exec_denied_everywhere(observations)) {
        deps.err(to_text(exec_denied(observations.front(), invocation, *session)));
    }
    return report.verdict.readiness.exit_code;
}

int run_plan(const cli::Invocation& invocation, const Deps& deps) {
    auto session = open_session(invocation, deps);
    if (!session.ok()) {
        return give_up(session.error(), deps);
    }
    const auto inventory = take_inventory(*session, invocation);
    pass_on_warnings(session->client, invocation, deps);
    if (!inventory.ok()) {
        return give_up(inventory.error(), deps);
    }
    render::PlanView view;
    view.head = start_report(*session, *inventory);
    view.head.probed = inventory->workers.size();
    view.plan = probe::make_plan(*inventory, deps.nonce());
    view.permissions = access_of(*session);
    for (const auto& task : view.plan.tasks) {
        view.requests.push_back({"get", "pods", "exec", task.ns});
    }
    deps.out(rendered(view, invocation, deps));
    return k_exit_ok;
}

} // namespace di::app
