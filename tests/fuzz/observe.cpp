// What an exec printed, all the way to the verdict and the report.
#include "parse/observe.hpp"

#include "fuzz.hpp"
#include "judge/evaluate.hpp"
#include "nonce.hpp"
#include "render/document.hpp"
#include "render/json.hpp"
#include "render/table.hpp"
#include "verdict/roll_up.hpp"

#include <rapidjson/document.h>

#include <algorithm>

namespace {

using namespace di;
using fuzz::require;
using model::ExecOutcome;
using model::PodObservation;

model::Inventory two_workers() {
    model::Inventory inventory;
    for (const auto role : {model::Role::prefill, model::Role::decode}) {
        model::Worker worker;
        worker.ns = "dynamo";
        worker.pod = std::string(to_string(role)) + "-0";
        worker.node = "node-of-" + worker.pod;
        worker.container = "main";
        worker.role = role;
        worker.graph = "llama";
        worker.backend = model::Backend::vllm;
        worker.spec.gpus = 8;
        inventory.workers.push_back(worker);
    }
    model::Graph graph;
    graph.ns = "dynamo";
    graph.name = "llama";
    graph.disagg = true;
    inventory.graphs = {graph};
    return inventory;
}

PodObservation observed(std::string_view out, std::string_view nonce, ExecOutcome outcome) {
    model::RawResult result;
    result.outcome = outcome;
    result.out = out;
    result.detail = "as the transport says";
    auto once = parse::observe({}, result, nonce);
    require(once == parse::observe({}, result, nonce), "the same output reads the same");
    return once;
}

bool has_active_port(const model::Seen<std::vector<model::RdmaDevice>>& devices) {
    const auto is_active = [](const model::Port& port) {
        return port.state == model::PortState::active;
    };
    return devices && std::any_of(devices->begin(), devices->end(), [&](const auto& device) {
               return std::any_of(device.ports.begin(), device.ports.end(), is_active);
           });
}

/// Something that a fast path can rest on was seen.
bool shows_a_fabric(const PodObservation& seen) {
    const bool nvlink =
        seen.fabric && std::any_of(seen.fabric->begin(), seen.fabric->end(), [](const auto& gpu) {
            return gpu.state == "Completed";
        });
    return nvlink || has_active_port(seen.sysfs) || has_active_port(seen.ibstat) ||
           has_active_port(seen.ibv_devinfo);
}

model::Report report_on(const PodObservation& seen) {
    const auto inventory = two_workers();
    std::vector<PodObservation> observations(2, seen);
    observations[1].worker = 1;
    auto judgement = judge::evaluate(inventory, observations, {});
    model::Report report;
    report.tool_version = "0";
    report.workers = inventory.workers;
    report.not_probed = judge::failed_execs(inventory, observations);
    report.checks = std::move(judgement.checks);
    report.pairs = std::move(judgement.pairs);
    auto rolled_up =
        verdict::roll_up({inventory, report.not_probed, report.checks, report.pairs}, {});
    report.graphs = std::move(rolled_up.graphs);
    report.counts = rolled_up.counts;
    report.verdict = std::move(rolled_up.verdict);
    return report;
}

void require_rows(const model::Report& report) {
    for (const auto& check : report.checks) {
        require(!check.code.empty() && !check.detail.empty(), "a row has a code and words");
        require(check.next.has_value() == (check.status != model::Status::ok),
                "what is not ok has a next step");
        require(check.reason.has_value() == (check.status == model::Status::skipped),
                "what is skipped has a reason");
    }
}

void require_harmless(const model::Report& report) {
    const auto json = render::render_json(render::report_document(report));
    rapidjson::Document document;
    require(!document.Parse(json.data(), json.size()).HasParseError(), "a report is JSON");
    for (const auto& text : {json,
                             render::render_yaml(render::report_document(report)),
                             render::render_table(report, {}),
                             render::render_table(report, {.detail = render::Detail::wide})}) {
        require(std::all_of(text.begin(),
                            text.end(),
                            [](char c) { return c == '\n' || (c >= ' ' && c < 127); }),
                "nothing that a pod printed reaches a terminal raw");
    }
}

} // namespace

DI_FUZZ_TARGET(observe) {
    for (const auto outcome : {ExecOutcome::completed, ExecOutcome::truncated}) {
        const auto seen = observed(input, fuzz::k_nonce, outcome);
        const auto report = report_on(seen);
        const bool ready = report.verdict.readiness.state == model::State::ready ||
                           report.verdict.readiness.state == model::State::degraded;
        require(!ready || seen.exec, "an exec that did not come to its end proves nothing");
        require(!ready || shows_a_fabric(seen), "a good verdict rests on a fabric that was seen");
        require_rows(report);
        require_harmless(report);
    }
    const auto garbage = observed(input, "0123456789abcdef", ExecOutcome::completed);
    require(!garbage.exec || input.find("0123456789abcdef") != std::string_view::npos,
            "text without our markers is no observation");
    require(report_on(garbage).verdict.readiness.state != model::State::ready,
            "garbage never yields the verdict ready");
}
