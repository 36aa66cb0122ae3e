#include "render/document.hpp"

#include "render/components.hpp"

namespace di::render {
namespace {

using namespace di::model;

constexpr std::string_view k_api_version = "dynamo-interconnect/v1";

template<class T> Value or_null(const std::optional<T>& value) {
    return value ? Value(*value) : Value();
}

template<class Range, class Make> Value array_of(const Range& range, Make make) {
    Value array = Value::array();
    for (const auto& element : range) {
        array.push(make(element));
    }
    return array;
}

Value next_value(const std::optional<NextStep>& next) {
    if (!next) {
        return {};
    }
    return Value().set("argv", next->argv).set("why", next->why);
}

Value worker_value(const Worker& worker) {
    Value value;
    value.set("pod", worker.pod).set("namespace", worker.ns).set("node", worker.node);
    value.set("container", worker.container);
    value.set("role", to_string(worker.role)).set("roleSource", to_string(worker.role_source));
    value.set("graph", or_null(worker.graph));
    const auto backend = to_string(worker.backend);
    value.set("backend", backend.empty() ? Value() : Value(backend));
    value.set("generation", or_null(worker.generation)).set("group", or_null(worker.group));
    return value.set("rank", or_null(worker.rank));
}

Value not_probed_value(const NotProbed& pod) {
    Value value;
    value.set("pod", pod.pod).set("namespace", pod.ns);
    value.set("container", pod.container.empty() ? Value() : Value(pod.container));
    value.set("reason", to_string(pod.reason)).set("detail", pod.detail);
    return value.set("role", to_string(pod.role)).set("graph", or_null(pod.graph));
}

Value check_value(const Check& check) {
    Value value;
    value.set("name", check.name).set("code", check.code).set("status", to_string(check.status));
    value.set("reason", check.reason ? Value(to_string(*check.reason)) : Value());
    Value subject;
    subject.set("kind", to_string(check.subject.kind));
    subject.set("namespace", check.subject.ns.empty() ? Value() : Value(check.subject.ns));
    subject.set("name", check.subject.name);
    if (!check.subject.graph.empty()) {
        subject.set("graph", check.subject.graph);
    }
    value.set("subject", std::move(subject));
    value.set("detail", check.detail).set("facts", check.facts);
    value.set("evidence", array_of(check.evidence, [](const Evidence& evidence) {
                  return Value().set("source", evidence.source).set("excerpt", evidence.excerpt);
              }));
    value.set("next", next_value(check.next)).set("advisory", check.advisory);
    value.set("overriddenBy", or_null(check.overridden_by));
    return value.set("waived", or_null(check.waived));
}

Value pair_value(const Pair& pair) {
    Value value;
    value.set("namespace", pair.ns).set("graph", or_null(pair.graph));
    value.set("prefill", pair.prefill).set("decode", pair.decode);
    value.set("path", to_string(pair.path)).set("status", to_string(pair.status));
    value.set("reason", or_null(pair.reason)).set("detail", pair.detail);
    value.set("count", pair.count).set("facts", pair.facts);
    if (pair.prefill_members.empty() && pair.decode_members.empty()) {
        return value;
    }
    return value.set(
        "members", Value().set("prefill", pair.prefill_members).set("decode", pair.decode_members));
}

Value graph_value(const GraphState& graph) {
    Value value;
    value.set("namespace", graph.graph.ns).set("name", or_null(graph.graph.name));
    value.set("disagg", graph.graph.disagg);
    return value.set("state", to_string(graph.state)).set("tier", to_string(graph.tier));
}

/// What reports and plans have in common: who was looked at, and what of it was seen.
Value head(const Report& report, std::string_view kind) {
    Value value;
    value.set("apiVersion", k_api_version).set("kind", kind);
    value.set("tool", Value().set("version", report.tool_version));
    if (const auto& cluster = report.cluster) {
        value.set("cluster",
                  Value()
                      .set("context", cluster->context)
                      .set("server", cluster->server)
                      .set("namespace", cluster->ns.empty() ? Value() : Value(cluster->ns)));
    }
    value.set("coverage",
              Value()
                  .set("found", report.found)
                  .set("probed", report.probed)
                  .set("partial", !report.cut_short.empty())
                  .set("notProbed", array_of(report.not_probed, not_probed_value)));
    return value.set("workers", array_of(report.workers, worker_value));
}

Value access_value(const Access& access) {
    Value value;
    value.set("verb", access.verb).set("resource", access.resource);
    value.set("subresource", access.subresource.empty() ? Value() : Value(access.subresource));
    return value.set("namespace", access.ns.empty() ? Value() : Value(access.ns));
}

} // namespace

Value report_document(const Report& report) {
    Value value = head(report, "CheckReport");
    value.set("graphs", array_of(report.graphs, graph_value));
    if (report.components) {
        value.set("components", array_of(*report.components, component_value));
    }
    value.set("checks", array_of(report.checks, check_value));
    value.set("pairs", array_of(report.pairs, pair_value));
    value.set("counts",
              Value()
                  .set("ok", report.counts.ok)
                  .set("warn", report.counts.warn)
                  .set("fail", report.counts.fail)
                  .set("skipped", report.counts.skipped));
    value.set("verdict", report.verdict.line);
    const auto& readiness = report.verdict.readiness;
    value.set("readiness",
              Value()
                  .set("state", to_string(readiness.state))
                  .set("tier", to_string(readiness.tier))
                  .set("exitCode", readiness.exit_code)
                  .set("next", next_value(report.verdict.prove)));
    return value.set("timing",
                     Value()
                         .set("listMs", report.timing.list.count())
                         .set("probeMs", report.timing.probe.count())
                         .set("totalMs", report.timing.total.count())
                         .set("execs", report.timing.execs));
}

Value plan_document(const PlanView& view) {
    Value value = head(view.head, "Plan");
    const auto& tasks = view.plan.tasks;
    value.set("script", tasks.empty() ? Value() : Value(tasks.front().argv.at(2)));
    value.set("permissions", array_of(view.permissions, access_value));
    return value.set("requests", array_of(view.requests, access_value));
}

} // namespace di::render
