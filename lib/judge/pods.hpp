// Whole pods and their pairs, from the outputs of single tools captured in them. Pure.
#pragma once

#include "judge/evaluate.hpp"
#include "model/inventory.hpp"
#include "model/tool.hpp"

#include <map>
#include <vector>

namespace di::judge {

/// One pod of a captured set: who it is, and what its tools showed.
struct CapturedPod {
    model::Worker worker;
    std::map<model::Tool, model::ToolReading> readings;
};

/// The same facts in the form in which pairs are judged. What was not captured is unreadable, never
/// healthy.
model::PodObservation observation_of(const CapturedPod& pod);

/// For each pod a row named `pod`, its roll-up, and then the rows of its tools, overruled ones
/// marked; at the end the pairs of prefill and decode pods, with a row for each that is not ok.
Judgement judge_pods(const std::vector<CapturedPod>& pods);

} // namespace di::judge
