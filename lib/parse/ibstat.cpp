#include "parse/ibstat.hpp"

#include "parse/tool_text.hpp"
#include "parse/verbs_words.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::Port;
using model::RdmaDevice;

/// "CA 'mlx5_0'": the name; empty when the line was cut inside it.
std::optional<std::string_view> ca_name(std::string_view line) {
    constexpr std::string_view k_start = "CA '";
    if (!line.starts_with(k_start)) {
        return std::nullopt;
    }
    line.remove_prefix(k_start.size());
    const auto quote = line.find('\'');
    return quote == std::string_view::npos ? std::string_view{} : line.substr(0, quote);
}

/// "Port 1:"; "Port GUID: ..." is not one.
std::optional<int> port_number(const Field& line) {
    constexpr std::string_view k_start = "Port ";
    if (!line.key.starts_with(k_start) || !line.value.empty()) {
        return std::nullopt;
    }
    const auto number = parse_unsigned(line.key.substr(k_start.size()));
    return number && *number < 256 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

void read_port_field(const Field& line, Port& port) {
    if (line.key == "State") {
        port.state = port_state(line.value);
    } else if (line.key == "Physical state") {
        port.phys_state = phys_state(line.value);
    } else if (line.key == "Rate") {
        port.rate_gbps = leading_number(line.value);
    } else if (line.key == "Base lid") {
        port.lid = lid(line.value);
    } else if (line.key == "SM lid") {
        port.sm_lid = lid(line.value);
    } else if (line.key == "Link layer") {
        port.link_layer = link_layer(line.value);
    }
}

class Reader {
public:
    void read(const Line& line) {
        if (const auto name = ca_name(trim(line.text))) {
            finish_device();
            devices_.emplace_back();
            devices_.back().name = std::string(*name);
            return;
        }
        if (devices_.empty()) {
            return;
        }
        const auto entry = field(line.text);
        const bool told = entry && (line.ended || entry->key == "Link layer");
        if (told) {
            read_device_field(*entry);
        } else if (!line.ended && !trim(line.text).empty()) {
            devices_.back().cut = true;
        }
    }

    std::vector<RdmaDevice> finish() {
        finish_device();
        return std::move(devices_);
    }

private:
    void read_device_field(const Field& entry) {
        RdmaDevice& device = devices_.back();
        if (const auto number = port_number(entry)) {
            device.ports.emplace_back();
            device.ports.back().number = *number;
        } else if (!device.ports.empty()) {
            read_port_field(entry, device.ports.back());
        } else if (entry.key == "CA type") {
            device.hca_type = std::string(entry.value);
        } else if (entry.key == "Number of ports") {
            declared_ports_ = parse_unsigned(entry.value).value_or(0);
        }
    }

    void finish_device() {
        if (!devices_.empty()) {
            mark_cut(devices_.back(), declared_ports_);
        }
        declared_ports_ = 0;
    }

    std::vector<RdmaDevice> devices_;
    std::size_t declared_ports_ = 0;
};

/// "ibpanic: [7] main: can't list IB device names: (No such file or directory)": libibumad found no
/// /sys/class/infiniband.
bool says_no_class(const ToolOutput& output) {
    const auto said = messages(output);
    return std::any_of(said.begin(), said.end(), [](std::string_view line) {
        return contains(line, "can't list IB device names") &&
               contains(line, "No such file or directory");
    });
}

} // namespace

model::Seen<std::vector<RdmaDevice>> parse_ibstat(const ToolOutput& output) {
    if (auto silent = why_silent(output, "ibstat")) {
        return *silent;
    }
    const LineReader text(output.out);
    Reader reader;
    for (const auto& line : text.lines()) {
        reader.read(line);
    }
    auto devices = reader.finish();
    if (devices.empty() && says_no_class(output)) {
        return devices;
    }
    if (devices.empty() && (output.rc != 0 || !messages(output).empty())) {
        return could_not_read(output, "ibstat");
    }
    return devices;
}

} // namespace di::parse
