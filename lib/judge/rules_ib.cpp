// Device nodes, kinds of devices, and second opinions. Ports: rules_port.cpp.
#include "base/strings.hpp"
#include "judge/catalogue/ib.hpp"
#include "judge/hcas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace di::judge::ib {
namespace {

using model::RdmaDevice;

/// HCAs that the settings ask for by name; with sysfs at hand, those that exist.
std::set<std::string> listed_devices(const PodView& view) {
    std::set<std::string> names(view.path.devices.begin(), view.path.devices.end());
    const auto& environment = view.seen.environment;
    if (names.empty() && environment && environment->net_devices &&
        !environment->net_devices->deny) {
        for (const auto& entry : environment->net_devices->entries) {
            if (entry.port || view.seen.sysfs) { // a bare name may be a network interface
                names.insert(entry.device);
            }
        }
    }
    if (!view.seen.sysfs) {
        return names;
    }
    std::set<std::string> existing;
    for (const auto& device : *view.seen.sysfs) {
        if (names.count(device.name) != 0) {
            existing.insert(device.name);
        }
    }
    return existing;
}

/// How many of the listed HCAs can be opened; without sysfs any open node may be one of them.
std::size_t
open_listed(const PodView& view, const std::set<std::string>& listed, std::size_t open) {
    if (!view.seen.sysfs) {
        return std::min(open, listed.size());
    }
    const auto& devices = *view.seen.sysfs;
    return static_cast<std::size_t>(
        std::count_if(devices.begin(), devices.end(), [&](const RdmaDevice& device) {
            return listed.count(device.name) != 0 && can_open(device, view.seen);
        }));
}

/// The node has more compute HCAs than this container may open.
std::size_t compute_devices(const PodView& view) {
    if (!view.seen.sysfs) {
        return 0;
    }
    const auto& devices = *view.seen.sysfs;
    const auto has_infiniband = [](const RdmaDevice& device) {
        return std::any_of(device.ports.begin(), device.ports.end(), [](const auto& port) {
            return port.link_layer == model::LinkLayer::infiniband;
        });
    };
    const auto infiniband = std::count_if(devices.begin(), devices.end(), has_infiniband);
    return infiniband > 0 ? static_cast<std::size_t>(infiniband) : devices.size();
}

Finding judge_closed_nodes(const PodView& view, std::size_t present) {
    const auto uid = view.seen.engine && view.seen.engine->uid
                         ? fmt::format("uid {}", *view.seen.engine->uid)
                         : std::string("the container's user");
    return fail(fmt::format(
        "{} uverbs nodes are there, but {} may open none of them (permission)", present, uid));
}

Finding judge_open_nodes(const PodView& view, std::size_t open) {
    const auto listed = listed_devices(view);
    const auto usable = open_listed(view, listed, open);
    if (usable < listed.size()) {
        const auto text = fmt::format("{} of {} listed HCAs can be opened", usable, listed.size());
        return usable == 0 ? fail(text) : warn(text);
    }
    const auto gpus = static_cast<std::size_t>(std::max(0, view.worker.spec.gpus));
    const bool node_has_more = compute_devices(view) > open;
    if (listed.empty() && ((open < gpus && node_has_more) || open * 2 < gpus)) {
        return warn(fmt::format("only {} uverbs nodes can be opened, for {} GPUs", open, gpus));
    }
    return ok(fmt::format("{} uverbs nodes can be opened", open));
}

template<class Counts>
std::set<std::string> active_ports(const std::vector<RdmaDevice>& devices, const Counts& counts) {
    std::set<std::string> names;
    for (const auto& device : devices) {
        for (const auto& port : device.ports) {
            if (is_active(port) && counts(device)) {
                names.insert(PortRef{&device, &port}.id());
            }
        }
    }
    return names;
}

bool any_device(const RdmaDevice& /*device*/) {
    return true;
}

/// Compares a tool's Active ports with those of the devices in sysfs that it should show.
template<class Shows>
Finding compare(const PodView& view,
                const std::vector<RdmaDevice>& shown,
                std::string_view tool,
                const Shows& shows) {
    const auto by_tool = active_ports(shown, any_device);
    if (std::any_of(shown.begin(), shown.end(), [](const auto& device) { return device.cut; })) {
        return warn(fmt::format(
            "the output of {} is cut: {} Active ports up to there", tool, by_tool.size()));
    }
    if (!view.seen.sysfs) {
        return by_tool.empty()
                   ? warn(fmt::format("{} shows no Active port; sysfs was not readable", tool))
                   : ok(fmt::format(
                         "{} shows {} Active ports; sysfs was not readable", tool, by_tool.size()));
    }
    if (const auto of_node = active_ports(*view.seen.sysfs, any_device);
        shown.empty() && !of_node.empty()) {
        return warn(fmt::format("{} finds 0 HCAs, though sysfs shows {} Active ports: the devices "
                                "cannot be opened from this container",
                                tool,
                                of_node.size()));
    }
    const auto by_sysfs = active_ports(*view.seen.sysfs, shows);
    if (by_tool != by_sysfs) {
        return warn(fmt::format(
            "{} shows {} Active ports, sysfs shows {}", tool, by_tool.size(), by_sysfs.size()));
    }
    return ok(fmt::format("{} agrees with sysfs: {} Active ports", tool, by_tool.size()));
}

/// The kernel driver, or the name's habit where the link could not be read.
std::string kind_of(const RdmaDevice& device) {
    if (!device.driver.empty()) {
        return device.driver;
    }
    if (is_efa(device)) {
        return "efa";
    }
    return contains(device.name, "mlx5_") ? "mlx5_core" : "";
}

} // namespace

