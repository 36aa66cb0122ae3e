// A connection to one cluster, as the command line and the kubeconfig ask for it.
#pragma once

#include "base/result.hpp"
#include "cli/invocation.hpp"
#include "deps.hpp"
#include "kube/client.hpp"
#include "model/report.hpp"
#include "net/loop.hpp"

#include <memory>
#include <optional>
#include <string>

namespace di::app {

struct Session {
    std::unique_ptr<net::Loop> loop; ///< outlives the client
    kube::Client client;
    model::ClusterInfo cluster;

    /// The namespace to look in; none means all of them.
    [[nodiscard]] std::optional<std::string> ns() const;
};

/// Loads the kubeconfig and prepares the client; the network is first touched by a question.
Result<Session> open_session(const cli::Invocation& invocation, const Deps& deps);

} // namespace di::app
