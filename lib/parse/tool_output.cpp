#include "parse/tool_output.hpp"

#include "base/strings.hpp"
#include "parse/tool_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::parse {
namespace {

using model::SkipReason;
using model::Unseen;

constexpr std::size_t k_excerpt = 160;

struct Wording {
    std::string_view text;
    SkipReason reason;
};

/// Lines that begin so come from a container runtime or from kubectl, not from a tool. Sources:
/// runc and crun ("OCI runtime exec failed: ..."), containerd, CRI-O, kubectl and the API server.
constexpr std::array k_speakers = {
    std::string_view("OCI runtime exec failed"),
    std::string_view("error: "),
    std::string_view("Internal error occurred"),
    std::string_view("Error from server"),
    std::string_view("error executing command in container"),
    std::string_view("exec failed"),
    std::string_view("exec: "),
    std::string_view("executable file "),
    std::string_view("failed to create exec"),
    std::string_view("rpc error: "),
    std::string_view("time=\""),
    std::string_view("The connection to the server "),
    std::string_view("Unable to connect to the server"),
};

/// First match wins: "permission denied" ends messages of several other kinds.
constexpr std::array k_wordings = {
    Wording{"executable file not found", SkipReason::tool_missing},
    Wording{"executable file `", SkipReason::tool_missing},
    Wording{"error finding executable", SkipReason::tool_missing},
    Wording{": no such file or directory", SkipReason::tool_missing},
    Wording{"exec format error", SkipReason::tool_missing},
    Wording{"forbidden", SkipReason::no_permission},
    Wording{"unauthorized", SkipReason::no_permission},
    Wording{"permission denied", SkipReason::no_permission},
    Wording{"operation not permitted", SkipReason::no_permission},
    Wording{"(notfound)", SkipReason::not_running},
    Wording{"container not found", SkipReason::not_running},
    Wording{"not running", SkipReason::not_running},
    Wording{"not created or running", SkipReason::not_running},
    Wording{"no running task", SkipReason::not_running},
    Wording{"container_exited", SkipReason::not_running},
    Wording{"pod does not exist", SkipReason::not_running},
    Wording{"completed pod", SkipReason::not_running},
    Wording{"does not have a host assigned", SkipReason::not_running},
    Wording{"timeout", SkipReason::timed_out},
    Wording{"timed out", SkipReason::timed_out},
    Wording{"deadline exceeded", SkipReason::timed_out},
};

std::optional<Unseen> refused_exec(std::string_view line) {
    const bool speaks = std::any_of(k_speakers.begin(), k_speakers.end(), [&](auto speaker) {
        return line.starts_with(speaker);
    });
    if (!speaks) {
        return std::nullopt;
    }
    const auto wording = std::find_if(k_wordings.begin(), k_wordings.end(), [&](const auto& known) {
        return contains_ignoring_case(line, known.text);
    });
    const auto reason = wording == k_wordings.end() ? SkipReason::unreadable : wording->reason;
    return Unseen{reason, excerpt(line, k_excerpt)};
}

/// "sh: 1: ibstat: not found" (dash), "sh: ibstat: not found" (busybox), "bash: line 1: ibstat:
/// command not found", "timeout: failed to run command 'ibstat': No such file or directory", "env:
/// ...".
std::optional<Unseen> shell_complaint(std::string_view line, std::string_view tool) {
    if (!contains(line, tool)) {
        return std::nullopt;
    }
    const auto says = [&](std::string_view before, std::string_view after) {
        return contains(line, fmt::format("{}{}{}", before, tool, after));
    };
    const bool by_launcher = line.starts_with("timeout: ") || line.starts_with("env: ");
    if (says("", ": not found") || says("", ": command not found") ||
        says("command not found: ", "") ||
        (by_launcher && contains(line, "No such file or directory"))) {
        return Unseen{SkipReason::tool_missing, excerpt(line, k_excerpt)};
    }
    if (contains(line, "Permission denied") && (by_launcher || says(": ", ": Permission denied"))) {
        return Unseen{SkipReason::no_permission, excerpt(line, k_excerpt)};
    }
    return std::nullopt;
}

struct ExitCode {
    int rc;
    SkipReason reason;
    std::string_view meaning;
};

/// POSIX shells: 126 and 127. coreutils timeout: 124, and 137 after KILL; busybox timeout: 143.
constexpr std::array k_exit_codes = {
    ExitCode{124, SkipReason::timed_out, "did not end in time"},
    ExitCode{126, SkipReason::tool_missing, "cannot be run"},
    ExitCode{127, SkipReason::tool_missing, "is not in the image"},
    ExitCode{130, SkipReason::unreadable, "was interrupted"},
    ExitCode{134, SkipReason::unreadable, "aborted"},
    ExitCode{137, SkipReason::timed_out, "was killed"},
    ExitCode{139, SkipReason::unreadable, "crashed"},
    ExitCode{143, SkipReason::timed_out, "was terminated"},
};

} // namespace

std::optional<Unseen> why_silent(const ToolOutput& output, std::string_view tool) {
    for (const auto line : messages(output)) {
        if (auto complaint = shell_complaint(line, tool)) {
            return complaint;
        }
        if (output.rc == 0) {
            continue; // an exec that was refused never ends well
        }
        if (auto refusal = refused_exec(line)) {
            return refusal;
        }
    }
    const auto* const known = std::find_if(k_exit_codes.begin(),
                                           k_exit_codes.end(),
                                           [&](const auto& code) { return code.rc == output.rc; });
    if (known == k_exit_codes.end()) {
        return std::nullopt;
    }
    const auto words_of_tool = messages({{}, output.err, output.rc});
    return Unseen{known->reason,
                  fmt::format("{} {} (exit code {}){}",
                              tool,
                              known->meaning,
                              known->rc,
                              words_of_tool.empty()
                                  ? std::string()
                                  : ": " + excerpt(words_of_tool.front(), k_excerpt))};
}

std::optional<int> reported_exit_code(std::string_view err) {
    constexpr std::string_view k_start = "command terminated with exit code ";
    const auto said = lines(trim(err));
    if (said.empty() || !said.back().starts_with(k_start)) {
        return std::nullopt;
    }
    const auto code = parse_unsigned(trim(said.back().substr(k_start.size())));
    return code && *code <= 255 ? std::optional(static_cast<int>(*code)) : std::nullopt;
}

} // namespace di::parse
