// What must hold for any objects: the corpus with parts taken away or bytes changed.
#include "discover/inventory.hpp"
#include "kube/decode.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

using namespace di;
using discover::Selection;
using model::Inventory;
using model::Role;
using model::Status;

namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Folder {
    std::string name;
    std::string pods;
    std::string graphs; ///< "" when the case has none
};

const std::vector<Folder>& corpus() {
    static const std::vector<Folder> k_folders = [] {
        std::vector<Folder> folders;
        for (const auto& entry :
             fs::directory_iterator(fs::path(DI_TEST_DATA) / "corpus" / "discover-open")) {
            const fs::path objects = entry.path() / "objects";
            if (fs::exists(objects)) {
                folders.push_back({entry.path().filename().string(),
                                   read_file(objects / "pods.json"),
                                   read_file(objects / "dynamographdeployments.json")});
            }
        }
        return folders;
    }();
    return k_folders;
}

discover::ApiObjects decode(const Folder& folder) {
    discover::ApiObjects objects;
    objects.pods = kube::decode_pods(folder.pods)->items;
    if (!folder.graphs.empty()) {
        objects.graphs = kube::decode_graphs(folder.graphs)->items;
    }
    return objects;
}

/// What is wrong, one a line. Collected, since an assertion each would take most of the time.
using Faults = std::vector<std::string>;

void check_lists(const Inventory& inventory, Faults& faults) {
    std::set<std::pair<std::string, std::string>> seen;
    const auto require = [&](bool holds, const std::string& pod, const char* what) {
        if (!holds) {
            faults.push_back(pod + ": " + what);
        }
    };
    for (const model::Worker& worker : inventory.workers) {
        require(seen.insert({worker.ns, worker.pod}).second, worker.pod, "is listed twice");
        require(!worker.container.empty(), worker.pod, "has no container to enter");
        require(!worker.graph || !worker.graph->empty(), worker.pod, "has a nameless graph");
    }
    for (const model::NotProbed& left_out : inventory.not_probed) {
        require(seen.insert({left_out.ns, left_out.pod}).second, left_out.pod, "is listed twice");
        require(!left_out.detail.empty(), left_out.pod, "is left out without a word");
    }
}

/// Can be pasted: starts with kubectl, and no name in it is missing.
bool is_command(const model::NextStep& next) {
    return next.argv.front() == "kubectl" &&
           std::find(next.argv.begin(), next.argv.end(), "") == next.argv.end();
}

void check_rows(const Inventory& inventory, Faults& faults) {
    for (const model::Check& check : inventory.checks) {
        const bool names = !check.detail.empty() && !check.subject.name.empty();
        const bool advises = check.next.has_value() == (check.status != Status::ok) &&
                             (!check.next || is_command(*check.next));
        const bool reasons = check.reason.has_value() == (check.status == Status::skipped);
        if (!names || !advises || !reasons) {
            faults.push_back(check.code + " is incomplete: " + check.detail);
        }
    }
}

/// Roles of the pods of one graph that can be entered, or that only a filter leaves out.
std::set<Role> running_sides(const Inventory& inventory, const model::Subject& graph) {
    std::set<Role> sides;
    const auto count = [&](const auto& pod) {
        const std::string key =
            pod.graph.value_or(pod.dynamo_namespace.empty() ? "(no graph)" : pod.dynamo_namespace);
        if (pod.ns == graph.ns && key == graph.name) {
            sides.insert(pod.role);
        }
    };
    std::for_each(inventory.workers.begin(), inventory.workers.end(), count);
    for (const model::NotProbed& left_out : inventory.not_probed) {
        if (left_out.reason == model::NotProbedReason::filtered) {
            count(left_out);
        }
    }
    return sides;
}

/// "ok" on the sides of a graph rests on a pod of each.
void check_sides(const Inventory& inventory, Faults& faults) {
    for (const model::Check& check : inventory.checks) {
        if (check.code == "POD-001" && check.status == Status::ok) {
            const std::set<Role> sides = running_sides(inventory, check.subject);
            if (sides.count(Role::prefill) == 0 || sides.count(Role::decode) == 0) {
                faults.push_back("no pod of one side is behind: " + check.detail);
            }
        }
    }
}

void expect_sound(const discover::ApiObjects& objects, const Selection& selection) {
    const Inventory inventory = discover::inventory(objects, selection);
    Faults faults;
    check_lists(inventory, faults);
    check_rows(inventory, faults);
    if (!selection.container) { // sides run, even if not where --container points
        check_sides(inventory, faults);
    }
    CAPTURE(faults);
    CHECK(faults.empty());
}

struct Change {
    const char* what;
    std::function<void(model::Pod&)> apply;
};

using model::Pod;

