#include "kubesim/scenarios/scenarios.hpp"

#include "base/strings.hpp"
#include "kubesim/scenarios/cluster.hpp"
#include "kubesim/scenarios/objects.hpp"
#include "kubesim/scenarios/root.hpp"
#include "kubesim/scenarios/table.hpp"
#include "kubesim/scenarios/tree.hpp"

#include <set>
#include <utility>

namespace di::kubesim::scenarios {
namespace {

Result<Scenario> find(std::string_view name) {
    for (auto& scenario : all()) {
        if (scenario.name == name) {
            return std::move(scenario);
        }
    }
    return Error{ErrorKind::not_found,
                 "no such scenario",
                 std::string(name),
                 "known are " + join(names(), ", "),
                 ""};
}

Result<Done> write_objects(const Scenario& scenario,
                           const Cluster& cluster,
                           const std::filesystem::path& folder) {
    const std::pair<const char*, Value> files[] = {
        {"pods.json", pod_list(scenario, cluster)},
        {"nodes.json", node_list(cluster)},
        {"events.json", event_list(cluster)},
        {"dynamographdeployments.json", graph_deployment_list(scenario, cluster)},
    };
    for (const auto& [name, value] : files) {
        if (auto written = write_file(folder / name, to_json(value) + "\n"); !written) {
            return written;
        }
    }
    return Done{};
}

/// One tree for each (component, leader or follower): the pods share them.
Result<Done>
write_roots(const Scenario& scenario, const Cluster& cluster, const std::filesystem::path& folder) {
    std::set<std::string> done;
    for (const auto& pod : cluster.pods) {
        if (pod.component == nullptr ||
            !done.insert(root_name(*pod.component, pod.place.rank)).second) {
            continue;
        }
        const Tree tree = make_root(scenario, *pod.component, pod.place);
        if (auto written = tree.write(folder / root_name(*pod.component, pod.place.rank));
            !written) {
            return written;
        }
    }
    return Done{};
}

} // namespace

std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& scenario : all()) {
        found.push_back(scenario.name);
    }
    return found;
}

std::string summary(std::string_view name) {
    const auto scenario = find(name);
    return scenario ? scenario->summary : "";
}

Result<Done> write(std::string_view name, std::size_t pods, const std::filesystem::path& into) {
    auto found = find(name);
    if (!found) {
        return found.error();
    }
    const auto scenario = with_pods(*std::move(found), pods);
    if (!scenario) {
        return scenario.error();
    }
    const Cluster cluster = place(*scenario);
    if (auto written = write_objects(*scenario, cluster, into / "objects"); !written) {
        return written;
    }
    return write_roots(*scenario, cluster, into / "roots");
}

} // namespace di::kubesim::scenarios
