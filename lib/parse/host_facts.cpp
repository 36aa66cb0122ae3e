#include "parse/host_facts.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::parse {
namespace {

using model::DeviceNode;
using model::Seen;
using model::SkipReason;
using model::Unseen;

constexpr std::string_view k_gdrdrv = "/dev/gdrdrv";
constexpr std::string_view k_modules = "/proc/modules:";

/// The value of a line `path:value`.
std::optional<std::string_view> value_of(std::string_view section, std::string_view path) {
    for (const auto line : lines(section)) {
        if (line.starts_with(path) && line.substr(path.size()).starts_with(':')) {
            return trim(line.substr(path.size() + 1));
        }
    }
    return std::nullopt;
}

Unseen strange(std::string_view path, std::string_view text) {
    return {SkipReason::unreadable, fmt::format("{} reads \"{}\"", path, excerpt(text, 80))};
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// 570.86.15, not "x86_64".
bool is_version(std::string_view word) {
    return !word.empty() && is_digit(word.front()) && contains(word, ".") &&
           std::all_of(word.begin(), word.end(), [](char c) { return is_digit(c) || c == '.'; });
}

std::string first_version(std::string_view text) {
    const auto found = words(text);
    const auto version = std::find_if(found.begin(), found.end(), is_version);
    return version == found.end() ? std::string{} : std::string(*version);
}

/// Lines `path:open` and `path:closed` of paths that begin so.
std::vector<DeviceNode> nodes_below(std::string_view section, std::string_view start) {
    std::vector<DeviceNode> nodes;
    for (const auto line : lines(section)) {
        const auto colon = line.rfind(':');
        if (!line.starts_with(start) || colon == std::string_view::npos) {
            continue;
        }
        const auto state = line.substr(colon + 1);
        if (state == "open" || state == "closed") {
            nodes.push_back({std::string(line.substr(0, colon)), state == "open"});
        }
    }
    return nodes;
}

Unseen dev_unseen() {
    return {SkipReason::unreadable, "/dev cannot be searched"};
}

/// What /proc/modules tells, as far as the script repeats it.
struct ModuleLines {
    bool readable = false;
    std::vector<std::string_view> names;
    bool peermem_used = false; ///< ib_core or ib_uverbs names nvidia_peermem among its users
};

ModuleLines read_modules(std::string_view host) {
    ModuleLines found;
    for (auto line : lines(host)) {
        if (line.starts_with(k_modules)) {
            found.readable = true;
            line.remove_prefix(k_modules.size());
        }
        const auto fields = words(line); // name size references users state address
        if (fields.size() < 4) {
            continue;
        }
        found.names.push_back(fields[0]);
        const auto users = split(fields[3], ',');
        const bool used = std::find(users.begin(), users.end(), "nvidia_peermem") != users.end();
        found.peermem_used =
            found.peermem_used || (used && (fields[0] == "ib_core" || fields[0] == "ib_uverbs"));
    }
    return found;
}

/// Whether a module is loaded: /sys/module decides where it can be seen.
std::optional<bool>
is_loaded(std::string_view host, const ModuleLines& modules, std::string_view name) {
    switch (sign_of(host, fmt::format("/sys/module/{}", name))) {
    case Sign::there:
    case Sign::closed:
        return true;
    case Sign::absent:
        return false;
    case Sign::unseen:
        break;
    }
    if (!modules.readable) {
        return std::nullopt;
    }
    return std::find(modules.names.begin(), modules.names.end(), name) != modules.names.end();
}

bool is_there(std::string_view section, std::string_view path) {
    const auto sign = sign_of(section, path);
    return sign == Sign::there || sign == Sign::closed;
}

} // namespace

Sign sign_of(std::string_view section, std::string_view path) {
    for (const auto line : lines(section)) {
        if (line.empty() || line.substr(1) != path) {
            continue;
        }
        switch (line.front()) {
        case '+':
            return Sign::there;
        case '!':
            return Sign::closed;
        case '-':
            return Sign::absent;
        case '?':
            return Sign::unseen;
        default:
            break;
        }
    }
    return Sign::unseen;
}

Seen<model::KernelRelease> parse_kernel(std::string_view host) {
    const auto release = value_of(host, "/proc/sys/kernel/osrelease");
    if (!release) {
        return Unseen{SkipReason::unreadable, "/proc/sys/kernel/osrelease cannot be read"};
    }
    const auto numbers = split(release->substr(0, release->find_first_not_of("0123456789.")), '.');
    const auto major = parse_unsigned(numbers.front());
    const auto minor = numbers.size() > 1 ? parse_unsigned(numbers[1]) : std::nullopt;
    if (!major || !minor || *major > 99 || *minor > 999) {
        return strange("/proc/sys/kernel/osrelease", *release);
    }
    return model::KernelRelease{
        static_cast<int>(*major), static_cast<int>(*minor), std::string(*release)};
}

Seen<model::GpuDriver> parse_driver(std::string_view host) {
    if (const auto text = value_of(host, "/proc/driver/nvidia/version")) {
        const auto version = first_version(*text);
        const bool open = contains(*text, "Open Kernel Module");
        const bool kernel_module = contains(*text, "Kernel Module");
        if (!version.empty() && kernel_module) {
            return model::GpuDriver{
                version, open ? model::DriverFlavour::open : model::DriverFlavour::proprietary};
        }
        return strange("/proc/driver/nvidia/version", *text);
    }
    const auto module_version = value_of(host, "/sys/module/nvidia/version");
    if (module_version && is_version(*module_version)) {
        return model::GpuDriver{std::string(*module_version), model::DriverFlavour::unknown};
    }
    return Unseen{SkipReason::unreadable,
                  "neither /proc/driver/nvidia nor /sys/module/nvidia is in the container"};
}

Seen<model::PeerMemory> parse_peer_memory(std::string_view host) {
    constexpr std::string_view k_memory_peers = "/sys/kernel/mm/memory_peers/";
    const auto modules = read_modules(host);
    const auto peermem = is_loaded(host, modules, "nvidia_peermem");
    if (!peermem) {
        return Unseen{SkipReason::unreadable, "neither /sys/module nor /proc/modules can be read"};
    }
    model::PeerMemory memory;
    memory.nvidia_peermem = *peermem;
    memory.nv_peer_mem = is_loaded(host, modules, "nv_peer_mem").value_or(false);
    memory.efa_nv_peermem = is_loaded(host, modules, "efa_nv_peermem").value_or(false);
    memory.gdrdrv = is_loaded(host, modules, "gdrdrv").value_or(false);
    memory.memory_peers = is_there(host, fmt::format("{}nv_mem", k_memory_peers)) ||
                          is_there(host, fmt::format("{}nv_mem_nc", k_memory_peers));
    if (modules.readable) {
        memory.bound = modules.peermem_used;
    }
    return memory;
}

Seen<std::vector<DeviceNode>> parse_verbs_nodes(std::string_view nodes) {
    auto found = nodes_below(nodes, "/dev/infiniband/uverbs");
    if (!found.empty()) {
        return found;
    }
    switch (sign_of(nodes, "/dev/infiniband")) {
    case Sign::there:
    case Sign::absent:
        return found;
    case Sign::closed:
        return Unseen{SkipReason::no_permission, "/dev/infiniband is closed to the probing user"};
    case Sign::unseen:
        break;
    }
    return dev_unseen();
}

Seen<std::optional<DeviceNode>> parse_gdrdrv(std::string_view nodes) {
    const auto found = nodes_below(nodes, k_gdrdrv);
    if (!found.empty()) {
        return std::optional(found.front());
    }
    if (sign_of(nodes, k_gdrdrv) == Sign::absent) {
        return std::optional<DeviceNode>{};
    }
    return dev_unseen();
}

Seen<std::vector<std::string>> parse_imex_channels(std::string_view nodes) {
    std::vector<std::string> channels;
    for (auto& node : nodes_below(nodes, "/dev/nvidia-caps-imex-channels/")) {
        channels.push_back(std::move(node.path));
    }
    if (channels.empty() && sign_of(nodes, k_gdrdrv) == Sign::unseen) {
        return dev_unseen();
    }
    return channels;
}

Seen<std::vector<std::string>> parse_netdevs(std::string_view net) {
    std::vector<std::string> names;
    for (const auto line : lines(net)) {
        if (!trim(line).empty()) {
            names.emplace_back(trim(line));
        }
    }
    if (names.empty()) {
        return Unseen{SkipReason::unreadable, "/proc/net/dev cannot be read"};
    }
    return names;
}

} // namespace di::parse
