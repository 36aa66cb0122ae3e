#include "render/table.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace di::render {
namespace {

using namespace di::model;
using Rows = std::vector<std::vector<Cell>>;

constexpr std::array<Status, 4> k_worst_first = {
    Status::fail, Status::warn, Status::skipped, Status::ok};

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

bool is_beside_the_point(const Check& check) {
    return check.status == Status::skipped && check.reason &&
           (*check.reason == SkipReason::not_applicable ||
            *check.reason == SkipReason::not_requested);
}

std::string detail_of(const Check& check) {
    std::string text;
    if (check.status == Status::skipped && check.reason) {
        text += fmt::format("{}: ", to_string(*check.reason));
    }
    text += check.detail;
    if (check.waived) {
        text += fmt::format(" (waived{}{})", check.waived->empty() ? "" : ": ", *check.waived);
    } else if (check.overridden_by) {
        text += fmt::format(" (overridden by {})", *check.overridden_by);
    } else if (check.advisory && check.status != Status::ok && !is_beside_the_point(check)) {
        text += " (advice, moves no verdict)";
    }
    return printable(text);
}

/// Rows that say the same of several subjects.
struct Merged {
    const Check* first = nullptr;
    std::vector<const Check*> members;
};

std::vector<Merged> merge(const std::vector<Check>& checks, Detail detail) {
    std::vector<Merged> merged;
    std::map<std::tuple<std::string, Status, std::string>, std::size_t> place;
    for (const auto& check : checks) {
        if (detail == Detail::normal && is_beside_the_point(check)) {
            continue;
        }
        const bool alone = detail == Detail::wide || check.subject.kind != SubjectKind::pod;
        const auto key = std::tuple(check.code, check.status, detail_of(check));
        const auto found = place.find(key);
        if (alone || found == place.end()) {
            if (!alone) {
                place.emplace(key, merged.size());
            }
            merged.push_back({&check, {&check}});
        } else {
            merged[found->second].members.push_back(&check);
        }
    }
    return merged;
}

class TableRenderer {
public:
    TableRenderer(const Report& report, const TableStyle& style)
        : report_(report),
          style_(style) {
        for (const auto& worker : report.workers) {
            roles_[{worker.ns, worker.pod}] = worker.role;
            ++role_sizes_[worker.role];
        }
    }

    std::string render() {
        std::string out = coverage();
        out += checks();
        out += pairs();
        out += next_steps();
        return out + verdict();
    }

private:
    [[nodiscard]] std::string coverage() const {
        std::string roles;
        for (const auto& [role, size] : role_sizes_) {
            roles += fmt::format("{}{} {}", roles.empty() ? "" : ", ", size, to_string(role));
        }
        const std::string where =
            report_.cluster.ns.empty() ? "all namespaces" : "namespace " + report_.cluster.ns;
        std::string line = fmt::format("{}: {} of {} workers probed{}{}",
                                       where,
                                       report_.probed,
                                       report_.found,
                                       roles.empty() ? "" : ": " + roles,
                                       report_.partial ? " (interrupted: partial)" : "");
        std::string out = tinted(printable(line), Tint::bold, style_.color) + "\n";
        for (const auto& pod : report_.not_probed) {
            if (pod.reason != NotProbedReason::filtered || style_.detail == Detail::wide) {
                out += printable(fmt::format("not probed: {} ({}): {}{}",
                                             pod.pod,
                                             to_string(pod.role),
                                             to_string(pod.reason),
                                             pod.detail.empty() ? "" : ", " + pod.detail)) +
                       "\n";
            }
        }
        return out + "\n";
    }

