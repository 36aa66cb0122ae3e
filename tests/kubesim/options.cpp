#include "kubesim/options.hpp"

#include "base/duration.hpp"
#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim {
namespace {

struct Option {
    std::string_view name;
    std::string_view argument; ///< as --help names it
    std::string_view meaning;
    bool (*apply)(Options&, const std::string& value); ///< false: the value is wrong
};

bool set_exec(Options& options, const std::string& value) {
    options.exec = value == "replay" ? ExecMode::replay : ExecMode::run;
    return value == "run" || value == "replay";
}

bool set_pods(Options& options, const std::string& value) {
    options.pods = parse_unsigned(value).value_or(0);
    return options.pods > 0;
}

bool set_latency(Options& options, const std::string& value) {
    const auto latency = parse_duration(value);
    options.latency = latency.value_or(Millis(0));
    return latency.has_value();
}

template<auto Member> bool set_text(Options& options, const std::string& value) {
    options.*Member = value;
    return !value.empty();
}

bool add_fault_text(Options& options, const std::string& value) {
    options.faults.push_back(value);
    return true;
}

constexpr Option k_options[] = {
    {"--scenario", "NAME|DIR", "what the cluster holds", set_text<&Options::scenario>},
    {"--pods", "N", "repeat the scenario's workers, half of each role", set_pods},
    {"--write", "DIR", "write the scenario there and end", set_text<&Options::write>},
    {"--listen", "ADDRESS", "loopback address and port (127.0.0.1:0)", set_text<&Options::listen>},
    {"--kubeconfig-out",
     "FILE",
     "write a kubeconfig for this cluster",
     set_text<&Options::kubeconfig_out>},
    {"--requests-log", "FILE", "one JSON line a request", set_text<&Options::requests_log>},
    {"--exec",
     "run|replay",
     "run every command, or each distinct one once per root tree (run)",
     set_exec},
    {"--latency", "D", "wait before every answer, e.g. 20ms", set_latency},
    {"--fault", "KIND[:ARG]", "misbehave; may be repeated", add_fault_text},
};

/// `--name VALUE` and `--name=VALUE` become name and value.
std::vector<std::string> split_assignments(const std::vector<std::string>& arguments) {
    std::vector<std::string> parts;
    for (const auto& argument : arguments) {
        const auto equals = argument.find('=');
        if (argument.rfind("--", 0) == 0 && equals != std::string::npos) {
            parts.push_back(argument.substr(0, equals));
            parts.push_back(argument.substr(equals + 1));
        } else {
            parts.push_back(argument);
        }
    }
    return parts;
}

} // namespace

Result<Options> parse_options(const std::vector<std::string>& arguments) {
    Options options;
    const auto parts = split_assignments(arguments);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] == "--help" || parts[i] == "-h") {
            options.help = true;
            return options;
        }
        const auto* const option =
            std::find_if(std::begin(k_options), std::end(k_options), [&](const Option& o) {
                return o.name == parts[i];
            });
        if (option == std::end(k_options)) {
            return Error{ErrorKind::usage, "unknown argument", parts[i], "", "kubesim --help"};
        }
        if (++i == parts.size() || !option->apply(options, parts[i])) {
            return Error{ErrorKind::usage,
                         fmt::format("bad {}", option->name),
                         i < parts.size() ? parts[i] : "",
                         fmt::format("must be {}", option->argument),
                         ""};
        }
    }
    if (options.scenario.empty()) {
        return Error{ErrorKind::usage, "--scenario is missing", "", "", "kubesim --help"};
    }
    return options;
}

std::string help_text(const std::vector<std::string>& scenario_names) {
    std::string text =
        "kubesim: a small Kubernetes API server on loopback, for tests and the demo\n\n"
        "usage: kubesim --scenario NAME|DIR [flags]\n\n";
    for (const auto& option : k_options) {
        text += fmt::format(
            "  {:<34} {}\n", fmt::format("{} {}", option.name, option.argument), option.meaning);
    }
    text += fmt::format("\nscenarios: {}\n", join(scenario_names, " "));
    text += "a directory holds objects/*.json and roots/<namespace>/<pod>/ or roots/<name>/ "
            "(annotation kubesim.dev/root)\n";
    return text + "\nfaults:\n" + describe_faults();
}

} // namespace di::kubesim
