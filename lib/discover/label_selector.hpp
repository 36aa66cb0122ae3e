// Kubernetes label selectors, parsed and matched as the API server does
// (k8s.io/apimachinery/pkg/labels: equality, set, existence and integer comparison).
#pragma once

#include "base/result.hpp"
#include "model/api_objects.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace di::discover {

enum class SelectorOperator : std::uint8_t {
    exists,
    absent,
    in,      ///< also = and ==
    not_in,  ///< also !=; holds for a pod without the key
    greater, ///< both sides are whole numbers
    less,
};

struct Requirement {
    std::string key;
    SelectorOperator op = SelectorOperator::exists;
    std::vector<std::string> values;
};

/// All requirements must hold; none means that everything matches.
struct LabelSelector {
    std::vector<Requirement> requirements;
};

/// Errors are of kind usage and quote the selector.
Result<LabelSelector> parse_label_selector(std::string_view text);

bool matches(const LabelSelector& selector, const model::StringMap& labels);

} // namespace di::discover
