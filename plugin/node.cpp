#include "node.hpp"

#include "exit_codes.hpp"
#include "local_exec.hpp"
#include "probe/fan_out.hpp"
#include "probe/plan.hpp"
#include "reporting.hpp"

namespace di::app {
namespace {

/// This host as the one worker of an inventory. No graph says that KV stays here, so every rule
/// about the way out of it is asked.
model::Inventory this_host(const std::string& name) {
    model::Worker host;
    host.pod = name;
    host.node = name;
    model::Inventory inventory;
    inventory.workers.push_back(std::move(host));
    return inventory;
}

/// The rows are about the host, not about a pod of that name.
void name_the_host(model::Report& report) {
    for (auto& check : report.checks) {
        check.subject.kind = model::SubjectKind::node;
    }
}

} // namespace

int run_node_local(const cli::Invocation& invocation, const Deps& deps) {
    const Instant started = deps.clock.now();
    const auto inventory = this_host(deps.host_name);
    const auto plan = probe::make_plan(inventory, deps.nonce());
    const auto transport = make_local_transport(deps.clock, deps.interrupt_descriptor);
    const auto run = probe::fan_out(
        plan,
        *transport,
        deps.clock,
        {invocation.max_parallel, invocation.probe_timeout, started + invocation.timeout},
        {deps.interrupted, [](std::size_t, std::size_t) {}});

    auto report = start_report(std::nullopt, inventory);
    report.place = "this host (" + deps.host_name + ")";
    report.timing.execs = run.execs;
    report.timing.probe = std::chrono::duration_cast<Millis>(deps.clock.now() - started);
    report.timing.total = report.timing.probe;
    report.cut_short = run.cut_short;

    auto local = invocation;
    local.kubectl_prefix.clear(); // next steps are run here, too
    judge_report(report, inventory, read_results(inventory, plan, run.results), local);
    name_the_host(report);
    report.graphs.clear();
    if (deps.interrupted()) {
        report.verdict.readiness.exit_code = k_exit_interrupted;
    }
    deps.out(rendered(report, invocation, deps));
    return report.verdict.readiness.exit_code;
}

} // namespace di::app
