#include "check.hpp"

#include "base/duration.hpp"
#include "base/strings.hpp"
#include "exit_codes.hpp"
#include "explain.hpp"
#include "inventory.hpp"
#include "kube/exec_transport.hpp"
#include "kube/permissions.hpp"
#include "probe/fan_out.hpp"
#include "probe/plan.hpp"
#include "render/document.hpp"
#include "render/json.hpp"
#include "render/plan_table.hpp"
#include "reporting.hpp"
#include "session.hpp"

#include <fmt/format.h>

#include <algorithm>

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
    auto report = start_report(session->cluster, *inventory);
    report.timing.list = since(started, deps.clock);

    const Instant probing = deps.clock.now();
    const auto plan = probe::make_plan(*inventory, deps.nonce());
    const auto run = probe_workers(*session, plan, invocation, deps, started);
    pass_on_warnings(session->client, invocation, deps);
    report.timing.probe = since(probing, deps.clock);
    report.timing.execs = run.execs;
    report.cut_short = run.cut_short;

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
    view.head = start_report(session->cluster, *inventory);
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
