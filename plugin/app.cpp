#include "app.hpp"

#include "check.hpp"
#include "cli/help.hpp"
#include "cli/parse.hpp"
#include "env.hpp"
#include "exit_codes.hpp"
#include "explain.hpp"
#include "judge.hpp"
#include "node.hpp"
#include "rbac.hpp"
#include "render/json.hpp"

namespace di::app {
namespace {

int run_help(const cli::Invocation& invocation, const Deps& deps) {
    deps.out(cli::help_text(invocation.help_about, deps.program_name));
    return k_exit_ok;
}

int run_version(const cli::Invocation& invocation, const Deps& deps) {
    const auto document = model::Value().set("version", DI_VERSION);
    switch (invocation.format) {
    case cli::Format::json:
        deps.out(render::render_json(document));
        break;
    case cli::Format::yaml:
        deps.out(render::render_yaml(document));
        break;
    default:
        deps.out("kubectl-dynamo_interconnect " DI_VERSION "\n");
    }
    return k_exit_ok;
}

} // namespace

int run(std::span<const std::string> arguments, const Deps& deps) {
    const auto invocation = cli::parse(arguments);
    if (!invocation.ok()) {
        deps.err(to_text(invocation.error()));
        return exit_code(invocation.error().kind);
    }
    switch (invocation->command) {
    case cli::Command::check:
        return run_check(*invocation, deps);
    case cli::Command::env:
        return invocation->arguments.empty() ? run_check(*invocation, deps)
                                             : run_env(*invocation, deps);
    case cli::Command::node:
        return invocation->local ? run_node_local(*invocation, deps) : run_check(*invocation, deps);
    case cli::Command::judge:
        return invocation->capture.pods ? run_judge_pods(*invocation, deps)
                                        : run_judge(*invocation, deps);
    case cli::Command::plan:
        return run_plan(*invocation, deps);
    case cli::Command::rbac:
        return run_rbac(*invocation, deps);
    case cli::Command::explain:
        return run_explain(*invocation, deps);
    case cli::Command::version:
        return run_version(*invocation, deps);
    case cli::Command::help:
        return run_help(*invocation, deps);
    }
    return k_exit_internal;
}

} // namespace di::app
