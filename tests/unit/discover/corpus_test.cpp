// Every case of tests/data/corpus/discover-open: API objects, and the inventory an expert draws.
// The README there says what each field means.
#include "base/strings.hpp"
#include "discover/inventory.hpp"
#include "kube/decode.hpp"
#include "support/folder_tests.hpp"

#include <catch2/catch.hpp>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

using namespace di;
using discover::ApiObjects;
using discover::Selection;
using model::Inventory;

namespace {

namespace fs = std::filesystem;

/// A field: null is "", as for a value that is not there.
std::string text(const YAML::Node& node) {
    return !node || node.IsNull() ? std::string() : node.as<std::string>();
}

std::vector<std::string> texts(const YAML::Node& list) {
    std::vector<std::string> found;
    for (const YAML::Node& element : list) {
        found.push_back(text(element));
    }
    return found;
}

bool is_in(const std::string& value, const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

/// `key` of an expectation, or one of its `also` values.
void check_field(const YAML::Node& expected, const char* key, const std::string& actual) {
    std::vector<std::string> accepted = {text(expected[key])};
    if (const YAML::Node also = expected["also"]; also && also.IsMap()) {
        for (const std::string& value : texts(also[key])) {
            accepted.push_back(value);
        }
    }
    CAPTURE(key, accepted);
    CHECK(is_in(actual, accepted));
}

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Case {
    fs::path folder;
    YAML::Node yaml;
    Selection selection;
    bool all_namespaces = false;
};

Case load_case(const fs::path& folder) {
    Case loaded;
    loaded.folder = folder;
    loaded.yaml = YAML::LoadFile((folder / "case.yaml").string());
    const std::vector<std::string> args = texts(loaded.yaml["args"]);
    for (std::size_t i = 0; i < args.size(); ++i) {
        const auto value = [&] { return args.at(++i); };
        Selection& selection = loaded.selection;
        if (args[i] == "-n") {
            selection.ns = value();
        } else if (args[i] == "-l") {
            selection.label_selector = value();
        } else if (args[i] == "-A") {
            loaded.all_namespaces = true;
        } else if (args[i] == "--graph") {
            selection.graph = value();
        } else if (args[i] == "--pod") {
            selection.pods.push_back(value());
        } else if (args[i] == "-c") {
            selection.container = value();
        } else if (args[i] == "--role") {
            const std::string role = value();
            selection.role = role == "prefill"  ? model::Role::prefill
                             : role == "decode" ? model::Role::decode
                                                : model::Role::worker;
        } else {
            FAIL("the case has an argument that this test does not know: " << args[i]);
        }
    }
    return loaded;
}

ApiObjects load_objects(const Case& loaded) {
    ApiObjects objects;
    auto pods = kube::decode_pods(read_file(loaded.folder / "objects/pods.json"));
    REQUIRE(pods.ok());
    objects.pods = pods->items;
    const std::string served = text(loaded.yaml["server"]["dynamographdeployments"]);
    if (served == "forbidden") {
        objects.graphs_unseen = {model::SkipReason::no_permission, "forbidden"};
    } else if (served == "not-found") {
        objects.graphs_unseen = {model::SkipReason::not_applicable, "not installed"};
    } else {
        auto graphs =
            kube::decode_graphs(read_file(loaded.folder / "objects/dynamographdeployments.json"));
        REQUIRE(graphs.ok());
        objects.graphs = graphs->items;
    }
    return objects;
}

const model::Worker*
find_worker(const Inventory& inventory, const std::string& ns, const std::string& pod) {
    const auto& workers = inventory.workers;
    const auto found = std::find_if(workers.begin(), workers.end(), [&](const auto& worker) {
        return worker.ns == ns && worker.pod == pod;
    });
    return found == workers.end() ? nullptr : &*found;
}

const model::NotProbed*
find_left_out(const Inventory& inventory, const std::string& ns, const std::string& pod) {
    const auto& list = inventory.not_probed;
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& left_out) {
        return left_out.ns == ns && left_out.pod == pod;
    });
    return found == list.end() ? nullptr : &*found;
}

