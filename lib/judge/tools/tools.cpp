// The table of tools, and the row that each of them gives.
#include "judge/tools.hpp"

#include "judge/engine_facts.hpp"
#include "judge/gpu_facts.hpp"
#include "judge/tools/tool_rule.hpp"

#include <fmt/format.h>

#include <array>

namespace di::judge {
namespace {

using model::Capability;
using model::SkipReason;
using model::Status;
using model::Tool;
using model::ToolFacts;

/// Judges facts of one type; a GpuFault decides wherever it stands in for them.
template<class T, Finding (*Judge)(const T&)> Finding judge_as(const ToolFacts& facts) {
    if (const auto* fault = std::get_if<model::GpuFault>(&facts)) {
        return fault_finding(*fault);
    }
    const auto* wanted = std::get_if<T>(&facts);
    return wanted != nullptr ? Judge(*wanted)
                             : skipped(SkipReason::unreadable, "facts of another tool");
}

using Ports = std::vector<model::RdmaDevice>;

/// In the order of model::Tool.
constexpr std::array<ToolRule, 16> k_rules = {{
    {Tool::ib_devices,
     "IB-001",
     Capability::devices,
     "ls -l /dev/infiniband",
     judge_as<model::Listing, tools::judge_device_nodes>},
    {Tool::ibv_devinfo_list,
     "IB-013",
     Capability::devices,
     "ibv_devinfo -l; ls -l /dev/infiniband",
     judge_as<model::HcaList, tools::judge_hca_list>},
    {Tool::ibv_devinfo,
     "IB-012",
     Capability::link,
     "ibv_devinfo -v",
     judge_as<Ports, tools::judge_ports>},
    {Tool::ib_link, "IB-011", Capability::link, "ibstat", judge_as<Ports, tools::judge_ports>},
    {Tool::ib_sysfs,
     "IB-002",
     Capability::link,
     "grep -H . /sys/class/infiniband/*/ports/*/state /sys/class/infiniband/*/ports/*/sm_lid",
     judge_as<Ports, tools::judge_ports>},
    {Tool::gpudirect_modules,
     "GDR-001",
     Capability::gpudirect,
     "ucx_info -d | grep -E 'Memory domain|memory types'",
     judge_as<std::vector<model::KernelModule>, tools::judge_modules>},
    {Tool::gdrcopy,
     "GDR-002",
     Capability::none,
     "ls -l /dev/gdrdrv",
     judge_as<model::Listing, tools::judge_gdrdrv>},
    {Tool::gpu_topology,
     "NVL-001",
     Capability::none,
     "nvidia-smi topo -m",
     judge_as<model::GpuTopology, topology_finding>},
    {Tool::nvlink_status,
     "NVL-002",
     Capability::none,
     "nvidia-smi nvlink --status",
     judge_as<std::vector<model::NvlinkGpu>, nvlink_finding>},
    {Tool::gpu_fabric,
     "NVL-003",
     Capability::nvlink,
     "nvidia-smi -q | grep -A12 -w Fabric",
     judge_as<std::vector<model::GpuFabric>, tools::judge_fabric>},
    {Tool::ucx_devices,
     "UCX-005",
     Capability::gpudirect,
     "ls -l /dev/infiniband; ucx_info -d",
     judge_as<model::UcxDevices, tools::judge_ucx_devices>},
    {Tool::ucx_version,
     "UCX-001",
     Capability::none,
     "ucx_info -v",
     judge_as<model::UcxBuild, ucx_build_finding>},
    {Tool::memlock,
     "UCX-004",
     Capability::memlock,
     "grep 'locked memory' /proc/1/limits; grep CapEff /proc/1/status",
     judge_as<model::Memlock, tools::judge_memlock>},
    {Tool::nixl_tools,
     "NIXL-003",
     Capability::none,
     "command -v nixlbench; command -v nixl_test",
     judge_as<model::NixlTools, tools::judge_nixl_tools>},
    {Tool::nixl_plugins,
     "NIXL-004",
     Capability::library,
     "find / -name 'libplugin_*.so' 2>/dev/null",
     judge_as<std::vector<model::PluginDirectory>, tools::judge_nixl_plugins>},
    {Tool::env,
     "ENV-001",
     Capability::transport,
     "env | grep -E '^(UCX|NIXL|FI|MC|NCCL)_'",
     judge_as<model::Environment, tools::judge_environment>},
}};

model::NextStep next_step(const ToolRule& rule, const model::Check& check) {
    const auto* info = find_rule(check.code);
    if (check.reason == SkipReason::tool_missing || check.reason == SkipReason::not_applicable) {
        return {{"kubectl", "dynamo-interconnect", "explain", check.code},
                "what this would have shown"};
    }
    const std::string look(rule.look);
    const bool of_pod = check.subject.kind == model::SubjectKind::pod;
    auto why =
        check.status == Status::skipped ? std::string("capture it again") : std::string(info->fix);
    return of_pod ? model::NextStep{{"kubectl", "exec", check.subject.name, "--", "sh", "-c", look},
                                    std::move(why)}
                  : model::NextStep{{"sh", "-c", look}, "in the pod: " + why};
}

Finding answer(const ToolRule& rule, const model::ToolReading& reading) {
    if (reading) {
        return rule.judge(*reading);
    }
    const auto& unseen = *reading.unseen();
    const auto why = unseen.why.empty() ? std::string(to_string(unseen.reason)) : unseen.why;
    return skipped(unseen.reason, why)
        .with("reason", to_string(unseen.reason))
        .because(std::string(to_string(rule.tool)), unseen.why);
}

} // namespace

const ToolRule& rule_of(Tool tool) {
    return k_rules.at(static_cast<std::size_t>(tool));
}

model::Check
judge_tool(Tool tool, const model::ToolReading& reading, const model::Subject& subject) {
    const auto& rule = rule_of(tool);
    auto finding = answer(rule, reading);
    model::Check check;
    check.name = to_string(tool);
    check.code = finding.code.empty() ? rule.code : finding.code;
    check.status = finding.status;
    check.reason = finding.reason;
    check.subject = subject;
    check.detail = std::move(finding.detail);
    check.facts = std::move(finding.facts);
    check.evidence = std::move(finding.evidence);
    check.advisory = rule.capability == Capability::none && check.status != Status::fail;
    check.capability = check.advisory ? Capability::none : rule.capability;
    if (check.status != Status::ok) {
        check.next = next_step(rule, check);
    }
    return check;
}

} // namespace di::judge
