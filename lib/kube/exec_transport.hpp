// Execs over WebSocket, side by side: GET .../pods/NAME/exec with `v5.channel.k8s.io` or
// `v4.channel.k8s.io` (k8s.io/kubelet/pkg/cri/streaming/remotecommand). Output only, no stdin.
#pragma once

#include "model/exec_transport.hpp"

#include <cstddef>
#include <memory>

namespace di::kube {

class Client;

/// Output beyond these many bytes is dropped and the result says truncated.
struct ExecCaps {
    std::size_t out = std::size_t{1} << 20U;
    std::size_t err = std::size_t{64} << 10U;
};

/// Works on the client's loop. The client's credentials, TLS settings and proxy apply. Every
/// failure is a RawResult: refused with its reason, or truncated and retryable when the
/// connection was lost before the exit status.
std::unique_ptr<model::ExecTransport> make_exec_transport(const Client& client, ExecCaps caps = {});

} // namespace di::kube
