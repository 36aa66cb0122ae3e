#include "discover/inventory.hpp"
#include "unit/discover/pods.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace di;
using namespace di::test;
using discover::Selection;
using model::Inventory;

namespace {

using Names = std::vector<std::string>;

Names probed(const Inventory& inventory) {
    Names names;
    for (const auto& worker : inventory.workers) {
        names.push_back(worker.pod);
    }
    return names;
}

/// "pod: reason"
Names left_out(const Inventory& inventory) {
    Names names;
    for (const auto& entry : inventory.not_probed) {
        names.push_back(entry.pod + ": " + std::string(to_string(entry.reason)));
    }
    return names;
}

bool has_row(const Inventory& inventory, const std::string& code, model::Status status) {
    return std::any_of(inventory.checks.begin(), inventory.checks.end(), [&](const auto& check) {
        return check.code == code && check.status == status;
    });
}

std::vector<model::Pod> split() {
    return {worker("d-0", "decode"), worker("d-1", "decode"), worker("p-0", "prefill")};
}

} // namespace

TEST_CASE("workers come in the order of namespace and name", "[discover][inventory]") {
    const Inventory found = discover::inventory(objects({worker("b", "decode").ns("y"),
                                                         worker("a", "decode").ns("z"),
                                                         worker("c", "prefill").ns("y")}),
                                                {});
    CHECK(probed(found) == Names{"b", "c", "a"});
    CHECK(found.graphs.size() == 2);
}

TEST_CASE("nothing found is an empty inventory without rows", "[discover][inventory]") {
    CHECK(probed(discover::inventory({}, {})).empty());
    auto only_frontend = objects({worker("f", "frontend")});
    only_frontend.graphs_unseen = {model::SkipReason::no_permission, "forbidden"};
    const Inventory found = discover::inventory(only_frontend, {});
    CHECK(found.workers.empty());
    CHECK(found.not_probed.empty());
    CHECK(found.graphs.empty());
    CHECK(found.checks.empty());
}

TEST_CASE("pods of other namespaces and repeated pods do not count", "[discover][inventory]") {
    auto pods = split();
    pods.push_back(pods.front());
    pods.push_back(worker("x", "decode").ns("other"));
    CHECK(probed(discover::inventory(objects(pods), Selection{.ns = "ns"})) ==
          Names{"d-0", "d-1", "p-0"});
}

TEST_CASE("filters keep the others in the list, as filtered", "[discover][filter]") {
    struct Case {
        Selection selection;
        Names probed;
        Names left_out;
        std::optional<std::string> one_sided;
    };

    std::vector<Case> rows(7);
    rows[0].probed = {"d-0", "d-1", "p-0"};
    rows[1].selection.role = model::Role::prefill;
    rows[1].probed = {"p-0"};
    rows[1].left_out = {"d-0: filtered", "d-1: filtered"};
    rows[1].one_sided = "--role prefill";
    rows[2].selection.pods = {"p-0", "d-1"};
    rows[2].probed = {"d-1", "p-0"};
    rows[2].left_out = {"d-0: filtered"};
    rows[3].selection.pods = {"d-0", "d-1"};
    rows[3].probed = {"d-0", "d-1"};
    rows[3].left_out = {"p-0: filtered"};
    rows[3].one_sided = "--pod d-0 --pod d-1";
    rows[4].selection.graph = "g";
    rows[4].probed = {"d-0", "d-1", "p-0"};
    rows[5].selection.graph = "other";
    rows[5].left_out = {"d-0: filtered", "d-1: filtered", "p-0: filtered"};
    rows[6].selection.role = model::Role::worker;
    rows[6].left_out = {"d-0: filtered", "d-1: filtered", "p-0: filtered"};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(i);
        const Inventory found = discover::inventory(objects(split()), rows[i].selection);
        CHECK(probed(found) == rows[i].probed);
        CHECK(left_out(found) == rows[i].left_out);
        CHECK(found.one_sided_filter == rows[i].one_sided);
        CHECK(!has_row(found, "POD-001", model::Status::fail));
    }
}

TEST_CASE("a side that a filter hides does not run less for it", "[discover][filter]") {
    auto pods = split();
    pods[2] = worker("p-0", "prefill").waiting("CrashLoopBackOff");
    Selection selection;
    selection.role = model::Role::decode;
    const Inventory found = discover::inventory(objects(pods), selection);
    CHECK(has_row(found, "POD-001", model::Status::fail));
    CHECK(!has_row(found, "POD-002", model::Status::skipped));
}

