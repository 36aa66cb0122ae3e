#include "parse/ibv_devinfo.hpp"

#include "parse/tool_text.hpp"
#include "parse/verbs_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::parse {
namespace {

using model::Port;
using model::RdmaDevice;
using model::Seen;

constexpr std::string_view k_tool = "ibv_devinfo";

/// Texts by which ibv_devinfo says that there is nothing to open: no device node, no verbs in the
/// kernel (ENOSYS), or no device that opens.
bool says_no_devices(const ToolOutput& output) {
    const auto said = messages(output);
    return std::any_of(said.begin(), said.end(), [](std::string_view line) {
        return contains(line, "No IB devices found") || contains(line, "Failed to open device") ||
               (contains(line, "Failed to get IB device") &&
                contains(line, "Function not implemented"));
    });
}

/// "InfiniBand (0)" without its number.
std::string_view word_of(std::string_view text) {
    return trim(text.substr(0, text.rfind('(')));
}

/// "4096 (5)": one of the InfiniBand specification's sizes, in bytes.
std::optional<int> mtu(std::string_view text) {
    constexpr std::array<int, 5> k_sizes = {256, 512, 1024, 2048, 4096};
    const auto bytes = parse_unsigned(word_of(text));
    const auto* const known = std::find_if(k_sizes.begin(), k_sizes.end(), [&](int size) {
        return bytes == static_cast<std::uint64_t>(size);
    });
    return known == k_sizes.end() ? std::nullopt : std::optional(*known);
}

std::string adapter(std::string_view vendor, std::string_view part) {
    constexpr std::string_view k_mellanox = "0x02c9";
    return vendor == k_mellanox ? fmt::format("MT{}", part) : fmt::format("{}:{}", vendor, part);
}

class Reader {
public:
    void read(const Line& line) {
        const auto entry = field(line.text);
        if (!entry) {
            return;
        }
        if (entry->key == "hca_id") {
            finish_device();
            devices_.emplace_back();
            devices_.back().name = line.ended ? std::string(entry->value) : std::string();
            return;
        }
        if (devices_.empty() || (!line.ended && entry->key != "link_layer")) {
            return;
        }
        if (entry->key == "port") {
            start_port(entry->value);
        } else if (devices_.back().ports.empty()) {
            read_device_field(*entry);
        } else {
            read_port_field(*entry, devices_.back().ports.back());
        }
    }

    std::vector<RdmaDevice> finish() {
        finish_device();
        return std::move(devices_);
    }

private:
    void start_port(std::string_view number) {
        finish_port();
        auto& ports = devices_.back().ports;
        ports.emplace_back();
        ports.back().number = static_cast<int>(parse_unsigned(number).value_or(1) & 0xFFU);
    }

    void read_device_field(const Field& entry) {
        RdmaDevice& device = devices_.back();
        if (entry.key == "transport") {
            device.transport = std::string(word_of(entry.value));
        } else if (entry.key == "vendor_id") {
            vendor_ = std::string(entry.value);
        } else if (entry.key == "vendor_part_id") {
            device.hca_type = adapter(vendor_, entry.value);
        } else if (entry.key == "phys_port_cnt") {
            declared_ports_ = parse_unsigned(entry.value).value_or(0);
        }
    }

    void read_port_field(const Field& entry, Port& port) {
        if (entry.key == "state") {
            port.state = numbered_port_state(entry.value);
        } else if (entry.key == "phys_state") {
            port.phys_state = numbered_phys_state(entry.value);
        } else if (entry.key == "active_mtu") {
            port.active_mtu = mtu(entry.value);
        } else if (entry.key == "sm_lid") {
            port.sm_lid = lid(entry.value);
        } else if (entry.key == "port_lid") {
            port.lid = lid(entry.value);
        } else if (entry.key == "link_layer") {
            port.link_layer = link_layer(entry.value);
        } else if (entry.key == "active_width") {
            lanes_ = leading_number(entry.value);
        } else if (entry.key == "active_speed") {
            lane_gbps_ = leading_number(entry.value);
        }
    }

    /// The `-v` form prints "4X (2)" and "100.0 Gbps (128)": a port's rate is their product.
    void finish_port() {
        if (lanes_ && lane_gbps_ && !devices_.back().ports.empty()) {
            devices_.back().ports.back().rate_gbps = *lanes_ * *lane_gbps_;
        }
        lanes_.reset();
        lane_gbps_.reset();
    }

    void finish_device() {
        if (!devices_.empty()) {
            finish_port();
            mark_cut(devices_.back(), declared_ports_);
        }
        declared_ports_ = 0;
        vendor_.clear();
    }

    std::vector<RdmaDevice> devices_;
    std::size_t declared_ports_ = 0;
    std::string vendor_;
    std::optional<double> lanes_;
    std::optional<double> lane_gbps_;
};

} // namespace

Seen<std::vector<RdmaDevice>> parse_ibv_devinfo(const ToolOutput& output) {
    if (auto silent = why_silent(output, k_tool)) {
        return *silent;
    }
    const LineReader text(output.out);
    Reader reader;
    for (const auto& line : text.lines()) {
        reader.read(line);
    }
    auto devices = reader.finish();
    if (devices.empty() && !says_no_devices(output)) {
        return could_not_read(output, k_tool);
    }
    return devices;
}

Seen<std::vector<std::string>> parse_ibv_devinfo_list(const ToolOutput& output) {
    if (auto silent = why_silent(output, k_tool)) {
        return *silent;
    }
    const LineReader text(output.out);
    std::optional<std::uint64_t> announced;
    std::vector<std::string> names;
    for (const auto& line : text.lines()) {
        const auto parts = words(line.text);
        const bool heading =
            parts.size() == 3 && parts[1].starts_with("HCA") && parts[2] == "found:";
        if (heading && !announced) {
            announced = parse_unsigned(parts[0]);
        } else if (announced && line.ended && parts.size() == 1) {
            names.emplace_back(parts[0]);
        }
    }
    if (!announced) {
        return says_no_devices(output) ? Seen<std::vector<std::string>>(names)
                                       : could_not_read(output, k_tool);
    }
    if (names.empty() && *announced > 0) {
        return cut_short(k_tool);
    }
    return names;
}

} // namespace di::parse