    /// "vllm-0", "2 prefill", or "4 workers" for a merged row.
    [[nodiscard]] std::string subject_of(const Merged& row) const {
        const auto& subject = row.first->subject;
        if (row.members.size() == 1) {
            return printable(report_.cluster.ns.empty() && !subject.ns.empty()
                                 ? subject.ns + "/" + subject.name
                                 : subject.name);
        }
        std::set<Role> seen;
        for (const auto* member : row.members) {
            const auto role = roles_.find({member->subject.ns, member->subject.name});
            seen.insert(role == roles_.end() ? Role::worker : role->second);
        }
        const std::string_view what = seen.size() == 1 ? to_string(*seen.begin()) : "workers";
        return fmt::format("{} {}{}", row.members.size(), what, seen.size() == 1 ? " pods" : "");
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
        const auto merged = merge(report_.checks, style_.detail);
        Rows rows;
        add_header(rows, {"STATUS", "CODE", "CHECK", "SUBJECT", "DETAIL"});
        for (const Status status : k_worst_first) {
            for (const auto& row : merged) {
                if (row.first->status == status) {
                    rows.push_back({{std::string(to_string(status)), tint_of(status)},
                                    {row.first->code, Tint::none},
                                    {row.first->name, Tint::none},
                                    {subject_of(row), Tint::none},
                                    {detail_of(*row.first), Tint::none}});
                }
            }
        }
        const auto hidden = static_cast<std::size_t>(
            std::count_if(report_.checks.begin(), report_.checks.end(), is_beside_the_point));
        std::string out = layout_columns(rows, style_.width, style_.color);
        if (hidden > 0 && style_.detail == Detail::normal) {
            out += tinted(fmt::format("{} more do not apply here (-o wide shows them)", hidden),
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
        add_header(rows, {"PAIRS", "PATH", "STATUS", "PREFILL", "DECODE", "DETAIL"});
        for (const auto& [pair, count] : merged_pairs()) {
            const bool many = count > 1;
            rows.push_back({{std::to_string(count), Tint::none},
                            {std::string(to_string(pair->path)), Tint::none},
                            {std::string(to_string(pair->status)), tint_of(pair->status)},
                            {printable(pair->prefill) + (many ? ", ..." : ""), Tint::none},
                            {printable(pair->decode) + (many ? ", ..." : ""), Tint::none},
                            {printable(pair->detail), Tint::none}});
        }
        return "\n" + layout_columns(rows, style_.width, style_.color);
    }

    [[nodiscard]] std::vector<std::pair<const Pair*, std::size_t>> merged_pairs() const {
        std::vector<std::pair<const Pair*, std::size_t>> merged;
        for (const auto& pair : report_.pairs) {
            const auto same = std::find_if(merged.begin(), merged.end(), [&](const auto& entry) {
                return style_.detail == Detail::normal && entry.first->ns == pair.ns &&
                       entry.first->graph == pair.graph && entry.first->path == pair.path &&
                       entry.first->status == pair.status && entry.first->detail == pair.detail;
            });
            if (same == merged.end()) {
                merged.emplace_back(&pair, pair.count);
            } else {
                same->second += pair.count;
            }
        }
        return merged;
    }

    /// Each command once, deciding rows before advice, worst first.
    [[nodiscard]] std::string next_steps() const {
        std::string out;
        std::set<std::vector<std::string>> shown;
        for (const bool advisory : {false, true}) {
            for (const Status status : {Status::fail, Status::warn, Status::skipped}) {
                for (const auto& check : report_.checks) {
                    const bool wanted = check.status == status && check.advisory == advisory &&
                                        check.next && !is_beside_the_point(check);
                    if (wanted && shown.insert(check.next->argv).second) {
                        out += next_step(check.code, *check.next);
                    }
                }
            }
        }
        return out.empty() ? out : "\n" + tinted("NEXT", Tint::bold, style_.color) + "\n" + out;
    }

    [[nodiscard]] std::string next_step(const std::string& code, const NextStep& next) const {
        std::string out;
        const std::string indent(code.size() + 2, ' ');
        for (const auto& line : wrap(printable(next.why), text_width(indent.size()))) {
            out += out.empty() ? code + "  " + line + "\n" : indent + line + "\n";
        }
        return out + indent +
               tinted(printable(shell_command(next.argv)), Tint::cyan, style_.color) + "\n";
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
        if (report_.verdict.prove) {
            out += printable(report_.verdict.prove->why) + "\n  " +
                   tinted(printable(shell_command(report_.verdict.prove->argv)),
                          Tint::cyan,
                          style_.color) +
                   "\n";
        }
        return out;
    }

    const Report& report_;
    const TableStyle& style_;
    std::map<std::pair<std::string, std::string>, Role> roles_;
    std::map<Role, std::size_t> role_sizes_;
};

} // namespace

std::string render_table(const Report& report, const TableStyle& style) {
    return TableRenderer(report, style).render();
}

} // namespace di::render
