// Programs of an image that print canned text: shell scripts in the real tools' formats.
#pragma once

#include "kubesim/scenarios/vocabulary.hpp"

#include <string>
#include <string_view>

namespace di::kubesim::scenarios {

/// The script for one of nvidia-smi, ibv_devinfo, ibstat, ucx_info; empty for another name.
/// Arguments it does not know end it as the real tool ends.
std::string tool_script(std::string_view tool, const Component& component, std::string_view seed);

// What the tools print.

std::string nvidia_smi_list(const Host& host, std::string_view seed);   ///< nvidia-smi -L
std::string nvidia_smi_topo(const Host& host, std::string_view seed);   ///< nvidia-smi topo -m
std::string nvidia_smi_nvlink(const Host& host, std::string_view seed); ///< nvidia-smi nvlink -s
std::string nvidia_smi_query(const Host& host, std::string_view seed);  ///< nvidia-smi -q
std::string ibv_devinfo_list(const Host& host, std::string_view seed);  ///< ibv_devinfo -l
std::string ibv_devinfo(const Host& host, std::string_view seed);       ///< ibv_devinfo
std::string ibstat(const Host& host, std::string_view seed);            ///< ibstat
std::string ucx_info_version();                                         ///< ucx_info -v
std::string ucx_info_devices(const Component& component, std::string_view seed); ///< ucx_info -d

} // namespace di::kubesim::scenarios