TEST_CASE("the flag -l makes every matching pod a candidate", "[discover][filter]") {
    auto all = objects({PodBuilder("llm-prefill-0").label("app", "llm").script("vllm serve x"),
                        PodBuilder("llm-decode-0").label("app", "llm").script("vllm serve x"),
                        PodBuilder("gateway").label("app", "llm").limits({}).command({"envoy"}),
                        PodBuilder("other-prefill-0").label("app", "other"),
                        worker("d-0", "decode"),
                        worker("f-0", "frontend")});
    const auto selector = discover::parse_label_selector("app=llm");
    REQUIRE(selector.ok());
    discover::apply_selector(all, *selector);
    CHECK(all.pods.size() == 3);
    REQUIRE(all.unselected);
    CHECK(all.unselected->size() == 3);
    Selection selection;
    selection.label_selector = "app=llm";
    const Inventory found = discover::inventory(all, selection);
    CHECK(probed(found) == Names{"llm-decode-0", "llm-prefill-0"});
    CHECK(left_out(found) == Names{"d-0: filtered"});
    REQUIRE(found.graphs.size() == 1);
    CHECK(found.graphs[0].disagg);
    CHECK(!found.graphs[0].name);
    CHECK(!found.one_sided_filter);
}

TEST_CASE("the flag -l that leaves a side out is not taken for a missing side",
          "[discover][filter]") {
    Selection selection;
    selection.label_selector = "nvidia.com/dynamo-component-type=prefill";
    const auto selector = discover::parse_label_selector(*selection.label_selector);
    auto all = objects(split());
    discover::apply_selector(all, *selector);
    const Inventory known = discover::inventory(all, selection);
    CHECK(probed(known) == Names{"p-0"});
    CHECK(known.one_sided_filter == "-l nvidia.com/dynamo-component-type=prefill");
    CHECK(has_row(known, "POD-001", model::Status::ok));

    all.unselected.reset();
    const Inventory unknown = discover::inventory(all, selection);
    CHECK(unknown.one_sided_filter == "-l nvidia.com/dynamo-component-type=prefill");
    CHECK(has_row(unknown, "POD-001", model::Status::skipped));

    all.unselected.emplace();
    const Inventory nothing_else = discover::inventory(all, selection);
    CHECK(!nothing_else.one_sided_filter);
    CHECK(has_row(nothing_else, "POD-001", model::Status::fail));
}

TEST_CASE("what the server's field selector hides is not taken for missing", "[discover][filter]") {
    auto all = objects({worker("p-0", "prefill")});
    model::GraphDeployment spec;
    spec.ns = "ns";
    spec.name = "g";
    spec.state = "failed";
    spec.components = {{"prefill", "prefill", "", 2, {}}, {"decode", "decode", "", 1, {}}};
    model::GraphDeployment hidden = spec;
    hidden.name = "hidden";
    all.graphs = {spec, hidden};
    Selection selection;
    selection.field_selector = "spec.nodeName=n1";
    const Inventory found = discover::inventory(all, selection);
    CHECK(found.graphs.size() == 1);
    CHECK(found.one_sided_filter == "--field-selector spec.nodeName=n1");
    CHECK(has_row(found, "POD-001", model::Status::skipped));
    CHECK(has_row(found, "POD-004", model::Status::skipped));
    CHECK(has_row(found, "POD-006", model::Status::warn));
}

TEST_CASE("the list of unselected pods may hold the selected ones too", "[discover][filter]") {
    auto all = objects({split()[2]});
    all.unselected = split();
    Selection selection;
    selection.label_selector = "x=y";
    const Inventory found = discover::inventory(all, selection);
    CHECK(probed(found) == Names{"p-0"});
    CHECK(left_out(found) == Names{"d-0: filtered", "d-1: filtered"});
}

TEST_CASE("the flag --pod makes a worker of any pod that no type rules out", "[discover][filter]") {
    const auto all = objects({PodBuilder("engine.prefill.0").limits({}).command({"run"}),
                              worker("f-0", "frontend"),
                              worker("d-0", "decode")});
    Selection selection;
    selection.pods = {"engine.prefill.0", "f-0"};
    const Inventory found = discover::inventory(all, selection);
    CHECK(probed(found) == Names{"engine.prefill.0"});
    CHECK(found.workers[0].role == model::Role::prefill);
    CHECK(found.workers[0].container == "main");
    CHECK(left_out(found) == Names{"d-0: filtered"});
}

