#include "judge/rules.hpp"

#include "base/strings.hpp"
#include "judge/catalogue/engine.hpp"
#include "judge/catalogue/env.hpp"
#include "judge/catalogue/gpu.hpp"
#include "judge/catalogue/ib.hpp"
#include "judge/catalogue/pair.hpp"
#include "judge/catalogue/settings.hpp"
#include "judge/catalogue/tools.hpp"
#include "judge/tools/tool_rule.hpp"

#include <algorithm>
#include <array>

namespace di::judge {
namespace {

template<class Pointer, std::size_t N> struct Table {
    std::array<const Pointer*, N> rows{};
    std::size_t used = 0;

    template<class Rules> constexpr void add(const Rules& rules) {
        for (const auto& rule : rules) {
            rows[used++] = &rule;
        }
    }
};

constexpr std::size_t k_pod_rule_count =
    engine::k_rules.size() + ib::k_rules.size() + gpu::k_rules.size() + env::k_rules.size();
constexpr std::size_t k_rule_count =
    k_pod_rule_count + pairing::k_rules.size() + tools::k_infos.size() + 1;

constexpr auto all_pod_rules() {
    Table<PodRule, k_pod_rule_count> table;
    table.add(engine::k_rules);
    table.add(ib::k_rules);
    table.add(gpu::k_rules);
    table.add(env::k_rules);
    return table.rows;
}

constexpr auto k_pod_rules = all_pod_rules();

constexpr auto all_infos() {
    std::array<const RuleInfo*, k_rule_count> infos{};
    std::size_t used = 0;
    for (const auto* rule : k_pod_rules) {
        infos[used++] = &rule->info;
    }
    for (const auto& rule : pairing::k_rules) {
        infos[used++] = &rule.info;
    }
    for (const auto& info : tools::k_infos) {
        infos[used++] = &info;
    }
    infos[used] = &settings::k_unknown_value;
    return infos;
}

constexpr auto k_infos = all_infos();

constexpr bool codes_are_unique() {
    for (std::size_t i = 0; i < k_infos.size(); ++i) {
        for (std::size_t j = i + 1; j < k_infos.size(); ++j) {
            if (k_infos[i]->code == k_infos[j]->code) {
                return false;
            }
        }
    }
    return true;
}

static_assert(codes_are_unique(), "two rules share a code");

} // namespace

std::span<const PodRule* const> pod_rules() {
    return k_pod_rules;
}

std::span<const RuleInfo* const> catalogue() {
    return k_infos;
}

std::vector<std::string> typical_next(const RuleInfo& info) {
    model::Worker worker;
    worker.ns = "NAMESPACE";
    worker.pod = "POD";
    worker.container = "CONTAINER";
    worker.graph = "GRAPH";
    for (const auto* rule : k_pod_rules) {
        if (&rule->info == &info) {
            return look_inside({}, worker, rule->look, "").argv;
        }
    }
    auto peer = worker;
    worker.pod = "PREFILL-POD";
    peer.pod = "DECODE-POD";
    for (const auto& rule : pairing::k_rules) {
        if (&rule.info == &info) {
            return next_step({}, rule, worker, peer).argv;
        }
    }
    for (std::size_t tool = 0; tool < model::tool_names().size(); ++tool) {
        const auto& rule = rule_of(static_cast<model::Tool>(tool));
        if (rule.code == info.code) {
            return {"kubectl", "exec", "POD", "--", "sh", "-c", std::string(rule.look)};
        }
    }
    return {"kubectl", "dynamo-interconnect", "judge", "--pods", "DIR"};
}

const RuleInfo* find_rule(std::string_view code) {
    const auto wanted = to_lower(code);
    const auto found = std::find_if(k_infos.begin(), k_infos.end(), [&](const auto* info) {
        return to_lower(info->code) == wanted;
    });
    return found == k_infos.end() ? nullptr : *found;
}

} // namespace di::judge
