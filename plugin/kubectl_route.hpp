// The way around a missing `get` on pods/exec: kubectl, whose exec is a POST when it is told not to
// use a WebSocket. It is started with the same cluster, user and impersonation as ours.
#pragma once

#include "base/result.hpp"
#include "cli/invocation.hpp"
#include "model/client_config.hpp"
#include "model/probe.hpp"

#include <string>
#include <vector>

namespace di::app {

/// A kubeconfig that holds nothing but one resolved configuration, as JSON. Source of the format:
/// k8s.io/client-go/tools/clientcmd/api/v1.
std::string resolved_kubeconfig(const model::ClientConfig& config);

class KubectlRoute {
public:
    /// What kubectl has flags for is passed on as flags. A token, and a proxy, which has no flag,
    /// go into a kubeconfig in memory that only our children can open: nothing secret stands in a
    /// command line or on a disk.
    static Result<KubectlRoute> open(const cli::Invocation& invocation,
                                     const model::ClientConfig& config);

    KubectlRoute(const KubectlRoute&) = delete;
    KubectlRoute& operator=(const KubectlRoute&) = delete;
    KubectlRoute(KubectlRoute&& other) noexcept;
    KubectlRoute& operator=(KubectlRoute&&) = delete;
    ~KubectlRoute();

    /// `kubectl exec` of a task: the same pod, container and command.
    [[nodiscard]] std::vector<std::string> command(const model::ProbeTask& task) const;

    /// NAME=value, for its environment.
    static std::vector<std::string> variables();

    /// kubectl says in words, and by an exit code that may be the command's own, why it had no
    /// answer.
    static model::RawResult read(model::RawResult result, const model::ProbeTask& task);

private:
    KubectlRoute(std::vector<std::string> prefix, int config)
        : prefix_(std::move(prefix)),
          config_(config) {}

    std::vector<std::string> prefix_;
    int config_ = -1; ///< the descriptor of the kubeconfig in memory, when there is one
};

} // namespace di::app
