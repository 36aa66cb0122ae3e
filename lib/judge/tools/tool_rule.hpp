// A rule about the output of one tool alone.
#pragma once

#include "judge/pod_rule.hpp"
#include "model/tool.hpp"

#include <string_view>

namespace di::judge {

struct ToolRule {
    model::Tool tool;
    std::string_view code;        ///< row of the catalogue
    model::Capability capability; ///< what it speaks for in a pod; none: advice only
    std::string_view look;        ///< a shell line that shows more, where the row is not ok
    Finding (*judge)(const model::ToolFacts& facts);
};

/// The rule of that tool. Facts of another tool's type are a mistake of the caller: they are
/// `skipped: unreadable`.
const ToolRule& rule_of(model::Tool tool);

} // namespace di::judge

namespace di::judge::tools {

Finding judge_device_nodes(const model::Listing& listing);
Finding judge_hca_list(const model::HcaList& list);
Finding judge_ports(const std::vector<model::RdmaDevice>& devices);
Finding judge_modules(const std::vector<model::KernelModule>& modules);
Finding judge_gdrdrv(const model::Listing& listing);
Finding judge_fabric(const std::vector<model::GpuFabric>& gpus);
Finding judge_ucx_devices(const model::UcxDevices& devices);
Finding judge_memlock(const model::Memlock& limit);
Finding judge_nixl_tools(const model::NixlTools& tools);
Finding judge_nixl_plugins(const std::vector<model::PluginDirectory>& directories);
/// Every variable by the rules about the environment, on its own. The worst one gives the row its
/// status and code; facts.vars has them all.
Finding judge_environment(const model::Environment& environment);

} // namespace di::judge::tools