void check_worker(const YAML::Node& expected, const Inventory& inventory) {
    const std::string ns = text(expected["namespace"]);
    const std::string pod = text(expected["pod"]);
    CAPTURE(ns, pod);
    const model::Worker* worker = find_worker(inventory, ns, pod);
    if (worker == nullptr) {
        const auto* left_out = find_left_out(inventory, ns, pod);
        REQUIRE(left_out != nullptr);
        CHECK(
            is_in(std::string(to_string(left_out->reason)), texts(expected["also"]["not_probed"])));
        return;
    }
    check_field(expected, "node", worker->node);
    check_field(expected, "container", worker->container);
    check_field(expected, "role", std::string(to_string(worker->role)));
    check_field(expected, "roleSource", std::string(to_string(worker->role_source)));
    check_field(expected, "graph", worker->graph.value_or(""));
    check_field(expected, "backend", std::string(to_string(worker->backend)));
    check_field(expected, "rank", worker->rank ? std::to_string(*worker->rank) : "");
    if (expected["generation"]) {
        check_field(expected, "generation", worker->generation.value_or(""));
    }
    CHECK(worker->group.has_value() == !text(expected["group"]).empty());
}

/// Group ids are opaque: only which pods share one counts.
void check_groups(const YAML::Node& workers, const Inventory& inventory) {
    std::set<std::pair<std::string, std::string>> pairs;
    std::set<std::string> expected;
    std::set<std::string> actual;
    for (const YAML::Node& entry : workers) {
        const auto* worker = find_worker(inventory, text(entry["namespace"]), text(entry["pod"]));
        if (worker != nullptr && worker->group) {
            const std::string group = text(entry["namespace"]) + "/" + text(entry["group"]);
            pairs.emplace(group, *worker->group);
            expected.insert(group);
            actual.insert(*worker->group);
        }
    }
    CHECK(pairs.size() == expected.size());
    CHECK(pairs.size() == actual.size());
}

void check_not_probed(const YAML::Node& expected, const Inventory& inventory) {
    const std::string pod = text(expected["pod"]);
    CAPTURE(pod);
    const auto* left_out = find_left_out(inventory, text(expected["namespace"]), pod);
    if (left_out == nullptr) {
        const std::string reason = text(expected["reason"]);
        CHECK(reason == "filtered"); // those may be listed or not
        CHECK(find_worker(inventory, text(expected["namespace"]), pod) == nullptr);
        return;
    }
    std::vector<std::string> reasons = {text(expected["reason"])};
    for (const std::string& reason : texts(expected["also"])) {
        reasons.push_back(reason);
    }
    CAPTURE(reasons, left_out->detail);
    CHECK(is_in(std::string(to_string(left_out->reason)), reasons));
    CHECK(std::string(to_string(left_out->role)) == text(expected["role"]));
    CHECK(left_out->graph.value_or("") == text(expected["graph"]));
    const auto parts = texts(expected["detail_contains"]);
    CHECK((parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
               return contains(left_out->detail, part);
           })));
}

bool is_shown(const YAML::Node& finding, const Inventory& inventory) {
    const auto parts = texts(finding["match"]);
    return std::any_of(
        inventory.checks.begin(), inventory.checks.end(), [&](const model::Check& check) {
            return to_string(check.status) == text(finding["status"]) &&
                   std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
                       return contains_ignoring_case(check.detail, part);
                   });
        });
}

void check_disagg(const YAML::Node& expect, const Inventory& inventory) {
    const bool any = std::any_of(inventory.graphs.begin(),
                                 inventory.graphs.end(),
                                 [](const model::Graph& graph) { return graph.disagg; });
    if (!text(expect["disagg"]).empty()) {
        check_field(expect, "disagg", any ? "true" : "false");
    }
    for (const auto& entry : expect["disagg_by_graph"]) {
        const std::string key = text(entry.first);
        CAPTURE(key);
        const auto found = std::find_if(
            inventory.graphs.begin(), inventory.graphs.end(), [&](const model::Graph& graph) {
                return graph.ns + "/" + graph.name.value_or("") == key;
            });
        REQUIRE(found != inventory.graphs.end());
        CHECK(found->disagg == entry.second.as<bool>());
    }
}

