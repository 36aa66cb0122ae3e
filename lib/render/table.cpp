#include "render/table.hpp"

#include "base/strings.hpp"
#include "render/components.hpp"
#include "render/merged_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace di::render {
namespace {

using namespace di::model;
using Rows = std::vector<std::vector<Cell>>;

/// Of the codes beside next steps: "GDR-001   ".
constexpr std::size_t k_code_width = 10;

Tint tint_of(Status status) {
    static constexpr std::array<Tint, 4> k_tints = {
        Tint::green, Tint::yellow, Tint::red, Tint::dim};
    return k_tints.at(static_cast<std::size_t>(status));
}

Tint tint_of(State state) {
    static constexpr std::array<Tint, 5> k_tints = {
        Tint::green, Tint::yellow, Tint::yellow, Tint::red, Tint::cyan};
    return k_tints.at(static_cast<std::size_t>(state));
}

/// Pairs that say the same; `prefill` and `decode` are the pods on each side.
struct MergedPairs {
    const Pair* first = nullptr;
    std::size_t count = 0;
    std::set<std::string> prefill;
    std::set<std::string> decode;
};

void add_side(std::set<std::string>& side,
              const std::string& name,
              const std::vector<std::string>& members) {
    side.insert(name);
    side.insert(members.begin(), members.end());
}

std::vector<MergedPairs> merged_pairs(const std::vector<Pair>& pairs, Detail detail) {
    std::vector<MergedPairs> merged;
    for (const auto& pair : pairs) {
        auto same = std::find_if(merged.begin(), merged.end(), [&](const MergedPairs& entry) {
            const auto& first = *entry.first;
            return detail == Detail::normal && first.ns == pair.ns && first.graph == pair.graph &&
                   first.path == pair.path && first.status == pair.status &&
                   first.detail == pair.detail;
        });
        if (same == merged.end()) {
            same = merged.insert(merged.end(), MergedPairs{&pair, 0, {}, {}});
        }
        same->count += pair.count;
        add_side(same->prefill, pair.prefill, pair.prefill_members);
        add_side(same->decode, pair.decode, pair.decode_members);
    }
    return merged;
}

/// What would make the pair faster, as far as known.
std::string faster(const Pair& pair) {
    const auto* advice = pair.facts.find("faster");
    const auto* text = advice == nullptr ? nullptr : std::get_if<std::string>(&advice->data());
    return text == nullptr ? "-" : *text;
}

/// The one pod, or how many there are.
std::string side_text(const std::set<std::string>& side) {
    return side.size() == 1 ? printable(*side.begin()) : fmt::format("{} pods", side.size());
}

class TableRenderer {
public:
    TableRenderer(const Report& report, const TableStyle& style)
        : report_(report),
          style_(style),
          rows_(merged_rows(report.checks, style.detail)) {
        for (const auto& worker : report.workers) {
            roles_[{worker.ns, worker.pod}] = worker.role;
            ++role_sizes_[worker.role];
        }
    }

    [[nodiscard]] std::string render() const {
        return coverage() + components() + checks() + pairs() + next_steps() + verdict();
    }

private:
    [[nodiscard]] std::string coverage() const {
        if (!report_.cluster) {
            return tinted(printable(report_.place), Tint::bold, style_.color) + "\n\n";
        }
        std::string roles;
        for (const auto& [role, size] : role_sizes_) {
            roles += fmt::format("{}{} {}", roles.empty() ? ": " : ", ", size, to_string(role));
        }
        const auto line =
            fmt::format("{}: {} of {} workers probed{}{}",
                        report_.place,
                        report_.probed,
                        report_.found,
                        roles,
                        report_.cut_short.empty() ? "" : " (" + report_.cut_short + ": partial)");
        std::string out = tinted(printable(line), Tint::bold, style_.color) + "\n";
        return out + not_probed() + "\n";
    }

    [[nodiscard]] std::string components() const {
        return report_.components ? render_components(*report_.components, style_) : "";
    }

    /// One line a pod, or a line for all pods of which the same is to be said.
    [[nodiscard]] std::string not_probed() const {
        std::vector<std::pair<std::string, std::vector<std::string>>> said;
        for (const auto& pod : report_.not_probed) {
            if (pod.reason == NotProbedReason::filtered && style_.detail == Detail::normal) {
                continue;
            }
            auto why = fmt::format(
                "{}{}", to_string(pod.reason), pod.detail.empty() ? "" : ", " + pod.detail);
            auto same = std::find_if(said.begin(), said.end(), [&](const auto& entry) {
                return style_.detail == Detail::normal && entry.first == why;
            });
            if (same == said.end()) {
                same = said.insert(said.end(), {std::move(why), {}});
            }
            same->second.push_back(fmt::format("{} ({})", pod.pod, to_string(pod.role)));
        }
        std::string out;
        for (const auto& [why, pods] : said) {
            const auto who = pods.size() == 1
                                 ? pods.front()
                                 : fmt::format("{} workers, such as {}", pods.size(), pods.front());
            out += printable(fmt::format("not probed: {}: {}", who, why)) + "\n";
        }
        return out;
    }

    /// The name as this report shows it: with its namespace only where there are several.
    [[nodiscard]] std::string name_of(const Subject& subject) const {
        if (!subject.graph.empty() && report_.graphs.size() > 1) {
            return printable(subject.graph + "/" + subject.name);
        }
        const bool several = report_.cluster && report_.cluster->ns.empty();
        return printable(several && !subject.ns.empty() ? subject.ns + "/" + subject.name
                                                        : subject.name);
    }

