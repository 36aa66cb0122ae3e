#include "explain.hpp"

#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "discover/rules.hpp"
#include "exit_codes.hpp"
#include "judge/rules.hpp"
#include "render/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::app {
namespace {

/// Texts are wrapped at this width where the terminal is wider or unknown.
constexpr std::size_t k_reading_width = 96;

/// One finding of either catalogue, as it is shown.
struct Entry {
    std::string_view code;
    std::string_view name;
    std::string_view title;
    std::vector<std::pair<std::string_view, std::string_view>> paragraphs;
};

std::vector<Entry> entries() {
    std::vector<Entry> all;
    for (const auto& rule : discover::k_rules) {
        all.push_back(
            {rule.code,
             rule.name,
             rule.title,
             {{"Meaning", rule.meaning}, {"Why it matters", rule.why}, {"Fix", rule.fix}}});
    }
    for (const auto* rule : judge::catalogue()) {
        all.push_back({rule->code,
                       rule->name,
                       rule->title,
                       {{"Meaning", rule->meaning},
                        {"Why it matters", rule->why},
                        {"Fix", rule->fix},
                        {"Source", rule->source}}});
    }
    return all;
}

std::string list_text(const std::vector<Entry>& all) {
    std::vector<std::vector<render::Cell>> rows{{{"CODE"}, {"CHECK"}, {"TITLE"}}};
    for (const auto& entry : all) {
        rows.push_back(
            {{std::string(entry.code)}, {std::string(entry.name)}, {std::string(entry.title)}});
    }
    return render::layout_columns(rows, 0, render::Color::off);
}

std::string entry_text(const Entry& entry, std::size_t width) {
    std::string text = fmt::format("{}  {}\n{}\n", entry.code, entry.name, entry.title);
    for (const auto& [heading, paragraph] : entry.paragraphs) {
        text += fmt::format("\n{}\n", heading);
        for (const auto& line : render::wrap(paragraph, width - 2)) {
            text += "  " + line + "\n";
        }
    }
    return text;
}

bool same_code(std::string_view a, std::string_view b) {
    return to_lower(a) == to_lower(b);
}

} // namespace

Outcome require_code(std::string_view code) {
    std::vector<std::string_view> codes;
    for (const auto& entry : entries()) {
        if (same_code(entry.code, code)) {
            return Done{};
        }
        codes.push_back(entry.code);
    }
    const auto near = cli::nearest(code, codes);
    return Error{ErrorKind::usage,
                 fmt::format("no finding has the code \"{}\"", code),
                 "",
                 near.empty() ? "" : fmt::format("did you mean {}?", near),
                 "kubectl dynamo-interconnect explain --list"};
}

int run_explain(const cli::Invocation& invocation, const Deps& deps) {
    const auto all = entries();
    if (invocation.list) {
        deps.out(list_text(all));
        return k_exit_ok;
    }
    const auto& code = invocation.arguments.front();
    if (const auto known = require_code(code); !known.ok()) {
        deps.err(to_text(known.error()));
        return exit_code(known.error().kind);
    }
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const Entry& entry) { return same_code(entry.code, code); });
    const std::size_t width = deps.width == 0
                                  ? k_reading_width
                                  : std::clamp<std::size_t>(deps.width, 40, k_reading_width);
    deps.out(entry_text(*found, width));
    return k_exit_ok;
}

} // namespace di::app
