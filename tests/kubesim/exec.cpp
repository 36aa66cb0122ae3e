#include "kubesim/exec.hpp"

#include "base/strings.hpp"
#include "kubesim/encoding.hpp"
#include "kubesim/exec_session.hpp"
#include "kubesim/pod_view.hpp"
#include "kubesim/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace di::kubesim {
namespace {

constexpr std::string_view k_v5 = "v5.channel.k8s.io";
constexpr std::string_view k_v4 = "v4.channel.k8s.io";
constexpr Millis k_close_patience{500};
constexpr Millis k_forever{-1};
constexpr int k_killed = 137; ///< 128 + SIGKILL
constexpr ExecFault k_cuts[] = {
    ExecFault::truncate, ExecFault::reset, ExecFault::stall, ExecFault::dies};

bool is_upgrade(const Request& request) {
    return to_lower(request.header("upgrade")) == "websocket" &&
           contains_ignoring_case(request.header("connection"), "upgrade") &&
           !request.header("sec-websocket-key").empty();
}

Response switching_protocols(const Request& request, std::string_view protocol) {
    return {
        .status = 101,
        .headers = {{"Upgrade", "websocket"},
                    {"Connection", "Upgrade"},
                    {"Sec-WebSocket-Accept", websocket_accept(request.header("sec-websocket-key"))},
                    {"Sec-WebSocket-Protocol", std::string(protocol)}}};
}

/// What containerd says when the runtime could not start the command.
std::string start_failure(const std::string& cause) {
    return fmt::format("error executing command in container: failed to exec in container: failed "
                       "to start exec \"{}\": OCI runtime exec failed: exec failed: unable to "
                       "start container process: {}: unknown",
                       random_hex(32),
                       cause);
}

/// A cause that repeats the whole command.
std::string repeated(const std::vector<std::string>& argv) {
    return fmt::format("command [{}]: ttrpc: closed", join(argv, " "));
}

} // namespace

std::optional<Response>
refuse_exec_target(const Store& store, const Request& request, const Attributes& wanted) {
    const auto* const pod = Store::find(store.pods(), wanted.ns, wanted.name);
    if (pod == nullptr) {
        return not_found("", "pods", wanted.name);
    }
    const PodView view(*pod);
    const auto container = view.choose_container(first_value(request.query, "container"));
    if (!container) {
        return bad_request(container.error().what);
    }
    if (!view.scheduled()) {
        return bad_request(fmt::format("pod {} does not have a host assigned", pod->name));
    }
    return std::nullopt;
}

struct ExecService::Job {
    const Object* pod = nullptr;
    Command command;
    std::string env_template;
    OutputPolicy policy;
    Protocol protocol = Protocol::v5;
    std::string kubelet_error; ///< the kubelet's refusal; "" when the command can be started
};

std::optional<ExecService::Protocol> ExecService::choose_protocol(const Request& request) const {
    const auto header = request.header("sec-websocket-protocol");
    std::vector<std::string_view> offered;
    for (const auto part : split(header, ',')) {
        offered.push_back(trim(part));
    }
    const auto has = [&](std::string_view protocol) {
        return std::find(offered.begin(), offered.end(), protocol) != offered.end();
    };
    // The API server's translator takes every exec that offers v5; all others reach the kubelet.
    if (!faults_.no_v5 && has(k_v5)) {
        return Protocol::v5;
    }
    return has(k_v4) ? std::optional(Protocol::v4) : std::nullopt;
}

std::optional<Response> ExecService::refuse(const Request& request, const Target& target) const {
    if (!is_upgrade(request)) {
        return bad_request("Upgrade request required");
    }
    // The kubelet's route of an exec produces no type: since Kubernetes 1.36 requests reach it as
    // they are, and one that does not take everything is turned away.
    const auto accept = request.header("accept");
    if (!accept.empty() && !contains(accept, "*/*")) {
        return plain_text(406, "406: Not Acceptable\n\nAvailable representations: ");
    }
    if (auto refusal = refuse_exec_target(store_, request, target.attributes)) {
        return refusal;
    }
    if (faults_.concerns(ExecFault::deleted, target.attributes.name)) {
        return not_found("", "pods", target.attributes.name);
    }
    if (faults_.concerns(ExecFault::early, target.attributes.name)) {
        const auto said = "Internal error occurred: " +
                          start_failure(repeated(make_job(request, target).command.argv));
        return failure(500, "InternalError", said);
    }
    if (faults_.exec_refuse_upgrade != 0) {
        return plain_text(faults_.exec_refuse_upgrade, "the upgrade was refused on demand\n");
    }
    if (!choose_protocol(request)) {
        return Response{.status = 403};
    }
    return std::nullopt;
}