TEST_CASE("the flag --graph finds the oldest operators' pods by their Dynamo namespace",
          "[discover][filter]") {
    const auto old = [](const std::string& name, const std::string& dynamo_namespace) {
        return PodBuilder(name).component("Decode").label("nvidia.com/dynamo-namespace",
                                                          dynamo_namespace);
    };
    Selection selection;
    selection.graph = "g";
    const Inventory found = discover::inventory(
        objects({old("a", "g"), old("b", "ns-g"), old("c", "ns"), old("d", "xg")}), selection);
    CHECK(probed(found) == Names{"a", "b"});
}

TEST_CASE("the flag -c is entered in every pod that has it", "[discover][container]") {
    auto pods = split();
    pods[0] = worker("d-0", "decode")
                  .containers({container("main", {{"nvidia.com/gpu", "1"}}), container("dbg")});
    pods[1] = worker("d-1", "decode")
                  .containers({container("main", {{"nvidia.com/gpu", "1"}}), container("dbg")});
    pods[1].statuses[1] = status("dbg", model::ContainerPhase::waiting, "CrashLoopBackOff");
    Selection selection;
    selection.container = "dbg";
    const Inventory found = discover::inventory(objects(pods), selection);
    CHECK(probed(found) == Names{"d-0"});
    CHECK(found.workers[0].container == "dbg");
    CHECK(found.workers[0].spec.gpus == 0);
    CHECK(left_out(found) == Names{"d-1: not-running", "p-0: no-container"});
    CHECK(found.not_probed[1].detail == "no container is called dbg; there are: main");
    CHECK(has_row(found, "POD-001", model::Status::ok));
    CHECK(has_row(found, "POD-002", model::Status::skipped));
}

TEST_CASE("graphs are told apart by namespace and name, else by Dynamo namespace",
          "[discover][graph]") {
    const auto pods = std::vector<model::Pod>{
        worker("a", "prefill").graph("g"),
        worker("b", "decode").graph("h"),
        worker("c", "decode").graph("g").ns("other"),
        PodBuilder("d").type("decode").label("nvidia.com/dynamo-namespace", "x"),
        PodBuilder("e").type("prefill").label("nvidia.com/dynamo-namespace", "y"),
        PodBuilder("f").type("prefill").graph("").label("nvidia.com/dynamo-namespace", "y"),
    };
    const Inventory found = discover::inventory(objects(pods), {});
    CHECK(found.graphs.size() == 5);
    REQUIRE(found.workers.size() == 6);
    CHECK(!found.workers[4].graph);
    CHECK(found.workers[4].dynamo_namespace == "y");
}

TEST_CASE("a split is declared, or has both sides by name", "[discover][graph]") {
    const auto is_split = [](std::vector<model::Pod> pods,
                             std::vector<model::GraphComponent> parts = {}) {
        auto all = objects(std::move(pods));
        if (!parts.empty()) {
            model::GraphDeployment spec;
            spec.ns = "ns";
            spec.name = "g";
            spec.components = std::move(parts);
            all.graphs = {spec};
        }
        return discover::inventory(all, {}).graphs.at(0).disagg;
    };
    const auto named = [](const std::string& name) {
        return worker(name, "worker").component(name);
    };
    CHECK(is_split({worker("a", "prefill")}));
    CHECK(!is_split({named("plain")}));
    CHECK(!is_split({named("VllmDecodeWorker")}));
    CHECK(is_split({named("decode"), named("prefill")}));
    CHECK(is_split({named("plain").script("python3 -m dynamo.vllm --is-prefill-worker")}));
    CHECK(
        !is_split({named("plain").script("python3 -m dynamo.sglang --multimodal-encode-worker")}));
    CHECK(is_split({named("decode")},
                   {{"decode", "worker", "", 1, {}}, {"prefill", "worker", "", 0, {}}}));
    CHECK(is_split({named("plain")}, {{"x", "prefill", "", 1, {}}}));
    CHECK(is_split({named("plain")}, {{"x", "worker", "decode", 1, {}}}));
    CHECK(!is_split({named("plain")},
                    {{"PrefillRouter", "default", "", 1, {}}, {"decode", "worker", "", 1, {}}}));
}

TEST_CASE("thousands of pods are one walk", "[discover][inventory]") {
    std::vector<model::Pod> pods;
    for (int i = 0; i < 2500; ++i) {
        pods.push_back(
            worker("p-" + std::to_string(i), "prefill").script("python3 -m dynamo.vllm"));
        pods.push_back(worker("d-" + std::to_string(i), "decode").script("python3 -m dynamo.vllm"));
    }
    const Inventory found = discover::inventory(objects(pods), {});
    CHECK(found.workers.size() == 5000);
    CHECK(std::is_sorted(found.workers.begin(),
                         found.workers.end(),
                         [](const auto& a, const auto& b) { return a.pod < b.pod; }));
}
