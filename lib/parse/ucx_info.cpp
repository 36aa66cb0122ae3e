#include "parse/ucx_info.hpp"

#include "parse/tool_text.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::Seen;
using model::UcxBuild;
using model::UcxDevices;
using model::UcxMemoryDomain;

constexpr std::string_view k_tool = "ucx_info";

/// The text behind "# "; nothing for a line that is no comment.
std::optional<std::string_view> comment(std::string_view line) {
    const auto text = trim(line);
    return text.starts_with('#') ? std::optional(trim(text.substr(1))) : std::nullopt;
}

/// "--with-cuda=/usr/local/cuda" and "--with-verbs" ask for a feature, "--with-cuda=no" does not.
bool asks_for(std::string_view flag, std::string_view feature) {
    constexpr std::string_view k_with = "--with-";
    if (!flag.starts_with(k_with)) {
        return false;
    }
    flag.remove_prefix(k_with.size());
    const auto equals = flag.find('=');
    const auto value = equals == std::string_view::npos ? "yes" : flag.substr(equals + 1);
    return flag.substr(0, equals) == feature && value != "no";
}

void read_flags(const Line& line, std::string_view flags, UcxBuild& build) {
    auto parts = words(flags);
    if (!line.ended && !parts.empty()) {
        parts.pop_back();
    }
    for (const auto flag : parts) {
        build.cuda = build.cuda || asks_for(flag, "cuda");
        build.verbs = build.verbs || asks_for(flag, "verbs");
        build.mlx5 = build.mlx5 || asks_for(flag, "mlx5") || asks_for(flag, "mlx5-dv");
        build.efa = build.efa || asks_for(flag, "efa");
        build.gdrcopy = build.gdrcopy || asks_for(flag, "gdrcopy");
    }
}

/// The version a comment names: "Library version: 1.19.0", "Version 1.13.1", "UCT version=1.9.0
/// ...".
std::string_view version_in(std::string_view text) {
    for (const std::string_view start : {"Library version: ", "Version ", "UCT version="}) {
        if (text.starts_with(start)) {
            const auto parts = words(text.substr(start.size()));
            return parts.empty() ? std::string_view{} : parts.front();
        }
    }
    return {};
}

/// "host (access,reg), cuda (access,reg)": the names whose parentheses are closed.
std::vector<std::string> memory_types(std::string_view text) {
    std::vector<std::string> types;
    for (;;) {
        const auto open = text.find('(');
        const auto close = text.find(')', std::min(open, text.size()));
        if (close == std::string_view::npos) {
            return types;
        }
        types.emplace_back(trim(text.substr(0, open)));
        text.remove_prefix(close + 1);
        text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
    }
}

/// "unlimited, dmabuf, cost: 0 nsec": one of the parts between commas.
bool has_part(std::string_view list, std::string_view wanted) {
    const auto parts = split(list, ',');
    return std::any_of(
        parts.begin(), parts.end(), [&](std::string_view part) { return trim(part) == wanted; });
}

class DeviceReader {
public:
    void read(const Line& line) {
        const auto text = comment(line.text);
        if (!text) {
            return;
        }
        if (text->starts_with('<')) {
            read_failure(*text);
            return;
        }
        const auto entry = field(*text);
        if (!entry || (!line.ended && entry->key != "memory types")) {
            return;
        }
        if (entry->key == "Memory domain") {
            devices_.domains.emplace_back();
            devices_.domains.back().name = std::string(entry->value);
            in_domain_ = true;
        } else if (entry->key == "Connection manager") {
            in_domain_ = false;
        } else if (in_domain_) {
            read_domain(*entry, devices_.domains.back());
        }
    }

    [[nodiscard]] bool saw_domain() const { return !devices_.domains.empty(); }

    UcxDevices finish() { return std::move(devices_); }

private:
    /// "< failed to open memory domain mlx5_0 >"
    void read_failure(std::string_view text) {
        constexpr std::string_view k_start = "< failed to open memory domain ";
        if (!text.starts_with(k_start) || !text.ends_with('>')) {
            return;
        }
        UcxMemoryDomain domain;
        domain.name =
            std::string(trim(text.substr(k_start.size(), text.size() - k_start.size() - 1)));
        domain.opened = false;
        devices_.domains.push_back(std::move(domain));
        in_domain_ = false;
    }

    static void read_domain(const Field& entry, UcxMemoryDomain& domain) {
        if (entry.key == "Component") {
            domain.component = std::string(entry.value);
        } else if (entry.key == "register") {
            domain.dmabuf = has_part(entry.value, "dmabuf");
        } else if (entry.key == "memory types") {
            domain.memory_types = memory_types(entry.value);
        } else if (entry.key == "Transport") {
            domain.transports.push_back({std::string(entry.value), {}});
        } else if (entry.key == "Device" && !domain.transports.empty()) {
            domain.transports.back().device = std::string(entry.value);
        }
    }

    UcxDevices devices_;
    bool in_domain_ = false;
};

} // namespace

Seen<UcxBuild> parse_ucx_version(const ToolOutput& output) {
    if (auto silent = why_silent(output, k_tool)) {
        return *silent;
    }
    const LineReader text(output.out);
    UcxBuild build;
    for (const auto& line : text.lines()) {
        const auto said = comment(line.text).value_or(std::string_view{});
        const auto entry = field(said);
        if (entry && to_lower(entry->key) == "configured with") {
            read_flags(line, entry->value, build);
        } else if (build.version.empty() && line.ended) {
            build.version = std::string(version_in(said));
        }
    }
    return build.version.empty() ? Seen<UcxBuild>(could_not_read(output, k_tool))
                                 : Seen<UcxBuild>(std::move(build));
}

Seen<UcxDevices> parse_ucx_devices(const ToolOutput& output) {
    if (auto silent = why_silent(output, k_tool)) {
        return *silent;
    }
    const LineReader text(output.out);
    DeviceReader reader;
    for (const auto& line : text.lines()) {
        reader.read(line);
    }
    if (!reader.saw_domain()) {
        return could_not_read(output, k_tool);
    }
    auto devices = reader.finish();
    devices.cut = text.cut();
    return devices;
}

} // namespace di::parse
