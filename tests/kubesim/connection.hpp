// One client's connection: authentication, faults, routing, the requests log.
#pragma once

#include "kubesim/api.hpp"
#include "kubesim/exec.hpp"
#include "kubesim/outage.hpp"
#include "kubesim/request_log.hpp"
#include "kubesim/tls_stream.hpp"

#include <functional>
#include <optional>
#include <string>

namespace di::kubesim {

/// What all connections share.
struct Services {
    const Api& api;
    const Access& access;
    ExecService& exec;
    Faults& faults;
    RequestLog& log;
    const StopSignal& stop;
    Outage& outage;
    std::function<void()> drop_connections; ///< of everybody
    std::string token;
    std::string user = "kubesim";
    Millis latency{0};
};

/// Serves requests until the client goes away or an exec has used the connection up.
void serve_connection(const Services& services, TlsStream& stream);

} // namespace di::kubesim
