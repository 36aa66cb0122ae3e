#include "parse/sysfs.hpp"

#include "parse/tool_text.hpp"
#include "parse/verbs_words.hpp"

#include <algorithm>
#include <array>

namespace di::parse {
namespace {

using model::Gid;
using model::GidType;
using model::Port;
using model::RdmaDevice;
using model::Seen;

constexpr std::string_view k_class = "/sys/class/infiniband";

/// More than any host has: hostile text must not cost time.
constexpr std::size_t k_most_devices = 512;

/// A whole value, or one that the end of the text may have cut.
struct Value {
    std::string_view text;
    bool ended = true;
};

/// "4: ACTIVE": the number decides, since ACTIVE also begins ACTIVE_DEFER.
template<class Enum> Enum by_number(std::string_view text, Enum last) {
    const auto number = parse_unsigned(trim(text.substr(0, text.find(':'))));
    return contains(text, ":") && number && *number <= static_cast<std::uint64_t>(last)
               ? static_cast<Enum>(*number)
               : Enum{};
}

/// A last line without its newline may have been cut: then the word must be one of the kernel's.
bool is_whole(Value value, std::initializer_list<std::string_view> words) {
    const auto word = trim(value.text.substr(value.text.find(':') + 1));
    return value.ended || std::find(words.begin(), words.end(), word) != words.end();
}

bool read_state(Port& port, Value value) {
    if (!is_whole(value, {"NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER"})) {
        return false;
    }
    port.state = by_number(value.text, model::PortState::active_defer);
    return port.state != model::PortState::unknown;
}

bool read_phys_state(Port& port, Value value) {
    if (!is_whole(value,
                  {"Sleep",
                   "Polling",
                   "Disabled",
                   "PortConfigurationTraining",
                   "LinkUp",
                   "LinkErrorRecovery",
                   "Phy Test"})) {
        return false;
    }
    port.phys_state = by_number(value.text, model::PhysState::phy_test);
    return port.phys_state != model::PhysState::unknown;
}

/// "400 Gb/sec (4X NDR)".
bool read_rate(Port& port, Value value) {
    if (!contains(value.text, " Gb/sec")) {
        return false;
    }
    port.rate_gbps = leading_number(value.text);
    return port.rate_gbps.has_value();
}

bool read_link_layer(Port& port, Value value) {
    port.link_layer = link_layer(value.text);
    return port.link_layer != model::LinkLayer::unknown;
}

bool read_lid(Port& port, Value value) {
    port.lid = value.ended ? lid(value.text) : std::nullopt;
    return port.lid.has_value();
}

bool read_sm_lid(Port& port, Value value) {
    port.sm_lid = value.ended ? lid(value.text) : std::nullopt;
    return port.sm_lid.has_value();
}

struct PortFile {
    std::string_view name;
    bool (*read)(Port& port, Value value); ///< false: not understood, the fact stays unknown
};

constexpr std::array k_port_files = {
    PortFile{"state", read_state},
    PortFile{"phys_state", read_phys_state},
    PortFile{"rate", read_rate},
    PortFile{"link_layer", read_link_layer},
    PortFile{"lid", read_lid},
    PortFile{"sm_lid", read_sm_lid},
};

Gid& gid_at(Port& port, int index) {
    const auto place = std::find_if(
        port.gids.begin(), port.gids.end(), [&](const Gid& gid) { return gid.index >= index; });
    if (place != port.gids.end() && place->index == index) {
        return *place;
    }
    return *port.gids.insert(place, Gid{index, {}, GidType::unknown, {}});
}

GidType gid_type(std::string_view text) {
    if (text == "RoCE v2") {
        return GidType::roce_v2;
    }
    return text == "IB/RoCE v1" ? GidType::ib_or_roce_v1 : GidType::unknown;
}

/// `gids/3`, `gid_attrs/types/3`, `gid_attrs/ndevs/3`, `pkeys/0`: a table of a port.
bool read_table(Port& port, std::string_view table, int index, Value value) {
    constexpr int k_last_gid = 15;
    constexpr std::size_t k_gid_length = 39;
    if (table == "pkeys") {
        const auto key =
            value.ended || value.text.size() == 6 ? parse_unsigned(value.text) : std::nullopt;
        const bool used = key && *key != 0 && *key <= UINT16_MAX;
        auto& known = port.pkeys;
        if (used && std::find(known.begin(), known.end(), *key) == known.end()) {
            known.push_back(static_cast<std::uint16_t>(*key));
        }
        return key.has_value();
    }
    if (index > k_last_gid) {
        return true;
    }
    if (table == "gids") {
        if (value.text.size() != k_gid_length) {
            return false;
        }
        port.gids_readable = true;
        if (value.text.find_first_not_of("0:") != std::string_view::npos) {
            gid_at(port, index).text = value.text;
        } else if (index == 0) {
            port.first_gid_empty = true;
        }
        return true;
    }
    if (table == "gid_attrs/types") {
        gid_at(port, index).type = gid_type(value.text);
    } else if (table == "gid_attrs/ndevs" && value.ended) {
        gid_at(port, index).netdev = std::string(value.text);
    }
    return value.ended;
}

class SysfsReader {
public:
    void read(const Line& line) {
        auto text = line.text;
        if (text.starts_with("./")) {
            text.remove_prefix(2);
        }
        if (text.starts_with('+')) {
            note_directory(text.substr(1));
            return;
        }
        if (skip_to(text, "infiniband_verbs/") || text.starts_with("uverbs")) {
            read_verbs(text, line.ended);
            return;
        }
        const bool absolute = text.starts_with('/');
        if (absolute && !skip_to(text, "infiniband/")) {
            return;
        }
        // Beyond the device's name no path has a colon; PCI addresses stand before it.
        const auto slash = text.find('/');
        const auto colon = text.find(':');
        if (slash == std::string_view::npos || colon == std::string_view::npos || colon < slash) {
            note_cut(text, line.ended);
            return;
        }
        auto* const found = device(text.substr(0, slash));
        if (found == nullptr) {
            return;
        }
        const auto path = text.substr(slash + 1, colon - slash - 1);
        const Value value{trim(text.substr(colon + 1)), line.ended};
        if (!read_file(*found, path, value) && !line.ended) {
            found->cut = true;
        }
    }

