// Lines of NAME=value, each variable by the rules about the environment.
#include "base/strings.hpp"
#include "judge/catalogue/env.hpp"
#include "judge/tools/tool_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace di::judge::tools {
namespace {

using model::Environment;
using model::Status;
using model::Value;

bool has_name(const Environment& environment, std::string_view pattern_start) {
    const auto& values = environment.values;
    return std::any_of(values.begin(), values.end(), [&](const auto& entry) {
        return std::string_view(entry.first).starts_with(pattern_start);
    });
}

bool is_value(const Environment& environment, std::string_view name, std::string_view wanted) {
    const auto found = environment.values.find(name);
    return found != environment.values.end() && trim(found->second) == wanted;
}

/// The transfer backend that some variable selects by name.
bool selects_libfabric(const Environment& environment) {
    return is_value(environment, "SGLANG_DISAGGREGATION_NIXL_BACKEND", "LIBFABRIC") ||
           is_value(environment, "TRTLLM_NIXL_KVCACHE_BACKEND", "LIBFABRIC");
}

/// One variable of the environment, as its rule judged it.
struct Judged {
    std::string_view code;
    std::string variable;
    Finding finding;
};

/// Lines of variables do not name the engine: each variable is judged by the part of the software
/// that reads it. vLLM stands in for an engine that is not known, for its defaults.
class Reader {
public:
    explicit Reader(const Environment& environment) {
        worker_.backend = model::Backend::vllm;
        worker_.group = "any"; // NCCL settings are named, whatever the size of the worker
        seen_.environment = environment;
        const bool libfabric = selects_libfabric(environment);
        if (!libfabric) {
            const auto path = used_path(worker_, seen_, "");
            judge(path,
                  {"ENV-001", "ENV-002", "ENV-003", "ENV-004", "ENV-005", "ENV-006", "ENV-014"});
        }
        UsedPath path;
        if (libfabric || has_name(environment, "FI_")) {
            path.kind = PathKind::libfabric;
            path.plugin = "LIBFABRIC";
            judge(path, {"ENV-009", "ENV-012"});
        }
        if (has_name(environment, "MC_")) {
            path.kind = PathKind::mooncake;
            judge(path, {"ENV-010", "ENV-013"});
        }
        judge(UsedPath{}, {"ENV-007", "NCCL-001"});
    }

    [[nodiscard]] const std::vector<Judged>& judged() const { return judged_; }

private:
    void judge(const UsedPath& path, std::initializer_list<std::string_view> codes) {
        const Context context{{}};
        const PodView view{worker_, seen_, path, context};
        for (const auto& rule : env::k_rules) {
            const bool asked = std::find(codes.begin(), codes.end(), rule.info.code) != codes.end();
            if (!asked || rule.not_applicable(view)) {
                continue;
            }
            auto finding = rule.evaluate(view);
            const auto* variable = finding.facts.find("variable");
            const auto* name =
                variable == nullptr ? nullptr : std::get_if<std::string>(&variable->data());
            judged_.push_back({rule.info.code, name == nullptr ? "" : *name, std::move(finding)});
        }
    }

    model::Worker worker_;
    model::PodObservation seen_;
    std::vector<Judged> judged_;
};

/// fail, warn, ok; what the environment alone cannot tell does not count.
int severity(Status status) {
    static constexpr std::array<int, 4> k_order = {1, 2, 3, 0};
    return k_order.at(static_cast<std::size_t>(status));
}

Value variable_value(const std::string& value, std::string_view status, std::string_view why) {
    return Value::object().set("value", value).set("status", status).set("reason", why);
}

/// The variables that one rule speaks of: the one it names, or those of its list.
bool speaks_of(const Judged& judged, std::string_view name) {
    const auto* list = judged.finding.facts.find("variables");
    const auto* array = list == nullptr ? nullptr : std::get_if<Value::Array>(&list->data());
    if (array == nullptr) {
        return judged.variable == name;
    }
    return std::any_of(array->begin(), array->end(), [&](const Value& element) {
        const auto* text = std::get_if<std::string>(&element.data());
        return text != nullptr && *text == name;
    });
}

Value all_variables(const Environment& environment, const std::vector<Judged>& judged) {
    auto value = Value::object();
    for (const auto& [name, text] : environment.values) {
        const auto found =
            std::find_if(judged.begin(), judged.end(), [&name = name](const auto& entry) {
                return speaks_of(entry, name);
            });
        value.set(
            name,
            found == judged.end()
                ? variable_value(text, "ok", "keeps nothing off the fast path")
                : variable_value(text, to_string(found->finding.status), found->finding.detail));
    }
    return value;
}

std::string all_details(const std::vector<Judged>& judged, Status status) {
    std::vector<std::string> details;
    for (const auto& entry : judged) {
        if (entry.finding.status == status) {
            details.push_back(entry.finding.detail);
        }
    }
    return join(details, "; ");
}

} // namespace

Finding judge_environment(const Environment& environment) {
    const Reader reader(environment);
    const auto& judged = reader.judged();
    const auto worst =
        std::max_element(judged.begin(), judged.end(), [](const auto& a, const auto& b) {
            return severity(a.finding.status) < severity(b.finding.status);
        });
    Finding finding =
        ok(counted(environment.values.size(), "variable") + ": nothing keeps KV off the fast path");
    if (worst != judged.end() && severity(worst->finding.status) > severity(Status::ok)) {
        finding.status = worst->finding.status;
        finding.detail = all_details(judged, finding.status);
        finding.code = worst->code;
    }
    std::string names;
    for (const auto& [name, text] : environment.values) {
        names += (names.empty() ? "" : " ") + name;
    }
    return std::move(finding)
        .with("vars", all_variables(environment, judged))
        .because("env", excerpt(names, 120));
}

} // namespace di::judge::tools
