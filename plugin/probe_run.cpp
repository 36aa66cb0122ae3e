#include "probe_run.hpp"

#include "kube/exec_transport.hpp"
#include "kube/session.hpp"
#include "kubectl_route.hpp"
#include "local_exec.hpp"

#include <fmt/format.h>

namespace di::app {
namespace {

using model::ExecOutcome;
using model::RawResult;
using model::SkipReason;

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

/// The tasks of one route, and where their results belong.
struct Part {
    model::Plan plan;
    std::vector<std::size_t> places;
};

Part part_of(const model::Plan& plan, const std::vector<Route>& routes, Route route) {
    Part part;
    part.plan.nonce = plan.nonce;
    for (std::size_t i = 0; i < plan.tasks.size(); ++i) {
        if (routes[i] == route) {
            part.plan.tasks.push_back(plan.tasks[i]);
            part.places.push_back(i);
        }
    }
    return part;
}

RawResult refusal(SkipReason reason, std::string detail) {
    RawResult result;
    result.outcome = ExecOutcome::refused;
    result.refusal = reason;
    result.detail = std::move(detail);
    return result;
}

/// Why kubectl could not be started, and what to ask for instead.
std::string without_kubectl(const std::string& why) {
    return fmt::format("create on pods/exec is granted, get is not; kubectl exec could do with "
                       "that, but {}: ask for get as well",
                       why);
}

class ProbeRun {
public:
    ProbeRun(const model::Plan& plan,
             const std::vector<Route>& routes,
             const cli::Invocation& invocation,
             const Deps& deps,
             Instant started)
        : plan_(plan),
          routes_(routes),
          invocation_(invocation),
          deps_(deps),
          limits_{invocation.max_parallel, invocation.probe_timeout, started + invocation.timeout},
          progress_(invocation, deps) {
        run_.results.resize(plan.tasks.size());
    }

    void deny() {
        const auto part = part_of(plan_, routes_, Route::denied);
        for (const auto place : part.places) {
            run_.results[place] = refusal(SkipReason::no_permission,
                                          "neither get nor create on pods/exec is granted");
        }
    }

    void by_websocket(Session& session) {
        const auto part = part_of(plan_, routes_, Route::websocket);
        if (!part.places.empty()) {
            const auto transport = kube::make_exec_transport(session.client);
            take(part, fan_out(part.plan, *transport));
        }
    }

    void by_kubectl(const Session& session) {
        auto part = part_of(plan_, routes_, Route::kubectl);
        if (part.places.empty()) {
            return;
        }
        const auto route = KubectlRoute::open(invocation_, session.client.session()->config());
        if (!route.ok()) {
            return refuse(part, without_kubectl("cannot be started: " + route.error().cause));
        }
        for (auto& task : part.plan.tasks) {
            task.argv = route->command(task);
        }
        const auto transport = make_local_transport(
            deps_.clock, deps_.interrupt_descriptor, KubectlRoute::variables());
        auto results = fan_out(part.plan, *transport);
        std::size_t started = 0;
        for (std::size_t i = 0; i < part.places.size(); ++i) {
            auto& result = results.results[i];
            if (result.outcome == ExecOutcome::refused) {
                const bool absent = result.refusal == SkipReason::tool_missing;
                result = refusal(SkipReason::no_permission,
                                 without_kubectl(absent ? "is not on the PATH"
                                                        : "cannot be started: " + result.detail));
            } else {
                result = KubectlRoute::read(std::move(result), plan_.tasks[part.places[i]]);
                result.route = model::ExecRoute::kubectl;
                ++started;
            }
        }
        take(part, std::move(results));
        if (started > 0 && !invocation_.quiet) {
            deps_.err(fmt::format("note: {} {} entered by kubectl exec: create on pods/exec is "
                                  "granted, get is not\n",
                                  started,
                                  started == 1 ? "worker was" : "workers were"));
        }
    }

    probe::FanOut finish() { return std::move(run_); }

private:
    probe::FanOut fan_out(const model::Plan& plan, model::ExecTransport& transport) {
        auto run = probe::fan_out(plan,
                                  transport,
                                  deps_.clock,
                                  limits_,
                                  {deps_.interrupted, [&](std::size_t ended, std::size_t total) {
                                       progress_.show(ended, total);
                                   }});
        progress_.wipe();
        return run;
    }

    void refuse(const Part& part, const std::string& why) {
        for (const auto place : part.places) {
            run_.results[place] = refusal(SkipReason::no_permission, why);
        }
    }

    void take(const Part& part, probe::FanOut run) {
        for (std::size_t i = 0; i < part.places.size(); ++i) {
            run_.results[part.places[i]] = std::move(run.results[i]);
        }
        run_.execs += run.execs;
        if (run_.cut_short.empty()) {
            run_.cut_short = std::move(run.cut_short);
        }
    }

    const model::Plan& plan_;
    const std::vector<Route>& routes_;
    const cli::Invocation& invocation_;
    const Deps& deps_;
    probe::Limits limits_;
    Progress progress_;
    probe::FanOut run_;
};

} // namespace

probe::FanOut run_probes(Session& session,
                         const model::Plan& plan,
                         const std::vector<Route>& routes,
                         const cli::Invocation& invocation,
                         const Deps& deps,
                         Instant started) {
    ProbeRun run(plan, routes, invocation, deps, started);
    run.deny();
    run.by_websocket(session);
    run.by_kubectl(session);
    return run.finish();
}

} // namespace di::app