ExecService::Job ExecService::make_job(const Request& request, const Target& target) const {
    Job job;
    job.pod = Store::find(store_.pods(), target.attributes.ns, target.attributes.name);
    job.protocol = *choose_protocol(request);
    const PodView view(*job.pod);
    const auto container = *view.choose_container(first_value(request.query, "container"));
    for (const auto& [key, value] : request.query) {
        if (key == "command") {
            job.command.argv.push_back(value);
        }
    }
    const bool tty = flag_value(request.query, "tty");
    const bool with_input = flag_value(request.query, "stdin");
    job.policy.output = flag_value(request.query, "stdout");
    job.policy.errors = flag_value(request.query, "stderr") && !tty;
    job.policy.cut = std::any_of(std::begin(k_cuts), std::end(k_cuts), [&](ExecFault cut) {
        return faults_.concerns(cut, job.pod->name);
    });
    job.command.stdin_mode = with_input ? Stdin::pipe : Stdin::none;
    job.command.stderr_mode = tty ? Stderr::with_stdout : Stderr::separate;
    job.command.env = view.environment(container);
    job.env_template = view.env_template(container);
    if (job.command.argv.empty()) {
        job.kubelet_error = "you must specify at least 1 command";
    } else if (!with_input && !job.policy.output && !job.policy.errors) {
        job.kubelet_error = "you must specify at least 1 of stdin, stdout, stderr";
    } else if (!view.running(container) || faults_.concerns(ExecFault::restarted, job.pod->name)) {
        job.kubelet_error = fmt::format("container not found (\"{}\")", container);
    }
    return job;
}

int ExecService::serve(TlsStream& stream,
                       const Request& request,
                       const Target& target,
                       std::string first_bytes) {
    const auto answer = [&](const Response& refusal) {
        return stream.write_all(to_bytes(refusal)) ? refusal.status : 0;
    };
    if (const auto refusal = refuse(request, target)) {
        return answer(*refusal);
    }
    auto job = make_job(request, target);
    const bool v5 = job.protocol == Protocol::v5;
    if (!v5 && !job.kubelet_error.empty()) {
        // v4 is passed through to the kubelet, which answers before the upgrade.
        return answer(plain_text(500, job.kubelet_error));
    }
    if (stream.write_all(to_bytes(switching_protocols(request, v5 ? k_v5 : k_v4)))) {
        run(stream, job, std::move(first_bytes));
    }
    return 101;
}

/// The end of an exec whose output a fault has cut.
void ExecService::cut(TlsStream& stream,
                      ExecSession& session,
                      const Object& pod,
                      const std::function<void(const std::string&)>& finish) {
    if (faults_.concerns(ExecFault::reset, pod.name)) {
        reset_at_close(stream.fd());
    } else if (faults_.concerns(ExecFault::stall, pod.name)) {
        session.idle(k_forever);
    } else if (faults_.concerns(ExecFault::dies, pod.name)) {
        finish(exec_exit_code(k_killed,
                              fmt::format("command terminated with exit code {}", k_killed)));
    }
}

void ExecService::run(TlsStream& stream, Job& job, std::string first_bytes) {
    Channels channels(stream, std::move(first_bytes));
    ExecSession session(channels, stop_, job.policy);
    const bool v5 = job.protocol == Protocol::v5;
    const auto finish = [&](const std::string& status) {
        channels.send(Channel::status, status);
        channels.close();
        if (channels.flush()) {
            stream.close_gracefully(k_close_patience);
        }
    };
    session.greet();
    if (!job.kubelet_error.empty()) {
        return finish(exec_internal_error("unable to upgrade connection: " + job.kubelet_error));
    }
    if (faults_.concerns(ExecFault::hang, job.pod->name)) {
        session.idle(k_forever);
        return;
    }
    if (!session.idle(faults_.slow_exec)) {
        return;
    }
    const auto tree = roots_.prepare(*job.pod);
    if (!tree) {
        return finish(
            exec_internal_error(fmt::format("{}: {}", tree.error().what, tree.error().cause)));
    }
    job.command.tree = *tree;
    // The translator reports the runtime's InternalError as its own: the words come twice.
    const auto not_started = [&](const Error& error) {
        const auto cause = start_failure(error.cause);
        finish(exec_internal_error(v5 ? "Internal error occurred: " + cause : cause));
    };
    if (faults_.concerns(ExecFault::fails, job.pod->name)) {
        return not_started({ErrorKind::protocol, "", "", repeated(job.command.argv), ""});
    }
    std::optional<int> exit_code;
    if (mode_ == ExecMode::replay) {
        job.command.stdin_mode = Stdin::none;
        const auto transcript = replay_.get(job.command, job.env_template);
        if (!transcript) {
            return not_started(transcript.error());
        }
        exit_code = session.play(*transcript);
    } else {
        auto process = Process::start(job.command);
        if (!process) {
            return not_started(process.error());
        }
        exit_code = session.connect(*process);
    }
    if (job.policy.cut) {
        return cut(stream, session, *job.pod, finish);
    }
    if (!exit_code) {
        return;
    }
    if (faults_.concerns(ExecFault::no_status, job.pod->name)) {
        channels.close();
        channels.flush();
        return;
    }
    const auto message = v5 ? fmt::format("command terminated with exit code {}", *exit_code)
                            : fmt::format("error executing command [{}], exit code {}",
                                          join(job.command.argv, " "),
                                          *exit_code);
    finish(*exit_code == 0 ? exec_success() : exec_exit_code(*exit_code, message));
}

} // namespace di::kubesim
