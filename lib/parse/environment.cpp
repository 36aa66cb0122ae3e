#include "parse/environment.hpp"

#include "base/strings.hpp"
#include "model/env_names.hpp"
#include "model/secrets.hpp"
#include "parse/tool_text.hpp"
#include "parse/ucx_settings.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::EnvMap;

/// NAME as the shell and getenv(3) know it.
bool is_name(std::string_view text) {
    const auto is_part = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               c == '_';
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), is_part);
}

/// Lines as they are. A CR belongs to a value (and spoils it for UCX) unless every line ends in
/// one.
std::vector<std::string_view> exact_lines(std::string_view text) {
    auto found = split(text, '\n');
    if (found.back().empty()) {
        found.pop_back();
    }
    const auto ends_in_cr = [](std::string_view line) { return line.ends_with('\r'); };
    if (std::all_of(found.begin(), found.end(), ends_in_cr)) {
        for (auto& line : found) {
            line.remove_suffix(1);
        }
    }
    return found;
}

/// A value as `export -p` quotes it: "..." with backslashes (bash), '...' with '\\'' for a quote
/// (dash, busybox), or plain.
std::string unquoted(std::string_view text) {
    std::string value;
    char quote = '\0';
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool escaped = c == '\\' && quote != '\'' && at + 1 < text.size();
        if (escaped) {
            value.push_back(text[++at]);
        } else if (quote == '\0' && (c == '"' || c == '\'')) {
            quote = c;
        } else if (quote == c) {
            quote = '\0';
        } else {
            value.push_back(c);
        }
    }
    return value;
}

struct Assignment {
    std::string_view name;
    std::string value;
};

/// NAME=value of `env`, whose quotes belong to the value, or of `export -p`, whose quotes do not.
std::optional<Assignment> assignment(std::string_view line) {
    bool exported = false;
    for (const std::string_view start : {"export ", "declare -x "}) {
        if (line.starts_with(start)) {
            line.remove_prefix(start.size());
            exported = true;
        }
    }
    const auto equals = line.find('=');
    const auto name = line.substr(0, equals);
    if (equals == std::string_view::npos || !is_name(name)) {
        return std::nullopt;
    }
    const auto value = line.substr(equals + 1);
    return Assignment{name, exported ? unquoted(value) : std::string(value)};
}

/// The text was cut inside a name. Text of another kind, which is no environment, is left aside.
bool ends_in_name(std::string_view text) {
    const auto last_line = text.substr(text.rfind('\n') + 1);
    return is_name(last_line) && contains(text, "=");
}

} // namespace

model::Seen<EnvMap> parse_env(const ToolOutput& output) {
    if (ends_in_name(output.out)) {
        return cut_short("env");
    }
    EnvMap values;
    bool any = false;
    for (const auto line : exact_lines(output.out)) {
        auto entry = assignment(line);
        if (!entry) {
            continue;
        }
        any = true;
        if (model::may_leave_pod(entry->name)) {
            std::replace(entry->value.begin(), entry->value.end(), '\x01', '\n');
            values.emplace(entry->name, model::without_userinfo(entry->value));
        }
    }
    if (any) {
        return values;
    }
    if (auto silent = why_silent(output, "env")) {
        return *silent;
    }
    if (trim(output.out).empty()) {
        return values;
    }
    return could_not_read(output, "env");
}

EnvMap only_allowed(const EnvMap& values) {
    EnvMap allowed;
    for (const auto& [name, value] : values) {
        if (model::may_leave_pod(name)) {
            allowed.emplace(name, model::without_userinfo(value));
        }
    }
    return allowed;
}

model::Environment environment(model::EnvSource source, EnvMap values) {
    model::Environment result;
    result.source = source;
    result.values = std::move(values);
    if (const auto tls = result.values.find("UCX_TLS"); tls != result.values.end()) {
        result.tls = parse_ucx_tls(tls->second);
    }
    if (const auto net = result.values.find("UCX_NET_DEVICES"); net != result.values.end()) {
        result.net_devices = parse_ucx_net_devices(net->second);
    }
    return result;
}

} // namespace di::parse