const std::vector<Change> k_pod_changes = {
    {"nothing", [](Pod&) {}},
    {"no containers", [](Pod& pod) { pod.containers.clear(); }},
    {"no statuses", [](Pod& pod) { pod.statuses.clear(); }},
    {"no phase", [](Pod& pod) { pod.phase.clear(); }},
    {"pending", [](Pod& pod) { pod.phase = "Pending"; }},
    {"failed", [](Pod& pod) { pod.phase = "Failed"; }},
    {"unknown", [](Pod& pod) { pod.phase = "Unknown"; }},
    {"deleting", [](Pod& pod) { pod.deleting = true; }},
    {"no labels", [](Pod& pod) { pod.labels.clear(); }},
    {"no annotations", [](Pod& pod) { pod.annotations.clear(); }},
    {"no namespace", [](Pod& pod) { pod.ns.clear(); }},
    {"empty labels",
     [](Pod& pod) {
         for (auto& [key, value] : pod.labels) {
             value.clear();
         }
     }},
    {"upper case labels",
     [](Pod& pod) {
         for (auto& [key, value] : pod.labels) {
             std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) {
                 return static_cast<char>(std::toupper(c));
             });
         }
     }},
};

const std::vector<Change> k_container_changes = {
    {"nameless containers",
     [](Pod& pod) {
         for (auto& container : pod.containers) {
             container.name = "x";
         }
     }},
    {"no commands",
     [](Pod& pod) {
         for (auto& container : pod.containers) {
             container.command.clear();
             container.args.clear();
         }
     }},
    {"no limits",
     [](Pod& pod) {
         for (auto& container : pod.containers) {
             container.limits.clear();
         }
     }},
    {"all waiting",
     [](Pod& pod) {
         for (auto& status : pod.statuses) {
             status.phase = model::ContainerPhase::waiting;
             status.reason.clear();
         }
     }},
};

std::vector<Change> changes() {
    std::vector<Change> all = k_pod_changes;
    all.insert(all.end(), k_container_changes.begin(), k_container_changes.end());
    for (const char* key : {"nvidia.com/dynamo-graph-deployment-name",
                            "nvidia.com/dynamo-component-type",
                            "nvidia.com/dynamo-component",
                            "nvidia.com/dynamo-namespace",
                            "nvidia.com/dynamo-worker-hash",
                            "grove.io/podclique"}) {
        all.push_back({key, [key](Pod& pod) { pod.labels.erase(key); }});
    }
    return all;
}

std::vector<Selection> selections() {
    std::vector<Selection> all(6);
    all[1].role = Role::prefill;
    all[2].container = "main";
    all[3].container = "no-such-container";
    all[4].label_selector = "a=b";
    all[5].field_selector = "spec.nodeName=n1";
    return all;
}

} // namespace

TEST_CASE("an inventory holds together whatever is missing from a pod", "[discover][invariants]") {
    const auto all_changes = changes();
    for (const Folder& folder : corpus()) {
        const discover::ApiObjects original = decode(folder);
        for (const Change& change : all_changes) {
            CAPTURE(folder.name, change.what);
            discover::ApiObjects every = original;
            std::for_each(every.pods.begin(), every.pods.end(), change.apply);
            discover::ApiObjects half = original;
            for (std::size_t i = 0; i < half.pods.size(); i += 2) {
                change.apply(half.pods[i]);
            }
            for (const Selection& selection : selections()) {
                expect_sound(every, selection);
                expect_sound(half, selection);
            }
        }
    }
}

TEST_CASE("the order of the list does not matter", "[discover][invariants]") {
    for (const Folder& folder : corpus()) {
        CAPTURE(folder.name);
        discover::ApiObjects objects = decode(folder);
        const auto said = [&] {
            std::vector<std::string> all;
            const Inventory inventory = discover::inventory(objects, {});
            for (const auto& worker : inventory.workers) {
                all.push_back(worker.ns + "/" + worker.pod + ":" + worker.container);
            }
            for (const auto& check : inventory.checks) {
                all.push_back(check.code + check.subject.name + check.detail);
            }
            return all;
        };
        const auto before = said();
        std::reverse(objects.pods.begin(), objects.pods.end());
        std::reverse(objects.graphs.begin(), objects.graphs.end());
        CHECK(said() == before);
    }
}

TEST_CASE("bytes changed on the way are an error or another list, never a crash",
          "[discover][invariants]") {
    std::uint32_t state = 12345; // a fixed walk, the same in every run
    const auto next = [&](std::size_t below) {
        state = state * 1664525U + 1013904223U;
        return static_cast<std::size_t>(state >> 8U) % below;
    };
    static constexpr std::string_view k_bytes = "\"{}[]:,0\\ nt\xff";
    for (const Folder& folder : corpus()) {
        CAPTURE(folder.name);
        for (int round = 0; round < 20; ++round) {
            std::string text = folder.pods;
            for (int i = 0; i < 3; ++i) {
                text[next(text.size())] = k_bytes[next(k_bytes.size())];
            }
            const auto page = kube::decode_pods(text);
            if (page.ok()) {
                discover::ApiObjects objects;
                objects.pods = page->items;
                expect_sound(objects, {});
            } else {
                CHECK(page.error().kind == ErrorKind::parse);
            }
        }
    }
}
