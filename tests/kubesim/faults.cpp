#include "kubesim/faults.hpp"

#include "base/duration.hpp"
#include "base/strings.hpp"

#include <fmt/format.h>

namespace di::kubesim {
namespace {

struct FaultKind {
    std::string_view name;
    std::string_view argument; ///< for --help
    std::string_view meaning;
    bool (*apply)(Faults&, std::string_view argument); ///< false: the argument is wrong
};

template<bool Faults::*Flag> bool set_flag(Faults& faults, std::string_view argument) {
    faults.*Flag = true;
    return argument.empty();
}

template<ExecFault Fault> bool set_pod(Faults& faults, std::string_view argument) {
    faults.exec[Fault] = std::string(argument);
    return true;
}

template<Countdown Faults::*First> bool set_first(Faults& faults, std::string_view argument) {
    const auto count = parse_unsigned(argument);
    (faults.*First).set(static_cast<unsigned>(count.value_or(0)));
    return count.has_value();
}

template<Millis Faults::*Time> bool set_time(Faults& faults, std::string_view argument) {
    const auto duration = parse_duration(argument);
    faults.*Time = duration.value_or(Millis(0));
    return duration.has_value();
}

bool warn(Faults& faults, std::string_view argument) {
    faults.warning = std::string(argument);
    return !argument.empty() && argument.find('"') == std::string_view::npos;
}

bool restart(Faults& faults, std::string_view argument) {
    const auto colon = argument.find(':');
    const auto after = parse_unsigned(argument.substr(0, colon));
    const auto away = parse_duration(colon == std::string_view::npos ? std::string_view("1s")
                                                                     : argument.substr(colon + 1));
    faults.restart = Restart{static_cast<unsigned>(after.value_or(0)), away.value_or(Millis(0))};
    return after && away;
}

bool forbid(Faults& faults, std::string_view argument) {
    const auto denial = parse_denial(argument);
    if (denial) {
        faults.forbidden.push_back(*denial);
    }
    return denial.has_value();
}

bool expire_continue(Faults& faults, std::string_view argument) {
    faults.expired_continue.set(1);
    return argument.empty();
}

bool refuse_upgrade(Faults& faults, std::string_view argument) {
    const auto code = parse_unsigned(argument).value_or(0);
    faults.exec_refuse_upgrade = static_cast<int>(code);
    return code >= 200 && code <= 599;
}

constexpr FaultKind k_kinds[] = {
    {"unauthorized", "", "401 on everything", set_flag<&Faults::unauthorized>},
    {"forbidden",
     ":[VERB:]RESOURCE[/SUB][=NAME]",
     "403, e.g. forbidden:pods/exec, forbidden:get:pods/exec=p-1",
     forbid},
    {"namespaced-only",
     "",
     "the user has a Role only: 403 at the cluster scope",
     set_flag<&Faults::namespaced_only>},
    {"no-crd", "", "no nvidia.com API group", set_flag<&Faults::no_crd>},
    {"expired-continue", "", "410 on the first continued list", expire_continue},
    {"slow-list", ":D", "lists take this time, e.g. 2s", set_time<&Faults::slow_list>},
    {"slow-review", ":D", "so do access reviews", set_time<&Faults::slow_review>},
    {"warning", ":TEXT", "a Warning header on every answer", warn},
    {"server-error", ":N", "500 on the first N requests", set_first<&Faults::server_error>},
    {"bad-gateway",
     ":N",
     "502 with a balancer's HTML page on the first N requests",
     set_first<&Faults::bad_gateway>},
    {"html", "", "200 with an HTML login page on everything", set_flag<&Faults::html>},
    {"too-many-requests",
     ":N",
     "429 with Retry-After: 1 on the first N requests",
     set_first<&Faults::too_many_requests>},
    {"connection-reset",
     ":N",
     "a TCP reset instead of the first N answers",
     set_first<&Faults::connection_reset>},
    {"restart",
     ":N[:D]",
     "after N execs every connection is reset, and new ones for this time (1s)",
     restart},
    {"exec-busy",
     ":N",
     "429 with Retry-After: 1 on the first N execs",
     set_first<&Faults::busy_exec>},
    {"exec-refuse-upgrade", ":CODE", "this HTTP status instead of 101", refuse_upgrade},
    {"exec-deleted",
     "[:POD]",
     "404: the pod is gone since it was listed",
     set_pod<ExecFault::deleted>},
    {"exec-restarted",
     "[:POD]",
     "the container is gone since it was listed",
     set_pod<ExecFault::restarted>},
    {"exec-fails",
     "[:POD]",
     "the runtime cannot start the command, and repeats it in its message",
     set_pod<ExecFault::fails>},
    {"exec-fails-early",
     "[:POD]",
     "the same as HTTP 500 before the upgrade, as under v4",
     set_pod<ExecFault::early>},
    {"exec-truncate",
     "[:POD]",
     "the connection ends within the output, without a Status",
     set_pod<ExecFault::truncate>},
    {"exec-reset", "[:POD]", "a TCP reset within the output", set_pod<ExecFault::reset>},
    {"exec-no-status",
     "[:POD]",
     "all of the output and a normal close, but no Status",
     set_pod<ExecFault::no_status>},
    {"exec-stall", "[:POD]", "a part of the output, then silence", set_pod<ExecFault::stall>},
    {"exec-dies", "[:POD]", "a part of the output, then exit code 137", set_pod<ExecFault::dies>},
    {"exec-hang", "[:POD]", "an exec that never answers", set_pod<ExecFault::hang>},
    {"slow-exec", ":D", "commands start after this time", set_time<&Faults::slow_exec>},
    {"no-v5", "", "no v5.channel.k8s.io, as before Kubernetes 1.30", set_flag<&Faults::no_v5>},
};

} // namespace

bool Countdown::take() {
    auto left = left_.load();
    while (left > 0 && !left_.compare_exchange_weak(left, left - 1)) {
    }
    return left > 0;
}

bool Faults::concerns(ExecFault fault, const std::string& pod) const {
    const auto found = exec.find(fault);
    return found != exec.end() && (found->second.empty() || found->second == pod);
}

Outcome add_fault(Faults& faults, std::string_view text) {
    const auto colon = text.find(':');
    const auto name = text.substr(0, colon);
    const auto argument =
        colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    for (const auto& kind : k_kinds) {
        if (kind.name != name) {
            continue;
        }
        if (kind.apply(faults, argument)) {
            return Done{};
        }
        return Error{ErrorKind::usage,
                     "bad --fault",
                     std::string(text),
                     fmt::format("must be {}{}", kind.name, kind.argument),
                     ""};
    }
    return Error{ErrorKind::usage, "bad --fault", std::string(text), "no such kind", ""};
}

std::optional<Denial> parse_denial(std::string_view text) {
    Denial denial;
    if (const auto colon = text.find(':'); colon != std::string_view::npos) {
        denial.verb = text.substr(0, colon);
        text.remove_prefix(colon + 1);
    }
    if (const auto equals = text.find('='); equals != std::string_view::npos) {
        denial.name = text.substr(equals + 1);
        text = text.substr(0, equals);
    }
    const auto slash = text.find('/');
    denial.resource = text.substr(0, slash);
    if (slash != std::string_view::npos) {
        denial.subresource = text.substr(slash + 1);
    }
    return denial.resource.empty() ? std::nullopt : std::optional(denial);
}

std::string describe_faults() {
    std::string text;
    for (const auto& kind : k_kinds) {
        text += fmt::format(
            "  {:<34} {}\n", fmt::format("{}{}", kind.name, kind.argument), kind.meaning);
    }
    return text;
}

} // namespace di::kubesim