const Unseen* needs_device_nodes(const PodView& view) {
    return openable_nodes(view.seen).empty() ? view.seen.verbs_nodes.unseen() : nullptr;
}

const Unseen* needs_sysfs(const PodView& view) {
    return view.seen.sysfs.unseen();
}

const Unseen* needs_ibstat(const PodView& view) {
    return view.seen.ibstat.unseen();
}

const Unseen* needs_ibv_devinfo(const PodView& view) {
    return view.seen.ibv_devinfo.unseen();
}

Finding judge_device_nodes(const PodView& view) {
    const auto open = openable_nodes(view.seen);
    const auto present = view.seen.verbs_nodes ? view.seen.verbs_nodes->size() : open.size();
    auto finding = open.empty() && present == 0 ? fail("no /dev/infiniband/uverbs* node in the "
                                                       "container: no RDMA from this pod")
                   : open.empty()               ? judge_closed_nodes(view, present)
                                                : judge_open_nodes(view, open.size());
    return std::move(finding)
        .with("uverbs", present)
        .with("openable", open.size())
        .because("/dev/infiniband", join(open, " "));
}

Finding judge_kind(const PodView& view) {
    const auto ports = select_ports(*view.seen.sysfs, view.seen, view.path);
    std::set<std::string> kinds;
    for (const auto& port : ports.used) {
        kinds.insert(kind_of(*port.device));
    }
    const std::vector<std::string> names(kinds.begin(), kinds.end());
    const auto facts = [&](Finding finding) {
        return std::move(finding).with("drivers", names).because("device/driver", join(names, " "));
    };
    const bool efa = kinds.count("efa") != 0;
    if (view.path.kind == PathKind::libfabric && !efa) {
        const auto* provider = setting(view.worker, view.seen, "FI_PROVIDER");
        const bool demanded = provider != nullptr && *provider == "efa";
        return facts(demanded ? fail("FI_PROVIDER=efa, but there is no EFA device")
                              : warn("the LIBFABRIC backend finds no EFA device here and may take "
                                     "TCP sockets"));
    }
    if (kinds.empty() || kinds.count("") != 0) {
        return facts(skipped(model::SkipReason::unreadable, "no device shows its driver"));
    }
    if (view.path.kind == PathKind::ucx && efa) {
        return facts(warn(kinds.size() > 1
                              ? "EFA beside other RDMA devices, under the UCX backend"
                              : "EFA devices under the UCX backend: reads are emulated, LIBFABRIC "
                                "is meant for EFA"));
    }
    if (kinds.size() > 1) {
        return facts(warn(fmt::format("different kinds of RDMA devices: {}", join(names, ", "))));
    }
    return facts(ok(fmt::format("{} devices", names.front())));
}

/// ibstat reads the host's sysfs.
Finding judge_ibstat(const PodView& view) {
    return compare(view, *view.seen.ibstat, "ibstat", any_device);
}

/// libibverbs leaves out what it cannot open.
Finding judge_ibv_devinfo(const PodView& view) {
    return compare(view, *view.seen.ibv_devinfo, "ibv_devinfo", [&](const RdmaDevice& device) {
        return can_open(device, view.seen);
    });
}

} // namespace di::judge::ib
