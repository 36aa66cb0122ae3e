#include "discover/inventory.hpp"
#include "fuzz.hpp"
#include "kube/decode.hpp"
#include "kube/status.hpp"

#include <set>

namespace {

using namespace di;
using fuzz::require;

template<class T> void require_error(const Result<T>& result) {
    require(result.error().kind == ErrorKind::parse, "a list that is none is a parse error");
    require(!result.error().cause.empty(), "and says why");
}

void require_inventory(const discover::ApiObjects& objects, const discover::Selection& selection) {
    const auto inventory = discover::inventory(objects, selection);
    std::set<std::pair<std::string, std::string>> seen;
    for (const auto& worker : inventory.workers) {
        require(seen.insert({worker.ns, worker.pod}).second, "a pod is listed once");
        require(!worker.container.empty(), "a worker has a container to enter");
    }
    for (const auto& left_out : inventory.not_probed) {
        require(seen.insert({left_out.ns, left_out.pod}).second, "a pod is listed once");
        require(!left_out.detail.empty(), "a pod is left out with a word");
    }
    for (const auto& check : inventory.checks) {
        require(!check.code.empty() && !check.detail.empty(), "a row has a code and words");
        require(check.next.has_value() == (check.status != model::Status::ok),
                "what is not ok has a next step");
        require(check.reason.has_value() == (check.status == model::Status::skipped),
                "what is skipped has a reason");
    }
}

} // namespace

/// One text as each kind of list, and what discovery makes of it.
DI_FUZZ_TARGET(kube_decode) {
    discover::ApiObjects objects;
    if (auto pods = kube::decode_pods(input); pods.ok()) {
        objects.pods = std::move(pods->items);
        for (const auto& pod : objects.pods) {
            require(!pod.name.empty(), "a pod has a name");
        }
    } else {
        require_error(pods);
    }
    if (auto graphs = kube::decode_graphs(input); graphs.ok()) {
        objects.graphs = std::move(graphs->items);
        for (const auto& graph : objects.graphs) {
            require(!graph.name.empty(), "a graph has a name");
        }
    } else {
        require_error(graphs);
    }
    if (const auto nodes = kube::decode_node_names(input); nodes.ok()) {
        for (const auto& name : nodes->items) {
            require(!name.empty(), "a node has a name");
        }
    } else {
        require_error(nodes);
    }
    require_inventory(objects, {});
    discover::Selection selection;
    selection.container = "main";
    selection.role = model::Role::prefill;
    require_inventory(objects, selection);
}
