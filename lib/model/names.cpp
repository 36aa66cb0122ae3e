// The spelling of every enumeration in reports. Spellings are a contract with scripts.
#include "model/component.hpp"
#include "model/observation.hpp"
#include "model/report.hpp"
#include "model/tool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::model {
namespace {

/// Enumerators are dense and start at 0, so a spelling is an array element.
template<class Enum, std::size_t N>
std::string_view spell(Enum value, const std::array<std::string_view, N>& spellings) {
    return spellings.at(static_cast<std::size_t>(value));
}

} // namespace

std::string_view to_string(SkipReason reason) {
    static constexpr std::array<std::string_view, 8> k_names = {"not-applicable",
                                                                "tool-missing",
                                                                "no-permission",
                                                                "not-running",
                                                                "timed-out",
                                                                "truncated",
                                                                "unreadable",
                                                                "not-requested"};
    return spell(reason, k_names);
}

std::string_view to_string(Role role) {
    static constexpr std::array<std::string_view, 4> k_names = {
        "prefill", "decode", "worker", "encode"};
    return spell(role, k_names);
}

std::string_view to_string(RoleSource source) {
    static constexpr std::array<std::string_view, 4> k_names = {"label", "args", "name", "group"};
    return spell(source, k_names);
}

std::string_view to_string(Backend backend) {
    static constexpr std::array<std::string_view, 5> k_names = {
        "vllm", "sglang", "trtllm", "mocker", ""};
    return spell(backend, k_names);
}

std::string_view to_string(NotProbedReason reason) {
    static constexpr std::array<std::string_view, 10> k_names = {"not-running",
                                                                 "terminating",
                                                                 "completed",
                                                                 "no-container",
                                                                 "filtered",
                                                                 "no-permission",
                                                                 "tool-missing",
                                                                 "timed-out",
                                                                 "truncated",
                                                                 "unreadable"};
    return spell(reason, k_names);
}

std::string_view to_string(Status status) {
    static constexpr std::array<std::string_view, 4> k_names = {"ok", "warn", "fail", "skipped"};
    return spell(status, k_names);
}

std::string_view to_string(SubjectKind kind) {
    static constexpr std::array<std::string_view, 7> k_names = {
        "pod", "node", "pair", "graph", "namespace", "component", "file"};
    return spell(kind, k_names);
}

std::string_view to_string(Capability capability) {
    static constexpr std::array<std::string_view, 11> k_names = {"none",
                                                                 "coverage",
                                                                 "devices",
                                                                 "link",
                                                                 "address",
                                                                 "gpudirect",
                                                                 "memlock",
                                                                 "transport",
                                                                 "library",
                                                                 "nvlink",
                                                                 "pair"};
    return spell(capability, k_names);
}

std::string_view to_string(PortState state) {
    static constexpr std::array<std::string_view, 6> k_names = {
        "unknown", "Down", "Initializing", "Armed", "Active", "ActiveDefer"};
    return spell(state, k_names);
}

std::string_view to_string(PhysState state) {
    static constexpr std::array<std::string_view, 8> k_names = {"unknown",
                                                                "Sleep",
                                                                "Polling",
                                                                "Disabled",
                                                                "PortConfigurationTraining",
                                                                "LinkUp",
                                                                "LinkErrorRecovery",
                                                                "PhyTest"};
    return spell(state, k_names);
}

std::string_view to_string(LinkLayer layer) {
    static constexpr std::array<std::string_view, 4> k_names = {
        "unknown", "InfiniBand", "Ethernet", "Unspecified"};
    return spell(layer, k_names);
}

std::string_view to_string(EnvSource source) {
    static constexpr std::array<std::string_view, 4> k_names = {
        "engine process", "exec session", "pod spec", "manifest"};
    return spell(source, k_names);
}

std::string_view to_string(ExecOutcome outcome) {
    static constexpr std::array<std::string_view, 5> k_names = {
        "completed", "timed_out", "refused", "truncated", "cancelled"};
    return spell(outcome, k_names);
}

std::string_view to_string(State state) {
    static constexpr std::array<std::string_view, 5> k_names = {
        "ready", "degraded", "inconclusive", "blocked", "not-applicable"};
    return spell(state, k_names);
}

std::string_view to_string(Tier tier) {
    static constexpr std::array<std::string_view, 4> k_names = {
        "configured", "capable", "traffic", "payload"};
    return spell(tier, k_names);
}

std::string_view to_string(Path path) {
    static constexpr std::array<std::string_view, 7> k_names = {
        "rdma-ib", "rdma-roce", "efa", "nvlink-mnnvl", "tcp", "none", "unknown"};
    return spell(path, k_names);
}

std::string_view to_string(ComponentRole role) {
    static constexpr std::array<std::string_view, 5> k_names = {
        "prefill", "decode", "worker", "frontend", "other"};
    return spell(role, k_names);
}

std::string_view to_string(VarSource source) {
    static constexpr std::array<std::string_view, 7> k_names = {
        "literal", "graph-env", "configMap", "envFrom", "valueFrom", "args", "command"};
    return spell(source, k_names);
}

std::string to_text(const Place& place) {
    return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : place.file;
}

std::span<const std::string_view> tool_names() {
    static constexpr std::array<std::string_view, 16> k_names = {"ib-devices",
                                                                 "ibv-devinfo-list",
                                                                 "ibv-devinfo",
                                                                 "ib-link",
                                                                 "ib-sysfs",
                                                                 "gpudirect-modules",
                                                                 "gdrcopy",
                                                                 "gpu-topology",
                                                                 "nvlink-status",
                                                                 "gpu-fabric",
                                                                 "ucx-devices",
                                                                 "ucx-version",
                                                                 "memlock",
                                                                 "nixl-tools",
                                                                 "nixl-plugins",
                                                                 "env"};
    return k_names;
}

std::string_view to_string(Tool tool) {
    return tool_names()[static_cast<std::size_t>(tool)];
}

std::optional<Tool> tool_named(std::string_view name) {
    const auto names = tool_names();
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<Tool>(found - names.begin()));
}

} // namespace di::model
