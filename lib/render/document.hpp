// Report -> the JSON-shaped document that -o json and -o yaml print (schema: docs/schema/).
#pragma once

#include "model/probe.hpp"
#include "model/report.hpp"
#include "model/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace di::render {

/// The whole CheckReport, apiVersion dynamo-interconnect/v1.
model::Value report_document(const model::Report& report);

/// One (verb, resource) that a run needs or makes.
struct Access {
    std::string verb;
    std::string resource;
    std::string subresource;
    std::string ns;
};

/// What `plan` shows: the same head as a report, and what would run where.
struct PlanView {
    model::Report head; ///< cluster, coverage and workers are used
    model::Plan plan;
    std::vector<Access> permissions;
    std::chrono::milliseconds most{0}; ///< that one exec may take
    std::vector<Access> requests;
};

/// The Plan document; the script stands in it once, as `sh -c` gets it.
model::Value plan_document(const PlanView& view);

} // namespace di::render
