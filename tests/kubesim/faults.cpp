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

bool set_count(Countdown& countdown, std::string_view argument) {
    const auto count = parse_unsigned(argument);
    countdown.set(static_cast<unsigned>(count.value_or(0)));
    return count.has_value();
}

template<bool Faults::*Flag> bool set_flag(Faults& faults, std::string_view argument) {
    faults.*Flag = true;
    return argument.empty();
}

template<std::optional<std::string> Faults::*Pod>
bool set_pod(Faults& faults, std::string_view argument) {
    faults.*Pod = std::string(argument);
    return true;
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

bool slow_exec(Faults& faults, std::string_view argument) {
    const auto duration = parse_duration(argument);
    faults.slow_exec = duration.value_or(Millis(0));
    return duration.has_value();
}

bool fail_first(Faults& faults, std::string_view argument) {
    return set_count(faults.server_error, argument);
}

bool throttle_first(Faults& faults, std::string_view argument) {
    return set_count(faults.too_many_requests, argument);
}

constexpr FaultKind k_kinds[] = {
    {"unauthorized", "", "401 on everything", set_flag<&Faults::unauthorized>},
    {"forbidden",
     ":[VERB:]RESOURCE[/SUB]",
     "403, e.g. forbidden:pods/exec, forbidden:create:pods/exec",
     forbid},
    {"namespaced-only",
     "",
     "the user has a Role only: 403 at the cluster scope",
     set_flag<&Faults::namespaced_only>},
    {"no-crd", "", "no nvidia.com API group", set_flag<&Faults::no_crd>},
    {"expired-continue", "", "410 on the first continued list", expire_continue},
    {"server-error", ":N", "500 on the first N requests", fail_first},
    {"too-many-requests", ":N", "429 with Retry-After: 1 on the first N requests", throttle_first},
    {"exec-truncate",
     "[:POD]",
     "the connection ends within the output, without a Status",
     set_pod<&Faults::exec_truncate>},
    {"exec-hang", "[:POD]", "an exec that never ends", set_pod<&Faults::exec_hang>},
    {"exec-refuse-upgrade", ":CODE", "this HTTP status instead of 101", refuse_upgrade},
    {"slow-exec", ":D", "commands start after this time, e.g. 2s", slow_exec},
    {"no-v5", "", "no v5.channel.k8s.io, as before Kubernetes 1.30", set_flag<&Faults::no_v5>},
};

} // namespace

bool Countdown::take() {
    auto left = left_.load();
    while (left > 0 && !left_.compare_exchange_weak(left, left - 1)) {
    }
    return left > 0;
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
