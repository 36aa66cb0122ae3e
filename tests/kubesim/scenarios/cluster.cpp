#include "kubesim/scenarios/cluster.hpp"

#include "base/strings.hpp"
#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim::scenarios {
namespace {

std::string pod_address(std::size_t index) {
    return fmt::format("10.{}.{}.{}", 240 + index / 60000, index / 250 % 240, index % 250 + 4);
}

std::string node_address(std::size_t index) {
    return fmt::format("10.20.{}.{}", index / 250, index % 250 + 4);
}

/// The name without its random end.
std::string
generate_name(const Scenario& scenario, const Component& component, const Place& place) {
    const std::string name = workload_name(scenario, component);
    if (!scenario.grove) {
        return fmt::format("{}-{}-", name, template_hash(name));
    }
    if (component.nodes == 1) {
        return name + "-";
    }
    return fmt::format("{}-{}-{}-{}-",
                       name,
                       place.replica,
                       to_lower(component.name),
                       place.rank == 0 ? "ldr" : "wkr");
}

PlacedPod frontend(const Scenario& scenario) {
    PlacedPod pod;
    const std::string name = frontend_workload_name(scenario);
    pod.generate_name =
        scenario.grove ? name + "-" : fmt::format("{}-{}-", name, template_hash(name));
    pod.place.pod = pod.generate_name + pod_suffix(pod.generate_name, 0);
    pod.address = pod_address(0);
    return pod;
}

} // namespace

Result<Scenario> with_pods(Scenario scenario, std::size_t pods) {
    if (pods == 0) {
        return scenario;
    }
    std::size_t together = 0;
    for (const auto& component : scenario.components) {
        together += static_cast<std::size_t>(component.nodes);
    }
    if (together == 0 || pods % together != 0) {
        return Error{ErrorKind::usage,
                     "cannot split the workers evenly",
                     "scenario " + scenario.name,
                     fmt::format("{} is not a multiple of {}", pods, together),
                     ""};
    }
    for (auto& component : scenario.components) {
        component.replicas = static_cast<int>(pods / together);
    }
    return scenario;
}

std::string workload_name(const Scenario& scenario, const Component& component) {
    const std::string name = to_lower(component.name);
    if (scenario.grove) {
        return fmt::format("{}-0-{}", scenario.graph, name);
    }
    return scenario.rendered_by == Operator::oldest
               ? fmt::format("{}-{}", scenario.graph, name)
               : fmt::format("{}-{}-{}", scenario.graph, name, worker_hash(scenario));
}

std::string frontend_workload_name(const Scenario& scenario) {
    return scenario.graph + (scenario.grove ? "-0-frontend" : "-frontend");
}

Cluster place(const Scenario& scenario) {
    Cluster cluster;
    cluster.nodes.push_back({"cpu-0001", node_address(0), nullptr});
    cluster.pods.push_back(frontend(scenario));
    for (const auto& component : scenario.components) {
        const int total = component.replicas * component.nodes;
        for (int i = 0; i < total; ++i) {
            if (i % scenario.workers_per_node == 0) {
                const std::size_t number = cluster.nodes.size();
                cluster.nodes.push_back(
                    {fmt::format("gpu-{:04}", number), node_address(number), &component.host});
            }
            PlacedPod pod;
            pod.place.replica = i / component.nodes;
            pod.place.rank = i % component.nodes;
            pod.generate_name = generate_name(scenario, component, pod.place);
            pod.place.pod =
                pod.generate_name + pod_suffix(component.name, static_cast<std::size_t>(i));
            pod.component = &component;
            pod.node = cluster.nodes.size() - 1;
            pod.address = pod_address(cluster.pods.size());
            pod.crashing = pod.place.replica >= component.replicas - component.crashing;
            cluster.pods.push_back(std::move(pod));
        }
    }
    std::sort(cluster.pods.begin(), cluster.pods.end(), [](const PlacedPod& a, const PlacedPod& b) {
        return a.place.pod < b.place.pod;
    });
    return cluster;
}

} // namespace di::kubesim::scenarios
