#include "cli/capture.hpp"

#include "base/strings.hpp"
#include "cli/usage.hpp"

#include <fmt/format.h>

namespace di::cli {
namespace {

Result<int> exit_code(std::string_view text) {
    const auto value = parse_unsigned(text);
    if (!value || *value > 255) {
        return usage(fmt::format("invalid value \"{}\" for --rc", text),
                     "an exit code is a number from 0 to 255");
    }
    return static_cast<int>(*value);
}

/// "prefill-0=prefill".
Result<std::pair<std::string, model::Role>> pod_role(const std::string& text) {
    const auto equals = text.find('=');
    const auto role = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (equals == 0 || (role != "prefill" && role != "decode")) {
        return usage(fmt::format("invalid value \"{}\" for --role", text),
                     "a pod's role is given as POD=prefill or POD=decode");
    }
    return std::pair(text.substr(0, equals),
                     role == "prefill" ? model::Role::prefill : model::Role::decode);
}

Outcome take_flags(const RawFlags& raw, Capture& capture) {
    capture.out = raw.stdout_file.value_or("-");
    capture.err = raw.stderr_file;
    capture.pods = raw.pods_folder;
    if (raw.rc) {
        const auto code = exit_code(*raw.rc);
        if (!code.ok()) {
            return code.error();
        }
        capture.rc = *code;
    }
    for (const auto& text : raw.pod_roles) {
        const auto role = pod_role(text);
        if (!role.ok()) {
            return role.error();
        }
        capture.roles.insert_or_assign(role->first, role->second);
    }
    return Done{};
}

/// Either the probe whose output is judged, or a folder of pods.
Outcome check_capture(const CommandInfo& command, const RawFlags& raw, Invocation& invocation) {
    auto& capture = invocation.capture;
    if (invocation.arguments.empty() != capture.pods.has_value()) {
        return usage("judge takes either a PROBE or --pods DIR", "", help_hint(command));
    }
    if (capture.pods) {
        const bool single = raw.stdout_file || raw.stderr_file || raw.rc;
        return single ? Outcome(usage("--stdout, --stderr and --rc belong to one PROBE, not to "
                                      "--pods",
                                      "",
                                      help_hint(command)))
                      : Outcome(Done{});
    }
    const auto& name = invocation.arguments.front();
    capture.tool = model::tool_named(name);
    if (!capture.tool) {
        const auto names = model::tool_names();
        const auto near = nearest(name, {names.begin(), names.end()});
        return usage(fmt::format("unknown probe \"{}\"", name),
                     near.empty() ? "" : fmt::format("did you mean \"{}\"?", near),
                     help_hint(command));
    }
    if (!capture.roles.empty()) {
        return usage("--role belongs to --pods, not to one PROBE", "", help_hint(command));
    }
    return Done{};
}

} // namespace

Outcome take_capture(const CommandInfo& command, const RawFlags& raw, Invocation& invocation) {
    const auto taken = take_flags(raw, invocation.capture);
    return taken.ok() ? check_capture(command, raw, invocation) : taken;
}

} // namespace di::cli
