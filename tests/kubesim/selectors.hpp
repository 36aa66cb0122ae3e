// Label and field selectors, as the API server reads them
// (https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#api).
#pragma once

#include "base/result.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace di::kubesim {

using StringMap = std::map<std::string, std::string, std::less<>>;

/// One comma-separated part: `a=b`, `a!=b`, `a in (x,y)`, `a notin (x)`, `a`, `!a`.
struct Requirement {
    enum class Op { in, not_in, exists, missing } op = Op::in;
    std::string key;
    std::vector<std::string> values;
};

using Selector = std::vector<Requirement>;

/// Errors: what the API server says about a selector it cannot parse.
Result<Selector> parse_label_selector(std::string_view text);

/// Only `=`, `==`, `!=`; keys outside `known` are refused as the API server refuses them.
Result<Selector> parse_field_selector(std::string_view text, const std::vector<std::string>& known);

/// Every requirement holds. `!=` and `notin` hold for a missing key too.
bool matches(const Selector& selector, const StringMap& values);

} // namespace di::kubesim
