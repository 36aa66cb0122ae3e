#include "findings.hpp"

#include "base/strings.hpp"
#include "discover/rules.hpp"
#include "judge/rules.hpp"
#include "recipe/rules.hpp"

#include <algorithm>

namespace di::app {
namespace {

std::vector<FindingInfo> collect() {
    std::vector<FindingInfo> all;
    for (const auto& rule : discover::k_rules) {
        all.push_back({rule.code,
                       rule.name,
                       rule.title,
                       rule.advisory,
                       rule.meaning,
                       rule.why,
                       rule.fix,
                       std::string(rule.next),
                       rule.source});
    }
    for (const auto* rule : judge::catalogue()) {
        all.push_back({rule->code,
                       rule->name,
                       rule->title,
                       rule->weight == judge::Weight::advisory,
                       rule->meaning,
                       rule->why,
                       rule->fix,
                       shell_command(judge::typical_next(*rule)),
                       rule->source});
    }
    for (const auto& rule : recipe::k_rules) {
        all.push_back({rule.code,
                       rule.name,
                       rule.title,
                       false,
                       rule.meaning,
                       rule.why,
                       rule.fix,
                       std::string(rule.next),
                       rule.source});
    }
    return all;
}

} // namespace

const std::vector<FindingInfo>& all_findings() {
    static const auto k_findings = collect();
    return k_findings;
}

const FindingInfo* find_finding(std::string_view code) {
    const auto& all = all_findings();
    const auto wanted = to_lower(code);
    const auto found = std::find_if(all.begin(), all.end(), [&](const FindingInfo& finding) {
        return to_lower(finding.code) == wanted;
    });
    return found == all.end() ? nullptr : &*found;
}

} // namespace di::app