    std::vector<RdmaDevice> finish() {
        for (auto& found : devices_) {
            for (auto& port : found.ports) {
                auto& gids = port.gids;
                gids.erase(std::remove_if(gids.begin(),
                                          gids.end(),
                                          [](const Gid& gid) { return gid.text.empty(); }),
                           gids.end());
            }
            const auto node =
                std::find_if(verbs_.begin(), verbs_.end(), [&](const auto& candidate) {
                    return candidate.device == found.name;
                });
            found.uverbs = node == verbs_.end() ? std::string{} : node->node;
        }
        return std::move(devices_);
    }

private:
    struct Verbs {
        std::string node;
        std::string device;
    };

    /// Drops everything up to and including `directory`.
    static bool skip_to(std::string_view& text, std::string_view directory) {
        const auto at = text.find(directory);
        const bool found = text.starts_with('/') && at != std::string_view::npos;
        if (found) {
            text.remove_prefix(at + directory.size());
        }
        return found;
    }

    RdmaDevice* device(std::string_view name) {
        const auto found = std::find_if(devices_.begin(), devices_.end(), [&](const auto& known) {
            return known.name == name;
        });
        if (found != devices_.end()) {
            return &*found;
        }
        if (devices_.size() == k_most_devices) {
            return nullptr;
        }
        devices_.emplace_back().name = name;
        return &devices_.back();
    }

    static Port& port(RdmaDevice& of, int number) {
        const auto found = std::find_if(
            of.ports.begin(), of.ports.end(), [&](const Port& p) { return p.number == number; });
        if (found != of.ports.end()) {
            return *found;
        }
        of.ports.emplace_back().number = number;
        return of.ports.back();
    }

    /// "+mlx5_0": a device of which perhaps nothing else can be read.
    void note_directory(std::string_view name) {
        if (!name.empty() && name != "*" && !contains(name, "/")) {
            device(name);
        }
    }

    void note_cut(std::string_view text, bool ended) {
        if (!ended && !devices_.empty() && text.starts_with(devices_.back().name)) {
            devices_.back().cut = true;
        }
    }

    void read_verbs(std::string_view text, bool ended) {
        const auto slash = text.find("/ibdev:");
        if (slash != std::string_view::npos && ended) {
            verbs_.push_back(
                {std::string(text.substr(0, slash)), std::string(trim(text.substr(slash + 7)))});
        }
    }

    static bool read_file(RdmaDevice& found, std::string_view path, Value value) {
        constexpr std::string_view k_ports = "ports/";
        if (path.starts_with(k_ports)) {
            path.remove_prefix(k_ports.size());
            const auto slash = path.find('/');
            const auto number = parse_unsigned(path.substr(0, slash));
            return number && *number <= 255 && slash != std::string_view::npos &&
                   read_port(port(found, static_cast<int>(*number)), path.substr(slash + 1), value);
        }
        if (!value.ended) {
            return false;
        }
        if (path == "device/numa_node") {
            // -1, no affinity, is no number here.
            const auto node = parse_unsigned(value.text);
            found.numa_node =
                node && *node < 4096 ? std::optional(static_cast<int>(*node)) : std::nullopt;
        } else if (path == "device/uevent" || path == "uevent") {
            read_uevent(found, value.text);
        }
        return true;
    }

    static void read_uevent(RdmaDevice& found, std::string_view text) {
        constexpr std::string_view k_driver = "DRIVER=";
        constexpr std::string_view k_slot = "PCI_SLOT_NAME=";
        if (text.starts_with(k_driver)) {
            found.driver = text.substr(k_driver.size());
        } else if (text.starts_with(k_slot)) {
            found.pci = text.substr(k_slot.size());
        }
    }

    static bool read_port(Port& of, std::string_view file, Value value) {
        const auto* const known =
            std::find_if(k_port_files.begin(), k_port_files.end(), [&](const PortFile& entry) {
                return entry.name == file;
            });
        if (known != k_port_files.end()) {
            return known->read(of, value);
        }
        const auto slash = file.rfind('/');
        const auto index =
            slash == std::string_view::npos ? std::nullopt : parse_unsigned(file.substr(slash + 1));
        return index && *index < 256 &&
               read_table(of, file.substr(0, slash), static_cast<int>(*index), value);
    }

    std::vector<RdmaDevice> devices_;
    std::vector<Verbs> verbs_;
};

/// "grep: /sys/class/infiniband: No such file or directory", or with a pattern that matched
/// nothing.
bool says_class_is_absent(const ToolOutput& output) {
    const auto said = messages(output);
    return std::any_of(said.begin(), said.end(), [](std::string_view line) {
        return contains(line, k_class) && contains(line, "No such file or directory");
    });
}

} // namespace

Seen<std::vector<RdmaDevice>> parse_sysfs(const ToolOutput& output) {
    const LineReader text(output.out);
    SysfsReader reader;
    for (const auto& line : text.lines()) {
        reader.read(line);
    }
    auto devices = reader.finish();
    if (!devices.empty()) {
        return devices;
    }
    if (auto silent = why_silent(output, "grep")) {
        return *silent;
    }
    if (says_class_is_absent(output)) {
        return devices;
    }
    return could_not_read(output, "sysfs");
}

} // namespace di::parse