void check_pairs_never(const YAML::Node& pairs, const Inventory& inventory) {
    const auto key = [&](const std::string& name) {
        const std::size_t slash = name.find('/');
        const auto* worker = find_worker(inventory, name.substr(0, slash), name.substr(slash + 1));
        REQUIRE(worker != nullptr);
        return std::tuple(worker->ns,
                          model::graph_key(worker->graph, worker->dynamo_namespace),
                          worker->generation);
    };
    for (const YAML::Node& pair : pairs) {
        const std::string one = text(pair[0]);
        const std::string other = text(pair[1]);
        const auto split_name = [](const std::string& name) { return name.find('/'); };
        const bool both_probed =
            find_worker(
                inventory, one.substr(0, split_name(one)), one.substr(split_name(one) + 1)) &&
            find_worker(
                inventory, other.substr(0, split_name(other)), other.substr(split_name(other) + 1));
        CAPTURE(one, other);
        CHECK((!both_probed || key(one) != key(other)));
    }
}

void check_inventory(const YAML::Node& expect, const Inventory& inventory) {
    const auto filtered = std::count_if(
        inventory.not_probed.begin(), inventory.not_probed.end(), [](const auto& left_out) {
            return left_out.reason == model::NotProbedReason::filtered;
        });
    CHECK(inventory.workers.size() == expect["probed"].as<std::size_t>());
    CHECK(inventory.workers.size() + inventory.not_probed.size() -
              static_cast<std::size_t>(filtered) ==
          expect["found"].as<std::size_t>());
    for (const YAML::Node& worker : expect["workers"]) {
        check_worker(worker, inventory);
    }
    check_groups(expect["workers"], inventory);
    for (const YAML::Node& left_out : expect["not_probed"]) {
        check_not_probed(left_out, inventory);
    }
    for (const YAML::Node& ignored : expect["ignored"]) {
        const std::string pod = text(ignored["pod"]);
        CAPTURE(pod);
        CHECK(find_worker(inventory, text(ignored["namespace"]), pod) == nullptr);
        CHECK(find_left_out(inventory, text(ignored["namespace"]), pod) == nullptr);
    }
    check_disagg(expect, inventory);
    for (const YAML::Node& finding : expect["findings"]) {
        CAPTURE(finding);
        CHECK((finding["optional"] || is_shown(finding, inventory)));
    }
    for (const YAML::Node& finding : expect["findings_never"]) {
        CAPTURE(finding);
        CHECK(!is_shown(finding, inventory));
    }
    check_pairs_never(expect["pairs_never"], inventory);
}

/// Rows carry a code of the table, and what is not ok a next step.
void check_rows(const Inventory& inventory) {
    for (const model::Check& check : inventory.checks) {
        CAPTURE(check.code, check.detail);
        CHECK(check.code.starts_with("POD-00"));
        CHECK(!check.name.empty());
        CHECK(!check.detail.empty());
        CHECK(check.next.has_value() == (check.status != model::Status::ok));
        CHECK(check.reason.has_value() == (check.status == model::Status::skipped));
        const bool decides = check.capability != model::Capability::none;
        CHECK(!(check.advisory && decides && check.name != "replicas"));
    }
}

void check_case(const fs::path& folder) {
    const Case loaded = load_case(folder);
    const std::string id = text(loaded.yaml["id"]);
    const std::string trap = text(loaded.yaml["trap"]);
    CAPTURE(id, trap);
    ApiObjects objects = load_objects(loaded);
    const auto check = [&] {
        const Inventory inventory = discover::inventory(objects, loaded.selection);
        check_inventory(loaded.yaml["expect"], inventory);
        check_rows(inventory);
    };
    if (!loaded.selection.label_selector) {
        check();
        return;
    }
    const auto selector = discover::parse_label_selector(*loaded.selection.label_selector);
    REQUIRE(selector.ok());
    discover::apply_selector(objects, *selector);
    {
        INFO("the pods that the selector leaves out are known");
        check();
    }
    objects.unselected.reset();
    INFO("the server listed matching pods only");
    check();
}

const test::FolderTests k_cases("corpus: discover ",
                                test::folders_of(fs::path(DI_TEST_DATA) / "corpus" /
                                                 "discover-open"),
                                check_case);

} // namespace
