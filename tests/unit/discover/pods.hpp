// Pods for tests, built from what a test is about; everything else is healthy.
#pragma once

#include "discover/inventory.hpp"
#include "model/api_objects.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace di::test {

inline model::Container
container(std::string name, model::StringMap limits = {}, std::vector<std::string> command = {}) {
    model::Container made;
    made.name = std::move(name);
    made.limits = std::move(limits);
    made.command = std::move(command);
    return made;
}

inline model::ContainerStatus status(std::string name,
                                     model::ContainerPhase phase = model::ContainerPhase::running,
                                     std::string reason = {},
                                     std::string message = {}) {
    model::ContainerStatus made;
    made.name = std::move(name);
    made.phase = phase;
    made.reason = std::move(reason);
    made.message = std::move(message);
    return made;
}

class PodBuilder {
public:
    /// A running pod of namespace `ns` with a container `main` that asks for a GPU.
    explicit PodBuilder(std::string name) {
        pod_.ns = "ns";
        pod_.name = std::move(name);
        pod_.node = "n1";
        pod_.phase = "Running";
        pod_.containers = {container("main", {{"nvidia.com/gpu", "1"}})};
        pod_.statuses = {status("main")};
    }

    PodBuilder& ns(std::string name) {
        pod_.ns = std::move(name);
        return *this;
    }

    PodBuilder& label(const std::string& key, std::string value) {
        pod_.labels[key] = std::move(value);
        return *this;
    }

    PodBuilder& graph(std::string name) {
        return label("nvidia.com/dynamo-graph-deployment-name", std::move(name));
    }

    PodBuilder& component(std::string name) {
        return label("nvidia.com/dynamo-component", std::move(name));
    }

    PodBuilder& type(std::string type) {
        return label("nvidia.com/dynamo-component-type", std::move(type));
    }

    PodBuilder& sub_type(std::string type) {
        return label("nvidia.com/dynamo-sub-component-type", std::move(type));
    }

    PodBuilder& generation(std::string hash) {
        return label("nvidia.com/dynamo-worker-hash", std::move(hash));
    }

    PodBuilder& annotation(const std::string& key, std::string value) {
        pod_.annotations[key] = std::move(value);
        return *this;
    }

    PodBuilder& command(std::vector<std::string> words) {
        pod_.containers.front().command = std::move(words);
        return *this;
    }

    PodBuilder& script(std::string text) { return command({"sh", "-c", std::move(text)}); }

    PodBuilder& env(std::string name, std::optional<std::string> value) {
        pod_.containers.front().env.push_back({std::move(name), std::move(value)});
        return *this;
    }

    PodBuilder& limits(model::StringMap limits) {
        pod_.containers.front().limits = std::move(limits);
        return *this;
    }

    PodBuilder& containers(std::vector<model::Container> list) {
        pod_.statuses.clear();
        for (const model::Container& made : list) {
            pod_.statuses.push_back(status(made.name));
        }
        pod_.containers = std::move(list);
        return *this;
    }

    PodBuilder& waiting(std::string reason, std::string message = {}) {
        pod_.statuses.front() = status(pod_.containers.front().name,
                                       model::ContainerPhase::waiting,
                                       std::move(reason),
                                       std::move(message));
        return *this;
    }

    PodBuilder& unscheduled(std::string reason, std::string message = {}) {
        pod_.phase = "Pending";
        pod_.node.clear();
        pod_.statuses.clear();
        pod_.conditions.push_back({"PodScheduled", "False", std::move(reason), std::move(message)});
        return *this;
    }

    PodBuilder& phase(std::string phase, std::string reason = {}) {
        pod_.phase = std::move(phase);
        pod_.reason = std::move(reason);
        return *this;
    }

    PodBuilder& deleting() {
        pod_.deleting = true;
        return *this;
    }

    model::Pod& edit() { return pod_; }

    operator model::Pod() const { return pod_; }

private:
    model::Pod pod_;
};

/// A worker of graph "g" whose type label says its role.
inline PodBuilder worker(const std::string& name, const std::string& role) {
    return PodBuilder(name).graph("g").type(role).component(role);
}

inline discover::ApiObjects objects(std::vector<model::Pod> pods) {
    discover::ApiObjects made;
    made.pods = std::move(pods);
    return made;
}

} // namespace di::test
