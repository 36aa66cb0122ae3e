// From observations to a finished, rendered report: what every command that judges workers shares.
#pragma once

#include "base/error.hpp"
#include "cli/invocation.hpp"
#include "deps.hpp"
#include "model/observation.hpp"
#include "model/probe.hpp"
#include "model/report.hpp"
#include "render/table.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace di::app {

/// The head of a report: everything that is known before the first exec.
model::Report start_report(const std::optional<model::ClusterInfo>& cluster,
                           const model::Inventory& inventory);

/// The observation of each worker, in the inventory's order.
std::vector<model::PodObservation> read_results(const model::Inventory& inventory,
                                                const model::Plan& plan,
                                                const std::vector<model::RawResult>& results);

/// Judges, weighs, and completes the report with the rows that the command is about.
void judge_report(model::Report& report,
                  const model::Inventory& inventory,
                  const std::vector<model::PodObservation>& observations,
                  const cli::Invocation& invocation);

/// Marks the rows that the user waived.
void waive(std::vector<model::Check>& checks, const std::map<std::string, std::string>& waivers);

/// What of the command line weighs.
verdict::Options verdict_options(const cli::Invocation& invocation);

render::TableStyle table_style(const cli::Invocation& invocation, const Deps& deps);

/// The report in the format that the invocation asks for.
std::string
rendered(const model::Report& report, const cli::Invocation& invocation, const Deps& deps);

/// Says on stderr why the command cannot go on; returns its exit code.
int give_up(const Error& error, const Deps& deps);

} // namespace di::app
