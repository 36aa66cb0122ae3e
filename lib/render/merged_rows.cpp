#include "render/merged_rows.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace di::render {
namespace {

using namespace di::model;

bool does_not_apply(const Check& check) {
    return check.reason == SkipReason::not_applicable || check.reason == SkipReason::not_requested;
}

/// An environment row about a variable that nobody set.
bool is_default_setting(const Check& check) {
    const auto* value = check.facts.find("value");
    return check.facts.find("variable") != nullptr && value != nullptr && value->is_null();
}

/// How bad, for sorting: fail, warn, skipped, ok.
int badness(Status status) {
    static constexpr std::array<int, 4> k_order = {3, 1, 0, 2};
    return k_order.at(static_cast<std::size_t>(status));
}

} // namespace

bool is_quiet(const Check& check) {
    const bool no_news = check.status == Status::ok || check.reason == SkipReason::tool_missing;
    return does_not_apply(check) || (check.advisory && no_news) ||
           (check.status == Status::ok && is_default_setting(check));
}

std::string detail_text(const Check& check) {
    std::string text;
    if (check.reason) {
        text += fmt::format("{}: ", to_string(*check.reason));
    }
    text += check.detail;
    if (check.waived) {
        text += fmt::format(" (waived{}{})", check.waived->empty() ? "" : ": ", *check.waived);
    } else if (check.overridden_by) {
        text += fmt::format(" ({} {})",
                            check.status == Status::ok ? "overruled by" : "follows from",
                            *check.overridden_by);
    } else if (check.advisory && check.status != Status::ok && !does_not_apply(check)) {
        text += " (advice)";
    }
    return printable(text);
}

std::vector<MergedRow> merged_rows(const std::vector<Check>& checks, Detail detail) {
    std::vector<MergedRow> rows;
    std::map<std::tuple<std::string_view, Status, SubjectKind, std::string>, std::size_t> place;
    for (const auto& check : checks) {
        if (detail == Detail::wide) {
            rows.push_back({&check, {&check}});
        } else if (!is_quiet(check)) {
            const auto key = std::tuple(
                std::string_view(check.code), check.status, check.subject.kind, detail_text(check));
            const auto [found, is_new] = place.emplace(key, rows.size());
            if (is_new) {
                rows.push_back({&check, {}});
            }
            rows[found->second].members.push_back(&check);
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const MergedRow& a, const MergedRow& b) {
        return badness(a.first->status) < badness(b.first->status);
    });
    return rows;
}

} // namespace di::render
