#include "parse/environment.hpp"

#include "model/env_names.hpp"
#include "tool_input.hpp"

#include <algorithm>

namespace {

/// As the probe script prints it. The first line keeps a CR at the end of every value from being
/// taken for the line's.
std::string rendered(const di::model::EnvMap& values) {
    std::string text = "_=\n";
    for (auto [name, value] : values) {
        std::replace(value.begin(), value.end(), '\n', '\x01');
        text += name;
        text += '=';
        text += value;
        text += '\n';
    }
    return text;
}

} // namespace

DI_FUZZ_TARGET(environment) {
    using namespace di;
    const auto values = fuzz::read_tool(input, parse::parse_env);
    if (!values) {
        return;
    }
    for (const auto& [name, value] : *values) {
        fuzz::require(model::may_leave_pod(name), "only allowed names are kept");
    }
    const std::string text = rendered(*values);
    const auto again = parse::parse_env({text, {}, 0});
    fuzz::require(again && *again == *values, "what was read reads the same when printed again");
    fuzz::require(parse::only_allowed(*values) == *values, "the filter keeps what it let through");
    const auto whole = parse::environment(model::EnvSource::exec, *values);
    fuzz::require(whole.tls.has_value() == values->contains("UCX_TLS"), "UCX_TLS is read when set");
    fuzz::require(whole.net_devices.has_value() == values->contains("UCX_NET_DEVICES"),
                  "UCX_NET_DEVICES is read when set");
}
