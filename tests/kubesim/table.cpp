#include "kubesim/table.hpp"

#include "base/strings.hpp"
#include "kubesim/age.hpp"
#include "kubesim/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubesim {
namespace {

using Cells = std::vector<std::string>;

struct Column {
    std::string_view name;
    int priority = 0; ///< above 0: only with -o wide
};

/// How one resource is shown.
struct Layout {
    std::string_view resource;
    std::vector<Column> columns;
    Cells (*cells)(const JsonValue& object, std::chrono::seconds now);
};

std::string or_none(const std::string& text) {
    return text.empty() ? "<none>" : text;
}

std::string age(const JsonValue& object, JsonPath path, std::chrono::seconds now) {
    const auto since = parse_timestamp(text_at(object, path));
    return since ? human_duration(now - *since) : "<unknown>";
}

std::string created_age(const JsonValue& object, std::chrono::seconds now) {
    return age(object, {"metadata", "creationTimestamp"}, now);
}

bool condition_is(const JsonValue& object, std::string_view type, std::string_view status) {
    const auto conditions = items_at(object, {"status", "conditions"});
    return std::any_of(conditions.begin(), conditions.end(), [&](const JsonValue& condition) {
        return text_at(condition, {"type"}) == type && text_at(condition, {"status"}) == status;
    });
}

/// What a finished container shows: its reason, or its signal or exit code.
std::string terminated_text(const JsonValue& status) {
    auto reason = text_at(status, {"state", "terminated", "reason"});
    if (!reason.empty()) {
        return reason;
    }
    const auto signal = number_at(status, {"state", "terminated", "signal"});
    return signal != 0
               ? fmt::format("Signal:{}", signal)
               : fmt::format("ExitCode:{}", number_at(status, {"state", "terminated", "exitCode"}));
}

/// The first init container that has not succeeded, as `Init:...`; "" when all have.
std::string init_text(const JsonValue& pod) {
    const auto statuses = items_at(pod, {"status", "initContainerStatuses"});
    const auto total = items_at(pod, {"spec", "initContainers"});
    int index = 0;
    for (const auto& status : statuses) {
        const bool terminated = find_at(status, {"state", "terminated"}) != nullptr;
        const bool succeeded =
            terminated && number_at(status, {"state", "terminated", "exitCode"}) == 0;
        if (!succeeded && !true_at(status, {"started"})) {
            const auto waiting = text_at(status, {"state", "waiting", "reason"});
            if (terminated) {
                return "Init:" + terminated_text(status);
            }
            return !waiting.empty() && waiting != "PodInitializing"
                       ? "Init:" + waiting
                       : fmt::format("Init:{}/{}", index, total.end() - total.begin());
        }
        ++index;
    }
    return {};
}

struct ContainerSummary {
    std::string reason; ///< of the first container with one; "" when none has
    long ready = 0;
    long restarts = 0;
    bool any_running = false;
};

ContainerSummary summarise_containers(const JsonValue& pod) {
    ContainerSummary summary;
    const auto statuses = items_at(pod, {"status", "containerStatuses"});
    for (const auto* status = statuses.end(); status != statuses.begin();) {
        --status;
        summary.restarts += number_at(*status, {"restartCount"});
        const auto waiting = text_at(*status, {"state", "waiting", "reason"});
        if (!waiting.empty()) {
            summary.reason = waiting;
        } else if (find_at(*status, {"state", "terminated"}) != nullptr) {
            summary.reason = terminated_text(*status);
        } else if (true_at(*status, {"ready"})) {
            summary.any_running = true;
            ++summary.ready;
        }
    }
    return summary;
}

/// STATUS as kubectl's printer of pods derives it.
std::string pod_status(const JsonValue& pod, const ContainerSummary& containers) {
    const auto pod_reason = text_at(pod, {"status", "reason"});
    if (!text_at(pod, {"metadata", "deletionTimestamp"}).empty()) {
        return pod_reason == "NodeLost" ? "Unknown" : "Terminating";
    }
    if (auto init = init_text(pod); !init.empty()) {
        return init;
    }
    if (containers.reason == "Completed" && containers.any_running) {
        return condition_is(pod, "Ready", "True") ? "Running" : "NotReady";
    }
    if (!containers.reason.empty()) {
        return containers.reason;
    }
    return pod_reason.empty() ? text_at(pod, {"status", "phase"}) : pod_reason;
}

Cells pod_cells(const JsonValue& pod, std::chrono::seconds now) {
    const auto containers = summarise_containers(pod);
    const auto all = items_at(pod, {"spec", "containers"});
    return {text_at(pod, {"metadata", "name"}),
            fmt::format("{}/{}", containers.ready, all.end() - all.begin()),
            pod_status(pod, containers),
            std::to_string(containers.restarts),
            created_age(pod, now),
            or_none(text_at(pod, {"status", "podIP"})),
            or_none(text_at(pod, {"spec", "nodeName"})),
            or_none(text_at(pod, {"status", "nominatedNodeName"})),
            "<none>"};
}

std::string node_roles(const JsonValue& node) {
    constexpr std::string_view k_prefix = "node-role.kubernetes.io/";
    std::vector<std::string> roles;
    if (const auto* const labels = find_at(node, {"metadata", "labels"}); labels != nullptr) {
        for (const auto& label : labels->GetObject()) {
            const std::string_view key(label.name.GetString(), label.name.GetStringLength());
            if (key.substr(0, k_prefix.size()) == k_prefix) {
                roles.emplace_back(key.substr(k_prefix.size()));
            }
        }
    }
    return or_none(join(roles, ","));
}

std::string node_address(const JsonValue& node, std::string_view type) {
    for (const auto& address : items_at(node, {"status", "addresses"})) {
        if (text_at(address, {"type"}) == type) {
            return text_at(address, {"address"});
        }
    }
    return "<none>";
}

Cells node_cells(const JsonValue& node, std::chrono::seconds now) {
    std::string status = condition_is(node, "Ready", "True") ? "Ready" : "NotReady";
    if (true_at(node, {"spec", "unschedulable"})) {
        status += ",SchedulingDisabled";
    }
    return {text_at(node, {"metadata", "name"}),
            status,
            node_roles(node),
            created_age(node, now),
            text_at(node, {"status", "nodeInfo", "kubeletVersion"}),
            node_address(node, "InternalIP"),
            node_address(node, "ExternalIP"),
            text_at(node, {"status", "nodeInfo", "osImage"}),
            text_at(node, {"status", "nodeInfo", "kernelVersion"}),
            text_at(node, {"status", "nodeInfo", "containerRuntimeVersion"})};
}

Cells namespace_cells(const JsonValue& object, std::chrono::seconds now) {
    return {text_at(object, {"metadata", "name"}),
            text_at(object, {"status", "phase"}),
            created_age(object, now)};
}

Cells event_cells(const JsonValue& event, std::chrono::seconds now) {
    return {age(event, {"lastTimestamp"}, now),
            text_at(event, {"type"}),
            text_at(event, {"reason"}),
            fmt::format("{}/{}",
                        to_lower(text_at(event, {"involvedObject", "kind"})),
                        text_at(event, {"involvedObject", "name"})),
            trimmed(text_at(event, {"message"}))};
}

Cells graph_cells(const JsonValue& graph, std::chrono::seconds now) {
    return {text_at(graph, {"metadata", "name"}), created_age(graph, now)};
}

const std::vector<Layout>& layouts() {
    static const std::vector<Layout> k_layouts{
        {"pods",
         {{"Name"},
          {"Ready"},
          {"Status"},
          {"Restarts"},
          {"Age"},
          {"IP", 1},
          {"Node", 1},
          {"Nominated Node", 1},
          {"Readiness Gates", 1}},
         pod_cells},
        {"nodes",
         {{"Name"},
          {"Status"},
          {"Roles"},
          {"Age"},
          {"Version"},
          {"Internal-IP", 1},
          {"External-IP", 1},
          {"OS-Image", 1},
          {"Kernel-Version", 1},
          {"Container-Runtime", 1}},
         node_cells},
        {"namespaces", {{"Name"}, {"Status"}, {"Age"}}, namespace_cells},
        {"events", {{"Last Seen"}, {"Type"}, {"Reason"}, {"Object"}, {"Message"}}, event_cells},
        {"dynamographdeployments", {{"Name"}, {"Age"}}, graph_cells},
    };
    return k_layouts;
}

std::string column_definitions(const Layout& layout) {
    std::vector<std::string> definitions;
    definitions.reserve(layout.columns.size());
    for (const auto& column : layout.columns) {
        definitions.push_back(fmt::format(
            R"({{"name":"{}","type":"string","format":"{}","description":"","priority":{}}})",
            column.name,
            column.name == "Name" ? "name" : "",
            column.priority));
    }
    return join(definitions, ",");
}

std::string row(const Layout& layout, const Object& object, std::chrono::seconds now) {
    rapidjson::Document document;
    document.Parse(object.json.data(), object.json.size());
    std::vector<std::string> cells;
    for (const auto& cell : layout.cells(document, now)) {
        cells.push_back(json_string(cell));
    }
    const auto* const metadata = find_at(document, {"metadata"});
    return fmt::format(
        R"({{"cells":[{}],"object":{{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{}}}}})",
        join(cells, ","),
        metadata == nullptr ? "{}" : to_json(*metadata));
}

} // namespace

std::string make_table(const Collection& collection,
                       const std::vector<const Object*>& objects,
                       const std::string& list_metadata,
                       std::chrono::seconds now) {
    const auto& layout = *std::find_if(layouts().begin(), layouts().end(), [&](const auto& l) {
        return l.resource == collection.type->resource;
    });
    std::vector<std::string> rows;
    rows.reserve(objects.size());
    for (const auto* const object : objects) {
        rows.push_back(row(layout, *object, now));
    }
    return fmt::format(
        R"({{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"columnDefinitions":[{}],"rows":[{}]}})",
        list_metadata,
        column_definitions(layout),
        join(rows, ","));
}

} // namespace di::kubesim
