#include "discover/label_selector.hpp"

#include "base/strings.hpp"
#include "fuzz.hpp"

#include <algorithm>

namespace {

using namespace di;
using discover::Requirement;
using discover::SelectorOperator;

/// As kubectl writes it.
std::string text_of(const Requirement& requirement) {
    const auto values = join(requirement.values, ",");
    switch (requirement.op) {
    case SelectorOperator::exists:
        return requirement.key;
    case SelectorOperator::absent:
        return "!" + requirement.key;
    case SelectorOperator::in:
        return requirement.key + " in (" + values + ")";
    case SelectorOperator::not_in:
        return requirement.key + " notin (" + values + ")";
    case SelectorOperator::greater:
        return requirement.key + ">" + values;
    case SelectorOperator::less:
        return requirement.key + "<" + values;
    }
    return {};
}

/// Whether some pod can tell two selectors apart, as far as a handful of pods can.
bool agree(const discover::LabelSelector& one, const discover::LabelSelector& other) {
    std::vector<model::StringMap> pods(1);
    for (const auto& requirement : one.requirements) {
        pods.push_back({{requirement.key, ""}});
        for (const auto& value : requirement.values) {
            pods.push_back({{requirement.key, value}});
        }
    }
    return std::all_of(pods.begin(), pods.end(), [&](const auto& labels) {
        return discover::matches(one, labels) == discover::matches(other, labels);
    });
}

} // namespace

DI_FUZZ_TARGET(label_selector) {
    const auto selector = discover::parse_label_selector(input);
    if (!selector.ok()) {
        fuzz::require(selector.error().kind == ErrorKind::usage, "a bad selector is a usage error");
        return;
    }
    std::string text;
    for (const auto& requirement : selector->requirements) {
        fuzz::require(!requirement.key.empty(), "a requirement has a key");
        text += (text.empty() ? "" : ",") + text_of(requirement);
    }
    const auto again = discover::parse_label_selector(text);
    fuzz::require(again.ok(), "a selector can be read when printed again");
    fuzz::require(again->requirements.size() == selector->requirements.size() &&
                      agree(*selector, *again),
                  "and says the same");
}
