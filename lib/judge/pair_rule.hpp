// A rule about one prefill worker and one decode worker.
#pragma once

#include "judge/next_step.hpp"
#include "judge/pair_side.hpp"
#include "judge/rules.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace di::judge {

struct PairView {
    const PairSide& prefill;
    const PairSide& decode;
    std::optional<bool> same_node; ///< nothing for classes of workers, or when not known
};

struct PairFinding {
    model::Status status = model::Status::fail;
    std::optional<model::SkipReason> skip; ///< set when skipped
    std::string detail;
    model::Value facts = model::Value::object(); ///< prefill, decode, ...
};

/// What mends a pair, and so what its next step opens.
enum class Remedy : std::uint8_t {
    placement, ///< other nodes: show where the two run
    settings,  ///< environment, arguments or image: edit the graph
};

struct PairRule {
    RuleInfo info;
    std::string_view reason; ///< pairs[].reason
    /// What stands between the two, or nothing.
    std::optional<PairFinding> (*evaluate)(const PairView&);
    Remedy remedy = Remedy::placement;
};

/// What to type next about a pair that the rule stands between.
model::NextStep next_step(const Context& context,
                          const PairRule& rule,
                          const model::Worker& prefill,
                          const model::Worker& decode);

/// The way KV takes between two sides that nothing stands between.
model::Path open_path(const PairView& pair);

/// The way KV takes when the fast path is barred: TCP where both sides allow it.
model::Path fallback_path(const PairView& pair);

/// The worst finding, with its rule; none when the pair is fine. Equal ones: the first rule.
struct PairVerdict {
    const PairRule* rule = nullptr;
    PairFinding finding;
    model::Path path = model::Path::unknown;
};

PairVerdict judge_pair(const PairView& pair);

} // namespace di::judge
