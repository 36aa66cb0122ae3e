// pods/exec over WebSocket: checks, upgrade, and the command's streams.
#pragma once

#include "kubesim/faults.hpp"
#include "kubesim/http.hpp"
#include "kubesim/roots.hpp"
#include "kubesim/stop_signal.hpp"
#include "kubesim/target.hpp"
#include "kubesim/transcript.hpp"

#include <functional>
#include <string>

namespace di::kubesim {

class ExecSession;

enum class ExecMode : std::uint8_t { run, replay };

/// The API server's refusal when pod or container are none to enter; nothing when they are.
std::optional<Response>
refuse_exec_target(const Store& store, const Request& request, const Attributes& wanted);

class ExecService {
public:
    ExecService(
        const Store& store, Roots& roots, Faults& faults, const StopSignal& stop, ExecMode mode)
        : store_(store),
          roots_(roots),
          faults_(faults),
          stop_(stop),
          mode_(mode),
          replay_(stop) {}

    /// Answers an authorised request: either with a refusal (its status is returned, the connection
    /// can go on) or with 101, and then until the exec has ended. `first_bytes` came right after
    /// the request.
    int
    serve(TlsStream& stream, const Request& request, const Target& target, std::string first_bytes);

private:
    enum class Protocol : std::uint8_t { v4, v5 };
    struct Job;

    /// What the server checks before it upgrades; nothing when all is well.
    [[nodiscard]] std::optional<Response> refuse(const Request& request,
                                                 const Target& target) const;
    [[nodiscard]] Job make_job(const Request& request, const Target& target) const;
    [[nodiscard]] std::optional<Protocol> choose_protocol(const Request& request) const;
    void cut(TlsStream& stream,
             ExecSession& session,
             const Object& pod,
             const std::function<void(const std::string&)>& finish);
    void run(TlsStream& stream, Job& job, std::string first_bytes);

    const Store& store_;
    Roots& roots_;
    Faults& faults_;
    const StopSignal& stop_;
    ExecMode mode_;
    ReplayCache replay_;
};

} // namespace di::kubesim
