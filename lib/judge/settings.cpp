#include "judge/settings.hpp"

#include "base/strings.hpp"
#include "judge/catalogue/pair.hpp"
#include "judge/catalogue/settings.hpp"
#include "judge/used_path.hpp"
#include "model/env_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace di::judge {
namespace {

using model::Backend;
using model::Check;
using model::PodObservation;
using model::SkipReason;
using model::Status;
using model::Worker;

// ---- pairs ----

/// The two roles of one graph.
struct Sides {
    std::vector<const PairInput*> prefill;
    std::vector<const PairInput*> decode;
};

std::map<std::pair<std::string, std::string>, Sides>
sides_of(const std::vector<PairInput>& workers) {
    std::map<std::pair<std::string, std::string>, Sides> graphs;
    for (const auto& input : workers) {
        const auto& worker = *input.worker;
        auto& sides = graphs[{worker.ns, model::graph_key(worker.graph, worker.dynamo_namespace)}];
        if (worker.role == model::Role::prefill) {
            sides.prefill.push_back(&input);
        } else if (worker.role == model::Role::decode) {
            sides.decode.push_back(&input);
        }
    }
    return graphs;
}

std::string code_of(const std::string& blocked) {
    return blocked.substr(0, blocked.find(':'));
}

/// The code of the side's own failure that the rule would only repeat; empty when there is none.
std::string cause_of(const PairRule& rule, const PairView& pair) {
    const bool about_tls = rule.evaluate == pairing::ucx_tls_disjoint ||
                           rule.evaluate == pairing::tcp_only ||
                           rule.evaluate == pairing::cuda_ipc_missing;
    for (const auto* side : {&pair.prefill, &pair.decode}) {
        auto code = code_of(side->blocked);
        if (about_tls && code == "ENV-001") {
            return code;
        }
    }
    return "";
}

Check pair_row(const PairRule& rule,
               PairFinding finding,
               const PairInput& prefill,
               const PairInput& decode,
               const Context& context) {
    Check check;
    check.name = rule.info.name;
    check.code = rule.info.code;
    check.capability = rule.info.capability;
    check.status = finding.status;
    check.subject = {model::SubjectKind::pair,
                     prefill.worker->ns,
                     prefill.worker->pod + " -> " + decode.worker->pod};
    check.detail = std::move(finding.detail);
    check.facts = std::move(finding.facts);
    check.next = next_step(context, rule, *prefill.worker, *decode.worker);
    if (auto cause = cause_of(rule, {prefill.side, decode.side, std::nullopt}); !cause.empty()) {
        check.overridden_by = std::move(cause);
    }
    return check;
}

void judge_pair_settings(const PairInput& prefill,
                         const PairInput& decode,
                         const Context& context,
                         std::vector<Check>& rows) {
    for (const auto& rule : pairing::k_rules) {
        auto finding = rule.remedy == Remedy::settings
                           ? rule.evaluate({prefill.side, decode.side, std::nullopt})
                           : std::nullopt;
        if (finding && finding->status != Status::skipped) {
            rows.push_back(pair_row(rule, std::move(*finding), prefill, decode, context));
        }
    }
}

// ---- variables ----

/// Who reads the variables of a family.
struct Family {
    std::string_view pattern;
    bool (*reads)(const Worker& worker, PathKind path);
};

bool by_ucx(const Worker& /*worker*/, PathKind path) {
    return path == PathKind::ucx || path == PathKind::nvlink;
}

bool by_libfabric(const Worker& /*worker*/, PathKind path) {
    return path == PathKind::libfabric;
}

bool by_mooncake(const Worker& /*worker*/, PathKind path) {
    return path == PathKind::mooncake;
}

bool by_nixl(const Worker& /*worker*/, PathKind path) {
    return path != PathKind::mooncake;
}

template<Backend backend> bool by_engine(const Worker& worker, PathKind /*path*/) {
    return worker.backend == backend || worker.backend == Backend::unknown;
}

/// NCCL carries collectives; between nodes only where one engine spans several.
bool by_group(const Worker& worker, PathKind /*path*/) {
    return worker.group.has_value();
}

constexpr std::array<Family, 9> k_families = {{{"UCX_*", by_ucx},
                                               {"FI_*", by_libfabric},
                                               {"MC_*", by_mooncake},
                                               {"SGLANG_MOON*", by_mooncake},
                                               {"NIXL_*", by_nixl},
                                               {"NCCL_*", by_group},
                                               {"VLLM_*", by_engine<Backend::vllm>},
                                               {"SGLANG_*", by_engine<Backend::sglang>},
                                               {"TRTLLM_*", by_engine<Backend::trtllm>}}};

bool is_read(std::string_view name, const Worker& worker, PathKind path) {
    return path != PathKind::none &&
           std::all_of(k_families.begin(), k_families.end(), [&](const Family& family) {
               return !model::matches_pattern(family.pattern, name) || family.reads(worker, path);
           });
}

/// Variables that say something of a transfer, but change nothing of it.
bool only_reports(std::string_view name) {
    return contains(name, "_LOG_") || contains(name, "DEBUG") || contains(name, "TELEMETRY") ||
           contains(name, "_WARN_");
}

bool is_text(const model::Value& value, std::string_view text) {
    const auto* known = std::get_if<std::string>(&value.data());
    return known != nullptr && *known == text;
}

bool names(const Check& row, std::string_view variable) {
    const auto* one = row.facts.find("variable");
    const auto* several = row.facts.find("variables");
    const auto* list =
        several == nullptr ? nullptr : std::get_if<model::Value::Array>(&several->data());
    return (one != nullptr && is_text(*one, variable)) ||
           (list != nullptr && std::any_of(list->begin(), list->end(), [&](const auto& entry) {
                return is_text(entry, variable);
            }));
}

int severity(Status status) {
    constexpr std::array<int, 4> k_severity = {0, 2, 3, 1}; // ok, warn, fail, skipped
    return k_severity.at(static_cast<std::size_t>(status));
}

} // namespace

