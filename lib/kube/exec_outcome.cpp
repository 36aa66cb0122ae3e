#include "kube/exec_outcome.hpp"

#include "base/strings.hpp"
#include "kube/api_error.hpp"
#include "kube/status.hpp"
#include "net/retry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace di::kube {
namespace {

using model::ExecOutcome;
using model::RawResult;
using model::SkipReason;

constexpr std::size_t k_detail_width = 300;
constexpr Millis k_recovery{1'000}; ///< how long to leave a server alone that went away

/// The server's words about a failed exec, wherever they came from.
struct Words {
    int code = 0;
    std::string reason;
    std::string message;
};

/// Error texts of API server, kubelet and container runtimes, and what they mean. First match
/// wins. Lower case.
struct Meaning {
    std::string_view part;
    SkipReason refusal;
};

constexpr std::array k_meanings{
    // k8s.io/kubelet and the API server's exec connector
    Meaning{"container not found", SkipReason::not_running},
    Meaning{"is not valid for pod", SkipReason::not_running},
    Meaning{"pod does not exist", SkipReason::not_running},
    Meaning{"does not have a host assigned", SkipReason::not_running},
    Meaning{"completed pod", SkipReason::not_running},
    // containerd, CRI-O: the container ended between the list and the exec
    Meaning{"is not running", SkipReason::not_running},
    Meaning{"is not created or running", SkipReason::not_running},
    Meaning{"container_exited", SkipReason::not_running},
    Meaning{"no running task found", SkipReason::not_running},
    // runc, crun, youki (OCI runtimes): the program is not in the image
    Meaning{"executable file not found", SkipReason::tool_missing},
    Meaning{"no such file or directory", SkipReason::tool_missing},
    Meaning{"permission denied", SkipReason::no_permission},
    Meaning{"operation not permitted", SkipReason::no_permission},
};

/// The cause without the ids and layers that runtimes put before it: what is left is the same for
/// every pod, `exec: "sh": executable file not found in $PATH: unknown`.
std::string_view innermost(std::string_view message) {
    const auto begin = message.rfind("exec: \"");
    return begin == std::string_view::npos ? message : message.substr(begin);
}

/// The message without the layers that containerd puts before a cause, up to the id of the exec,
/// which differs for every pod.
std::string without_layers(std::string message) {
    const auto id = message.rfind("failed to start exec \"");
    const auto end = id == std::string::npos ? id : message.find("\": ", id);
    return end == std::string::npos ? message : message.substr(end + 3);
}

/// The message without the name of the pod it is about, which every row carries anyway: the same
/// refusal reads the same for every pod.
std::string without_pod(std::string message, const model::ProbeTask& task) {
    const std::string subject = "pods \"" + task.pod + "\" ";
    if (message.compare(0, subject.size(), subject) == 0) {
        message.erase(0, subject.size());
        if (message.compare(0, 3, "is ") == 0) {
            message.erase(0, 3);
        }
    }
    return message;
}

RawResult refused(SkipReason reason, std::string_view detail) {
    RawResult result;
    result.outcome = ExecOutcome::refused;
    result.refusal = reason;
    result.detail = excerpt(detail, k_detail_width);
    return result;
}

RawResult lost(std::string_view detail) {
    RawResult result;
    result.outcome = ExecOutcome::truncated;
    result.detail = excerpt(detail, k_detail_width);
    return result;
}

/// The connection failed: the server may be restarting, or a balancer changing its mind.
RawResult lost_on_the_way(std::string_view detail) {
    RawResult result = lost(detail);
    result.retryable = true;
    result.retry_after = k_recovery;
    return result;
}

RawResult forbidden(const std::string& message) {
    // The first check names the user and the verb; the second, of Kubernetes 1.35, does not.
    const bool names_verb = contains(message, " cannot ");
    return refused(SkipReason::no_permission,
                   names_verb
                       ? message
                       : message + " (exec needs the verb create on pods/exec as well as get)");
}

RawResult from_words(Words words) {
    if (words.message.empty()) {
        words.message = fmt::format("the server gave no reason (code {})", words.code);
    }
    if (words.code == 401) {
        return refused(SkipReason::no_permission,
                       "You must be logged in to the server (Unauthorized)");
    }
    if (words.code == 403) {
        return forbidden(words.message);
    }
    const auto text = to_lower(words.message);
    if (contains(text, "error dialing backend")) {
        return refused(SkipReason::unreadable, "kubelet unreachable: " + words.message);
    }
    const auto* meaning = std::find_if(k_meanings.begin(), k_meanings.end(), [&](const auto& row) {
        return contains(text, row.part);
    });
    if (meaning != k_meanings.end()) {
        return refused(meaning->refusal,
                       meaning->refusal == SkipReason::tool_missing ? innermost(words.message)
                                                                    : words.message);
    }
    if (words.code == 404 && words.reason == "NotFound") {
        return refused(SkipReason::not_running,
                       "the pod is gone since it was listed: " + words.message);
    }
    const bool upgrade = contains(text, "unable to upgrade connection");
    RawResult result = refused(SkipReason::unreadable,
                               upgrade ? "kubelet unreachable: " + words.message : words.message);
    result.retryable = words.code == 429 || words.code == 503;
    result.retry_after = k_recovery;
    return result;
}

/// Pages of gateways and proxies rather than words of the API server.
RawResult from_page(const ws::Ended& ended, const std::string& said) {
    const int code = ended.head.status;
    if (code == 404 || code == 405 || is_web_page({code, ended.head.headers, ended.body})) {
        return refused(
            SkipReason::unreadable,
            fmt::format("the endpoint does not support exec streams (HTTP {}): {}", code, said));
    }
    return from_words({code,
                       "",
                       said.empty() ? fmt::format("the server answered {}", code)
                                    : fmt::format("HTTP {}: {}", code, said)});
}

RawResult from_refusal(const ws::Ended& ended, const model::ProbeTask& task) {
    const int code = ended.head.status;
    const auto status = read_status(ended.body);
    const auto page = trim(ended.body);
    if (code == 403 && page.empty()) {
        return refused(SkipReason::unreadable,
                       "the server offers no exec WebSocket protocol that we speak (Kubernetes "
                       "before 1.30, or an exec gateway)");
    }
    if (code == 400 && contains_ignoring_case(page, "upgrade request required")) {
        return refused(SkipReason::unreadable,
                       "a proxy on the way removes the Upgrade header: exec streams cannot pass");
    }
    const bool known_text =
        contains(page, "container not found") || contains(page, "pod does not exist");
    RawResult result;
    if (status || known_text) {
        const auto message = status ? status->message : std::string(page);
        result = from_words({code,
                             status ? status->reason : "",
                             without_pod(without_command(message, task), task)});
    } else {
        result = from_page(ended, message_of({code, ended.head.headers, ended.body}));
    }
    // A busy server, or a gateway that had no server: said before anything was run.
    const auto delay = net::retry_delay({code, ended.head.headers, ""}, 0);
    result.retryable = delay.has_value();
    result.retry_after = delay.value_or(Millis(0));
    return result;
}

/// Exit codes that a shell, and a runtime in its place, give when a program cannot be run.
bool program_missing(int exit_code, std::string_view out) {
    constexpr int k_not_executable = 126;
    constexpr int k_not_found = 127;
    return (exit_code == k_not_executable || exit_code == k_not_found) &&
           (trim(out).empty() || contains(out, "OCI runtime"));
}

RawResult from_exit(const ws::Ended& ended, const model::ProbeTask& task, std::string_view out) {
    const ExitStatus exit = read_exit_status(ended.status);
    if (exit.kind == ExitStatus::Kind::unreadable) {
        return refused(SkipReason::unreadable, "protocol error: " + exit.error.message);
    }
    if (exit.kind == ExitStatus::Kind::failed) {
        return from_words(
            {exit.error.code,
             exit.error.reason,
             without_layers(without_pod(without_command(exit.error.message, task), task))});
    }
    if (program_missing(exit.exit_code, out)) {
        return refused(SkipReason::tool_missing,
                       fmt::format("{} cannot be run in the container (exit code {})",
                                   task.argv.empty() ? "the command" : task.argv.front(),
                                   exit.exit_code));
    }
    RawResult result;
    result.outcome = ExecOutcome::completed;
    result.exit_code = exit.exit_code;
    return result;
}

} // namespace

std::string without_command(std::string message, const model::ProbeTask& task) {
    if (task.argv.empty()) {
        return message;
    }
    const auto& program = task.argv.front();
    for (const auto& start : {'[' + program + ' ', "[\"" + program + "\" "}) {
        const auto begin = message.find(start);
        const auto end = message.rfind(']');
        if (begin == std::string::npos) {
            continue;
        }
        const auto stop = end == std::string::npos || end < begin ? message.size() : end + 1;
        message.replace(begin, stop - begin, "[...]");
    }
    for (const auto& word : task.argv) {
        constexpr std::size_t k_script = 80; // so long a word is a script, whatever is around it
        const auto at = word.size() > k_script ? message.find(word) : std::string::npos;
        if (at != std::string::npos) {
            message.replace(at, word.size(), "...");
        }
    }
    return message;
}

RawResult classify(const ws::Ended& ended, const model::ProbeTask& task, std::string_view out) {
    switch (ended.ending) {
    case ws::Ending::refused:
        return from_refusal(ended, task);
    case ws::Ending::status:
        return from_exit(ended, task, out);
    case ws::Ending::violation:
        return refused(SkipReason::unreadable, "protocol error: " + ended.detail);
    case ws::Ending::overflow:
        return lost(ended.detail);
    case ws::Ending::lost:
        break;
    }
    return lost_on_the_way(ended.detail);
}

RawResult classify(const Error& failure) {
    const auto detail = failure.what + ": " + failure.cause;
    if (failure.kind != ErrorKind::network && failure.kind != ErrorKind::lost) {
        return lost(detail);
    }
    auto result = lost_on_the_way(detail);
    result.unreached = failure.kind == ErrorKind::network;
    return result;
}

} // namespace di::kube
