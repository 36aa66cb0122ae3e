#include "render/plan_table.hpp"

#include "base/duration.hpp"
#include "base/strings.hpp"

#include <fmt/format.h>

namespace di::render {
namespace {

using Rows = std::vector<std::vector<Cell>>;

std::vector<Cell> header(const std::vector<std::string>& names) {
    std::vector<Cell> cells;
    for (const auto& name : names) {
        cells.push_back({name, Tint::bold});
    }
    return cells;
}

std::string workers_table(const PlanView& view, const TableStyle& style) {
    Rows rows;
    if (style.headers == Headers::shown) {
        rows.push_back(header({"NAMESPACE", "POD", "CONTAINER", "ROLE", "GRAPH", "NODE"}));
    }
    for (const auto& worker : view.head.workers) {
        rows.push_back({{printable(worker.ns)},
                        {printable(worker.pod)},
                        {printable(worker.container)},
                        {std::string(to_string(worker.role))},
                        {printable(worker.graph.value_or("-"))},
                        {printable(worker.node)}});
    }
    return layout_columns(rows, 0, style.color);
}

std::string permissions_text(const PlanView& view) {
    std::string text;
    for (const auto& access : view.permissions) {
        text += fmt::format("  {} {}{}{}\n",
                            access.verb,
                            access.resource,
                            access.subresource.empty() ? "" : "/",
                            access.subresource);
    }
    return text;
}

} // namespace

std::string render_plan_table(const PlanView& view, const TableStyle& style) {
    const auto title = [&](std::string_view text) {
        return tinted(text, Tint::bold, style.color) + "\n";
    };
    std::string out;
    if (const auto& cluster = view.head.cluster) {
        out += printable(fmt::format("context {}, server {}", cluster->context, cluster->server)) +
               "\n\n";
    }
    out += workers_table(view, style) + "\n";
    for (const auto& pod : view.head.not_probed) {
        out += printable(fmt::format("would not be probed: {}/{}: {} {}",
                                     pod.ns,
                                     pod.pod,
                                     to_string(pod.reason),
                                     pod.detail)) +
               "\n";
    }
    out += title("PERMISSIONS") + permissions_text(view) + "\n";
    out += title("COST") +
           fmt::format("  {} exec{} side by side, one for each worker: a second or two, at most {} "
                       "each\n  before them {} access reviews in one round, and one list of each "
                       "kind above\n  nothing was run\n\n",
                       view.plan.tasks.size(),
                       view.plan.tasks.size() == 1 ? "" : "s",
                       to_text(view.most),
                       view.permissions.size() - 1);
    if (!view.plan.tasks.empty()) {
        out += title("SCRIPT (sh -c)") + view.plan.tasks.front().argv.at(2) + "\n";
    }
    return out;
}

} // namespace di::render
