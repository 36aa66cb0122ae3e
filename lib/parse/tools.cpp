#include "parse/tools.hpp"

#include "parse/environment.hpp"
#include "parse/fabric.hpp"
#include "parse/ibstat.hpp"
#include "parse/ibv_devinfo.hpp"
#include "parse/listing.hpp"
#include "parse/memlock.hpp"
#include "parse/modules.hpp"
#include "parse/nixl.hpp"
#include "parse/nvlink.hpp"
#include "parse/nvml.hpp"
#include "parse/sysfs.hpp"
#include "parse/tool_text.hpp"
#include "parse/topology.hpp"
#include "parse/ucx_info.hpp"

#include <algorithm>
#include <array>

namespace di::parse {
namespace {

using model::Seen;
using model::ToolReading;

template<class T> ToolReading as_reading(Seen<T> seen) {
    return seen ? ToolReading(model::ToolFacts(std::move(*seen))) : ToolReading(*seen.unseen());
}

template<auto Parse> ToolReading read(const ToolOutput& output) {
    return as_reading(Parse(output));
}

/// nvidia-smi that ran and found no GPU has answered the question behind each of its commands.
template<auto Parse> ToolReading read_nvidia_smi(const ToolOutput& output) {
    auto reading = as_reading(Parse(output));
    if (!reading) {
        if (auto fault = gpu_fault(output)) {
            return model::ToolFacts(std::move(*fault));
        }
    }
    return reading;
}

ToolReading read_topology(const ToolOutput& output) {
    auto reading = parse_topology(output);
    if (reading && reading->fault) {
        return model::ToolFacts(std::move(*reading->fault));
    }
    return as_reading(std::move(reading));
}

ToolReading read_hca_list(const ToolOutput& output) {
    auto names = parse_ibv_devinfo_list(output);
    if (!names) {
        return *names.unseen();
    }
    const auto said = messages(output);
    const bool not_implemented = std::any_of(said.begin(), said.end(), [](std::string_view line) {
        return contains(line, "Function not implemented");
    });
    return model::ToolFacts(model::HcaList{std::move(*names), not_implemented ? "ENOSYS" : ""});
}

ToolReading read_environment(const ToolOutput& output) {
    auto values = parse_env(output);
    if (!values) {
        return *values.unseen();
    }
    return model::ToolFacts(environment(model::EnvSource::exec, std::move(*values)));
}

/// In the order of model::Tool.
constexpr std::array<ToolReading (*)(const ToolOutput&), 16> k_readers = {
    read<parse_listing>,
    read_hca_list,
    read<parse_ibv_devinfo>,
    read<parse_ibstat>,
    read<parse_sysfs>,
    read<parse_modules>,
    read<parse_listing>,
    read_topology,
    read_nvidia_smi<parse_nvlink_status>,
    read_nvidia_smi<parse_gpu_fabric>,
    read<parse_ucx_devices>,
    read<parse_ucx_version>,
    read<parse_ulimit_memlock>,
    read<parse_nixl_tools>,
    read<parse_nixl_plugins>,
    read_environment,
};

} // namespace

ToolReading read_tool(model::Tool tool, const ToolOutput& output) {
    return k_readers.at(static_cast<std::size_t>(tool))(output);
}

} // namespace di::parse
