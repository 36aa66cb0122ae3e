#include "kubesim/scenarios/tools.hpp"

#include <fmt/format.h>

#include <map>

namespace di::kubesim::scenarios {
namespace {

/// Arguments, as `$*` joins them, and what they print.
using Answers = Pairs;

struct Refusal {
    std::string text;
    int code = 1;
};

std::string script(const Answers& answers, const Refusal& refusal) {
    std::string text = "#!/bin/sh\ncase \"$*\" in\n";
    for (const auto& [arguments, output] : answers) {
        text += fmt::format("'{}')\ncat <<'KUBESIM_END'\n{}KUBESIM_END\n;;\n", arguments, output);
    }
    return text + fmt::format("*)\ncat >&2 <<'KUBESIM_END'\n{}KUBESIM_END\nexit {}\n;;\nesac\n",
                              refusal.text,
                              refusal.code);
}

std::string nvidia_smi(const Host& host, std::string_view seed) {
    const std::string links = nvidia_smi_nvlink(host, seed);
    return script(
        {{"topo -m", nvidia_smi_topo(host, seed)},
         {"nvlink --status", links},
         {"nvlink -s", links},
         {"-q", nvidia_smi_query(host, seed)},
         {"-L", nvidia_smi_list(host, seed)}},
        {"Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n\n", 2});
}

} // namespace

std::string tool_script(std::string_view tool, const Component& component, std::string_view seed) {
    const Host& host = component.host;
    if (tool == "nvidia-smi") {
        return nvidia_smi(host, seed);
    }
    if (tool == "ibv_devinfo") {
        return script({{"", ibv_devinfo(host, seed)}, {"-l", ibv_devinfo_list(host, seed)}},
                      {"Usage: ibv_devinfo             print the ca attributes\n", 255});
    }
    if (tool == "ibstat") {
        return script({{"", ibstat(host, seed)}},
                      {"ibpanic: [41] main: stat of IB device failed: No such device\n", 255});
    }
    if (tool == "ucx_info") {
        return script({{"-v", ucx_info_version()}, {"-d", ucx_info_devices(component, seed)}},
                      {"Usage: ucx_info [options]\n", 255});
    }
    return "";
}

} // namespace di::kubesim::scenarios
