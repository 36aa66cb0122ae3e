// A report with one row of every kind, hostile text included.
#pragma once

#include "model/report.hpp"

namespace di::support {

inline model::Check
row(std::string code, std::string name, model::Status status, std::string pod, std::string detail) {
    model::Check check;
    check.code = std::move(code);
    check.name = std::move(name);
    check.status = status;
    check.subject = {model::SubjectKind::pod, "prod", std::move(pod)};
    check.detail = std::move(detail);
    return check;
}

inline model::Report sample_report() {
    using namespace model;
    Report report;
    report.tool_version = "0.1.0";
    report.cluster = {"prod-context", "https://10.0.0.1:6443", "prod"};
    report.place = "namespace prod";
    report.found = 3;
    report.probed = 2;
    for (const auto role : {Role::prefill, Role::decode}) {
        Worker worker;
        worker.ns = "prod";
        worker.pod = std::string(to_string(role)) + "-0";
        worker.node = "node-a";
        worker.container = "main";
        worker.role = role;
        worker.graph = "llama";
        worker.backend = Backend::vllm;
        report.workers.push_back(worker);
    }
    NotProbed crashed;
    crashed.ns = "prod";
    crashed.pod = "decode-1";
    crashed.container = "main";
    crashed.detail = "CrashLoopBackOff";
    crashed.role = Role::decode;
    crashed.graph = "llama";
    report.not_probed.push_back(crashed);
    GraphState graph;
    graph.graph.ns = "prod";
    graph.graph.name = "llama";
    graph.graph.disagg = true;
    graph.state = State::blocked;
    report.graphs.push_back(graph);

    for (const char* pod : {"prefill-0", "decode-0"}) {
        report.checks.push_back(
            row("IB-001", "ib-devices", Status::ok, pod, "8 of 8 verbs devices open"));
    }
    auto tcp = row("ENV-001",
                   "env",
                   Status::fail,
                   "decode-0",
                   "UCX_TLS=tcp,cuda_copy leaves no RDMA transport");
    tcp.facts.set("variable", "UCX_TLS").set("value", "tcp,cuda_copy");
    tcp.evidence.push_back({"engine process", "UCX_TLS=tcp,cuda_copy"});
    tcp.next = NextStep{{"kubectl", "-n", "prod", "edit", "dynamographdeployment", "llama"},
                        "remove UCX_TLS, or add rc"};
    report.checks.push_back(tcp);
    auto missing =
        row("IB-006", "ib-link", Status::skipped, "decode-0", "ibstat is not in the image");
    missing.reason = SkipReason::tool_missing;
    missing.advisory = true;
    report.checks.push_back(missing);
    auto idle = row("NVL-004", "imex", Status::skipped, "decode-0", "no multi-node NVLink here");
    idle.reason = SkipReason::not_applicable;
    report.checks.push_back(idle);
    auto overruled = row("IB-002", "ib-sysfs", Status::ok, "decode-0", "8 ports Active");
    overruled.overridden_by = "IB-001";
    report.checks.push_back(overruled);
    auto waived = row("GDR-002", "gdrcopy", Status::warn, "decode-0", "\x1b[2Jforged\nrow \xff");
    waived.waived = "known";
    report.checks.push_back(waived);

    Pair pair;
    pair.ns = "prod";
    pair.graph = "llama";
    pair.prefill = "prefill-0";
    pair.decode = "decode-0";
    pair.path = Path::tcp;
    pair.status = Status::fail;
    pair.reason = "ucx-tls-disjoint";
    pair.detail = "no common network transport";
    report.pairs.push_back(pair);
    report.counts = {3, 1, 1, 2};
    report.verdict.readiness = {State::blocked, Tier::configured, 1};
    report.verdict.line = "blocked: UCX_TLS=tcp,cuda_copy keeps KV on TCP";
    return report;
}

} // namespace di::support