bool is_setting(const RuleInfo& info) {
    return info.name == "env" || info.name == "connector";
}

Judgement judge_setting_pairs(const std::vector<PairInput>& workers, const Context& context) {
    Judgement out;
    for (const auto& [graph, sides] : sides_of(workers)) {
        for (const auto* prefill : sides.prefill) {
            for (const auto* decode : sides.decode) {
                judge_pair_settings(*prefill, *decode, context, out.checks);
            }
        }
    }
    return out;
}

VariableVerdict judge_variable(std::string_view name,
                               const Worker& worker,
                               const PodObservation& seen,
                               const std::vector<Check>& rows) {
    if (!is_read(name, worker, used_path(worker, seen, "").kind)) {
        return {Status::skipped, SkipReason::not_applicable};
    }
    const Check* worst = nullptr;
    for (const auto& row : rows) {
        const bool counts = names(row, name) && row.reason != SkipReason::not_applicable;
        if (counts && (worst == nullptr || severity(row.status) > severity(worst->status))) {
            worst = &row;
        }
    }
    if (worst != nullptr) {
        return {worst->status, worst->reason};
    }
    const bool unknown = seen.environment && seen.environment->unknown.count(name) > 0;
    return unknown ? VariableVerdict{Status::skipped, SkipReason::unreadable} : VariableVerdict{};
}

std::vector<Check> judge_unknown_values(const Worker& worker,
                                        const PodObservation& seen,
                                        const std::vector<Check>& rows) {
    std::vector<Check> found;
    const auto path = used_path(worker, seen, "").kind;
    for (const auto& entry : seen.environment->unknown) {
        const auto& name = entry.first;
        const auto& why = entry.second;
        const bool named = std::any_of(
            rows.begin(), rows.end(), [&](const Check& row) { return names(row, name); });
        if (named || only_reports(name) || !is_read(name, worker, path)) {
            continue;
        }
        Check check;
        check.name = settings::k_unknown_value.name;
        check.code = settings::k_unknown_value.code;
        check.status = Status::skipped;
        check.reason = why.reason;
        check.subject = {model::SubjectKind::pod, worker.ns, worker.pod};
        check.detail = fmt::format("{} {}", name, why.why);
        check.facts.set("variable", name).set("value", nullptr);
        check.next = model::NextStep{{"kubectl", "dynamo-interconnect", "env"},
                                     std::string(settings::k_unknown_value.fix)};
        found.push_back(std::move(check));
    }
    return found;
}

} // namespace di::judge
