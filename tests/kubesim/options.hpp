// kubesim's command line.
#pragma once

#include "base/clock.hpp"
#include "base/result.hpp"
#include "kubesim/exec.hpp"
#include "kubesim/faults.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace di::kubesim {

struct Options {
    std::string scenario;        ///< a name, or a directory
    std::size_t pods = 0;        ///< 0: as many as the scenario has
    std::filesystem::path write; ///< where to, instead of serving
    std::string listen = "127.0.0.1:0";
    std::filesystem::path kubeconfig_out;
    std::filesystem::path requests_log;
    ExecMode exec = ExecMode::run;
    Millis latency{0};
    std::vector<std::string> faults; ///< each one checked by add_fault
    bool help = false;
};

Result<Options> parse_options(const std::vector<std::string>& arguments);

std::string help_text(const std::vector<std::string>& scenario_names);

} // namespace di::kubesim