    /// "vllm-0", "2 prefill pods", "4 workers" or "4 pairs".
    [[nodiscard]] std::string subject_of(const MergedRow& row) const {
        const auto& subject = row.first->subject;
        const auto count = row.members.size();
        if (subject.kind == SubjectKind::pair && style_.detail == Detail::normal) {
            return fmt::format("{} pair{}", count, count == 1 ? "" : "s"); // PAIRS names them
        }
        if (count == 1) {
            return name_of(subject);
        }
        if (subject.kind != SubjectKind::pod) {
            return fmt::format("{} {}s", count, to_string(subject.kind));
        }
        std::set<Role> roles;
        for (const auto* member : row.members) {
            const auto role = roles_.find({member->subject.ns, member->subject.name});
            roles.insert(role == roles_.end() ? Role::worker : role->second);
        }
        return roles.size() == 1 && *roles.begin() != Role::worker
                   ? fmt::format("{} {} pods", count, to_string(*roles.begin()))
                   : fmt::format("{} workers", count);
    }

    void add_header(Rows& rows, const std::vector<std::string>& names) const {
        if (style_.headers == Headers::shown) {
            std::vector<Cell> header;
            for (const auto& name : names) {
                header.push_back({name, Tint::bold});
            }
            rows.push_back(std::move(header));
        }
    }

    [[nodiscard]] std::string checks() const {
        Rows rows;
        add_header(rows, {"STATUS", "CODE", "CHECK", "SUBJECT", "DETAIL"});
        std::size_t shown = 0;
        for (const auto& row : rows_) {
            shown += row.members.size();
            rows.push_back({{std::string(to_string(row.first->status)), tint_of(row.first->status)},
                            {row.first->code},
                            {row.first->name},
                            {subject_of(row)},
                            {detail_text(*row.first)}});
        }
        std::string out = layout_columns(rows, style_.width, style_.color);
        if (const auto quiet = report_.checks.size() - shown; quiet > 0) {
            out += tinted(fmt::format("{} more rows need no attention (-o wide shows them)", quiet),
                          Tint::dim,
                          style_.color) +
                   "\n";
        }
        return out;
    }

    [[nodiscard]] std::string pairs() const {
        if (report_.pairs.empty()) {
            return {};
        }
        Rows rows;
        std::vector<std::string> names{"PAIRS", "PATH", "STATUS", "PREFILL", "DECODE", "DETAIL"};
        const bool wide = style_.detail == Detail::wide;
        if (wide) {
            names.emplace_back("FASTER WITH");
        }
        add_header(rows, names);
        for (const auto& pair : merged_pairs(report_.pairs, style_.detail)) {
            rows.push_back(
                {{std::to_string(pair.count)},
                 {std::string(to_string(pair.first->path))},
                 {std::string(to_string(pair.first->status)), tint_of(pair.first->status)},
                 {side_text(pair.prefill)},
                 {side_text(pair.decode)},
                 {printable(pair.first->detail)}});
            if (wide) {
                rows.back().push_back({printable(faster(*pair.first))});
            }
        }
        return "\n" + layout_columns(rows, style_.width, style_.color);
    }

    /// One step for each row that is not ok; each command once. The steps of advice come when there
    /// is nothing worse to do; those of overridden rows are in the wide form only.
    [[nodiscard]] std::string next_steps() const {
        std::string out;
        std::set<std::vector<std::string>> shown;
        for (const bool advisory : {false, true}) {
            const bool worse = advisory && !out.empty();
            for (const auto& row : rows_) {
                const auto& check = *row.first;
                const bool beside = is_quiet(check) || (style_.detail == Detail::normal &&
                                                        (check.overridden_by || worse));
                if (check.advisory == advisory && check.next && !beside &&
                    shown.insert(check.next->argv).second) {
                    out += next_step(row);
                }
            }
        }
        return out.empty() ? out : "\n" + tinted("NEXT", Tint::bold, style_.color) + "\n" + out;
    }

    [[nodiscard]] std::string next_step(const MergedRow& row) const {
        const auto& check = *row.first;
        const std::string indent(k_code_width, ' ');
        std::string text = check.next->why;
        if (row.members.size() > 1 || check.subject.kind == SubjectKind::pod) {
            text += fmt::format(
                " (at {}{})",
                name_of(check.subject),
                row.members.size() == 1 ? "" : fmt::format(" and {} more", row.members.size() - 1));
        }
        std::string out;
        for (const auto& line : wrap(printable(text), text_width(indent.size()))) {
            out += out.empty() ? fmt::format("{:<{}}{}\n", check.code, k_code_width, line)
                               : indent + line + "\n";
        }
        return out + indent + command(*check.next);
    }

    [[nodiscard]] std::string command(const NextStep& next) const {
        return tinted(printable(shell_command(next.argv)), Tint::cyan, style_.color) + "\n";
    }

    [[nodiscard]] std::size_t text_width(std::size_t indent) const {
        return style_.width > indent + 40 ? style_.width - indent : 0;
    }

    [[nodiscard]] std::string verdict() const {
        const auto& counts = report_.counts;
        std::string out = fmt::format("\n{} ok, {} warn, {} fail, {} skipped\n",
                                      counts.ok,
                                      counts.warn,
                                      counts.fail,
                                      counts.skipped);
        const auto state = report_.verdict.readiness.state;
        for (const auto& line : wrap(printable(report_.verdict.line), text_width(0))) {
            out += tinted(line, tint_of(state), style_.color) + "\n";
        }
        if (const auto& prove = report_.verdict.prove) {
            out += printable(prove->why) + "\n  " + command(*prove);
        }
        return out;
    }

    const Report& report_;
    const TableStyle& style_;
    std::vector<MergedRow> rows_;
    std::map<std::pair<std::string, std::string>, Role> roles_;
    std::map<Role, std::size_t> role_sizes_;
};

} // namespace

std::string render_table(const Report& report, const TableStyle& style) {
    return TableRenderer(report, style).render();
}

} // namespace di::render
