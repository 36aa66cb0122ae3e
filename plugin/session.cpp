#include "session.hpp"

#include "kubeconfig/load.hpp"

namespace di::app {

std::optional<std::string> Session::ns() const {
    return cluster.ns.empty() ? std::nullopt : std::optional(cluster.ns);
}

Result<Session> open_session(const cli::Invocation& invocation, const Deps& deps) {
    auto config = kubeconfig::load(invocation.connection, deps.surroundings);
    if (!config.ok()) {
        return config.error();
    }
    const model::ClusterInfo cluster{
        config->context, config->server, invocation.selection.all_namespaces ? "" : config->ns};
    config->trace = {invocation.verbosity, [&deps](const std::string& line) {
                         deps.err(deps.log_prefix() + line + "\n");
                     }};
    auto loop = net::Loop::open(deps.clock, deps.interrupt_descriptor);
    if (!loop.ok()) {
        return loop.error();
    }
    auto client = kube::Client::open(*std::move(config), **loop);
    if (!client.ok()) {
        return client.error();
    }
    return Session{*std::move(loop), *std::move(client), cluster};
}

} // namespace di::app
