#include "check.hpp"

#include "base/duration.hpp"
#include "base/strings.hpp"
#include "exit_codes.hpp"
#include "explain.hpp"
#include "inventory.hpp"
#include "kube/permissions.hpp"
#include "preflight.hpp"
#include "probe/plan.hpp"
#include "probe_run.hpp"
#include "render/document.hpp"
#include "render/json.hpp"
#include "render/plan_table.hpp"
#include "reporting.hpp"
#include "role_manifest.hpp"
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

/// The hint asks for the verb that is missing.
Error exec_denied(const model::PodObservation& observation,
                  const Granted& granted,
                  const cli::Invocation& invocation,
                  const Session& session) {
    const auto denied = denied_uses(granted);
    const bool get = std::count(denied.begin(), denied.end(), kube::Use::open_exec) > 0;
    return {ErrorKind::permission,
            "no permission to exec in any worker",
            session.ns() ? "namespace " + *session.ns() : "all namespaces",
            observation.exec.unseen()->why,
            fmt::format("{} auth can-i {} pods --subresource=exec{}",
                        shell_command(invocation.kubectl_prefix),
                        get ? "get" : "create",
                        session.ns() ? " -n " + *session.ns() : "")};
}

/// The rules that are missing, and the role that has them.
void say_missing(const Granted& granted, const Session& session, const Deps& deps) {
    const auto denied = denied_uses(granted);
    if (denied.empty()) {
        return;
    }
    const auto& ns = session.cluster.ns;
    const auto scope = ns.empty() ? std::string("-A") : "-n " + ns;
    deps.err(fmt::format(
        "missing in {}:\n{}to grant it: kubectl dynamo-interconnect rbac {} --user NAME | "
        "kubectl apply -f -\n",
        ns.empty() ? "all namespaces" : "namespace " + ns,
        render::render_yaml(model::Value().set("rules", role_rules(denied))),
        scope));
}

std::vector<render::Access> access_of(const Session& session) {
    std::vector<render::Access> accesses;
    for (const auto& permission : kube::k_permissions) {
        const std::string group(permission.group.empty() ? ""
                                                         : "." + std::string(permission.group));
        accesses.push_back(
            {std::string(permission.verb),
             std::string(permission.resource) + group,
             std::string(permission.subresource),
             permission.use == kube::Use::review_access ? std::string() : session.cluster.ns});
    }
    return accesses;
}

/// What `check` would run, where, and what it costs.
render::PlanView plan_view(const Session& session,
                           const model::Inventory& inventory,
                           const model::Plan& plan,
                           const cli::Invocation& invocation) {
    render::PlanView view;
    view.head = start_report(session.cluster, inventory);
    view.head.probed = inventory.workers.size();
    view.plan = plan;
    view.permissions = access_of(session);
    view.most = std::min(invocation.timeout, invocation.probe_timeout);
    for (const auto& task : plan.tasks) {
        view.requests.push_back({"get", "pods", "exec", task.ns});
    }
    return view;
}

/// Shows the plan and asks once; ErrorKind::consent without a yes.
Outcome
ask_consent(const render::PlanView& view, const cli::Invocation& invocation, const Deps& deps) {
    deps.err(render::render_plan_table(view, table_style(invocation, deps)));
    if (invocation.yes) {
        return Done{};
    }
    const auto answer =
        deps.ask(fmt::format("Run the script in these {} workers? [y/N] ", view.plan.tasks.size()));
    if (answer && (to_lower(trim(*answer)) == "y" || to_lower(trim(*answer)) == "yes")) {
        return Done{};
    }
    return Error{ErrorKind::consent,
                 "nothing was run",
                 "",
                 answer ? "the answer was not yes" : "there is no terminal to ask on",
                 answer ? "" : "kubectl dynamo-interconnect check --confirm --yes"};
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
        if (inventory.error().kind == ErrorKind::permission) {
            auto granted = review(session->client, session->cluster.ns);
            learn_from_refusal(granted, inventory.error().cause);
            say_missing(granted, *session, deps);
        }
        return give_up(inventory.error(), deps);
    }
    const Instant asking = deps.clock.now();
    auto granted = review(session->client, session->cluster.ns);
    const Millis patience = std::max(k_review_patience - since(asking, deps.clock), Millis(100));
    auto report = start_report(session->cluster, *inventory);
    report.timing.list = since(started, deps.clock);

    const Instant probing = deps.clock.now();
    const auto plan = probe::make_plan(*inventory, deps.nonce());
    if (invocation.confirm) {
        const auto view = plan_view(*session, *inventory, plan, invocation);
        if (const auto consent = ask_consent(view, invocation, deps); !consent.ok()) {
            return give_up(consent.error(), deps);
        }
    }
    const auto ways = routes(session->client, granted, inventory->workers, patience);
    const auto run = run_probes(*session, plan, ways, invocation, deps, started);
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
        for (const auto& observation : observations) {
            learn_from_refusal(granted, observation.exec.unseen()->why);
        }
        say_missing(granted, *session, deps);
        deps.err(to_text(exec_denied(observations.front(), granted, invocation, *session)));
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
    const auto plan = probe::make_plan(*inventory, deps.nonce());
    deps.out(rendered(plan_view(*session, *inventory, plan, invocation), invocation, deps));
    return k_exit_ok;
}

} // namespace di::app
