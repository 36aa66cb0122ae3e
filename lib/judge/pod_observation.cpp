#include "judge/pods.hpp"

#include <algorithm>

namespace di::judge {
namespace {

using model::Seen;
using model::Tool;
using model::Unseen;

const model::ToolReading* reading_of(const CapturedPod& pod, Tool tool) {
    const auto found = pod.readings.find(tool);
    return found == pod.readings.end() ? nullptr : &found->second;
}

/// Why the tool's facts are not there.
Unseen missing(const CapturedPod& pod, Tool tool) {
    const auto* reading = reading_of(pod, tool);
    if (reading != nullptr && reading->unseen() != nullptr) {
        return *reading->unseen();
    }
    return {model::SkipReason::unreadable,
            reading == nullptr ? "not captured" : "nvidia-smi found no GPU"};
}

template<class T> void take(Seen<T>& fact, const CapturedPod& pod, Tool tool) {
    const auto* reading = reading_of(pod, tool);
    const auto* facts = reading == nullptr ? nullptr : model::facts_of<T>(*reading);
    if (facts != nullptr) {
        fact = *facts;
    } else {
        fact = missing(pod, tool);
    }
}

/// A listing shows that nodes are there; libibverbs, where it was asked, whether they open.
void take_nodes(model::PodObservation& seen, const CapturedPod& pod) {
    const auto* nodes = reading_of(pod, Tool::ib_devices);
    const auto* hcas = reading_of(pod, Tool::ibv_devinfo_list);
    const auto* listing = nodes == nullptr ? nullptr : model::facts_of<model::Listing>(*nodes);
    const auto* list = hcas == nullptr ? nullptr : model::facts_of<model::HcaList>(*hcas);
    std::vector<model::DeviceNode> found;
    if (listing != nullptr) {
        for (const auto& name : listing->names) {
            const auto file = std::string_view(name).substr(name.rfind('/') + 1);
            if (file.starts_with("uverbs")) {
                found.push_back({"/dev/infiniband/" + std::string(file),
                                 list == nullptr || !list->names.empty()});
            }
        }
    } else if (list != nullptr) {
        for (const auto& name : list->names) {
            found.push_back({name, true});
        }
    } else {
        seen.verbs_nodes = missing(pod, Tool::ib_devices);
        return;
    }
    seen.verbs_nodes = std::move(found);
}

/// A list without gid_attrs/ndevs does not say in which network namespace the interfaces are: they
/// are taken to be in the pod's.
void place_gids(model::PodObservation& seen) {
    if (!seen.sysfs) {
        return;
    }
    for (auto& device : *seen.sysfs) {
        for (auto& port : device.ports) {
            const bool shown = std::any_of(port.gids.begin(), port.gids.end(), [](const auto& gid) {
                return gid.netdev.has_value();
            });
            for (auto& gid : port.gids) {
                gid.netdev = shown ? gid.netdev : "";
            }
        }
    }
}

} // namespace

model::PodObservation observation_of(const CapturedPod& pod) {
    model::PodObservation seen;
    seen.exec = 0;
    take(seen.sysfs, pod, Tool::ib_sysfs);
    take(seen.ibstat, pod, Tool::ib_link);
    take(seen.ibv_devinfo, pod, Tool::ibv_devinfo);
    take_nodes(seen, pod);
    place_gids(seen);
    take(seen.topology, pod, Tool::gpu_topology);
    take(seen.nvlink, pod, Tool::nvlink_status);
    take(seen.fabric, pod, Tool::gpu_fabric);
    take(seen.ucx, pod, Tool::ucx_version);
    take(seen.nixl_plugins, pod, Tool::nixl_plugins);
    take(seen.environment, pod, Tool::env);
    return seen;
}

} // namespace di::judge
