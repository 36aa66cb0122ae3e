#include "explain.hpp"

#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "exit_codes.hpp"
#include "findings.hpp"
#include "render/json.hpp"
#include "render/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::app {
namespace {

using model::Value;

/// Texts are wrapped at this width where the terminal is wider or unknown.
constexpr std::size_t k_reading_width = 96;

using Findings = std::vector<const FindingInfo*>;

struct Paragraph {
    std::string_view heading;
    std::string_view text;
    bool command = false; ///< shown as it is, never wrapped
};

std::array<Paragraph, 5> paragraphs(const FindingInfo& finding) {
    return {{{"Meaning", finding.meaning},
             {"Why it matters", finding.why},
             {"Fix", finding.fix},
             {"Next", finding.next, true},
             {"Source", finding.source}}};
}

std::string_view weight_of(const FindingInfo& finding) {
    return finding.advisory ? "advisory" : "deciding";
}

std::string list_text(const Findings& findings, bool headers) {
    std::vector<std::vector<render::Cell>> rows;
    if (headers) {
        rows.push_back({{"CODE"}, {"CHECK"}, {"WEIGHT"}, {"TITLE"}});
    }
    for (const auto* finding : findings) {
        rows.push_back({{std::string(finding->code)},
                        {std::string(finding->name)},
                        {std::string(weight_of(*finding))},
                        {std::string(finding->title)}});
    }
    return render::layout_columns(rows, 0, render::Color::off);
}

std::string finding_text(const FindingInfo& finding, std::size_t width) {
    std::string text = fmt::format(
        "{}  {}  ({})\n{}\n", finding.code, finding.name, weight_of(finding), finding.title);
    for (const auto& paragraph : paragraphs(finding)) {
        text += fmt::format("\n{}\n", paragraph.heading);
        for (const auto& line : render::wrap(paragraph.text, paragraph.command ? 0 : width - 2)) {
            text += "  " + line + "\n";
        }
    }
    return text;
}

/// Literal text of a Markdown paragraph; what would be markup is escaped.
std::string markdown(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("*_<>|`[]").find(c) != std::string_view::npos) {
            escaped += '\\';
        }
        escaped += c;
    }
    return escaped;
}

std::string findings_markdown(const Findings& findings) {
    std::string text = "# Findings\n\nWhat each code means. Made by `kubectl dynamo-interconnect "
                       "explain --list -o markdown`.\nAdvisory findings are shown and counted, but "
                       "never move the verdict.\n\n| code | check | weight | title |\n|---|---|---|"
                       "---|\n";
    for (const auto* finding : findings) {
        text += fmt::format("| [{0}](#{1}) | {2} | {3} | {4} |\n",
                            finding->code,
                            to_lower(finding->code),
                            finding->name,
                            weight_of(*finding),
                            markdown(finding->title));
    }
    for (const auto* finding : findings) {
        text += fmt::format("\n## {}\n\n{} (`{}`, {})\n",
                            finding->code,
                            markdown(finding->title),
                            finding->name,
                            weight_of(*finding));
        for (const auto& paragraph : paragraphs(*finding)) {
            text +=
                paragraph.command
                    ? fmt::format("\n{}:\n\n```\n{}\n```\n", paragraph.heading, paragraph.text)
                    : fmt::format("\n**{}.** {}\n", paragraph.heading, markdown(paragraph.text));
        }
    }
    return text;
}

Value findings_document(const Findings& findings) {
    Value list = Value::array();
    for (const auto* finding : findings) {
        Value entry;
        entry.set("code", finding->code).set("name", finding->name).set("title", finding->title);
        entry.set("area", finding->code.substr(0, finding->code.find('-')));
        entry.set("advisory", finding->advisory).set("meaning", finding->meaning);
        entry.set("why", finding->why).set("fix", finding->fix).set("next", finding->next);
        list.push(entry.set("source", finding->source));
    }
    Value document;
    document.set("apiVersion", "dynamo-interconnect/v1").set("kind", "FindingList");
    return document.set("findings", std::move(list));
}

std::string
rendered(const Findings& findings, const cli::Invocation& invocation, std::size_t width) {
    switch (invocation.format) {
    case cli::Format::json:
        return render::render_json(findings_document(findings));
    case cli::Format::yaml:
        return render::render_yaml(findings_document(findings));
    case cli::Format::markdown:
        return findings_markdown(findings);
    default:
        return invocation.list ? list_text(findings, !invocation.no_headers)
                               : finding_text(*findings.front(), width);
    }
}

} // namespace

Outcome require_code(std::string_view code) {
    if (find_finding(code) != nullptr) {
        return Done{};
    }
    std::vector<std::string_view> codes;
    for (const auto& finding : all_findings()) {
        codes.push_back(finding.code);
    }
    const auto near = cli::nearest(code, codes);
    return Error{ErrorKind::usage,
                 fmt::format("no finding has the code \"{}\"", code),
                 "",
                 near.empty() ? "" : fmt::format("did you mean {}?", near),
                 "kubectl dynamo-interconnect explain --list"};
}

int run_explain(const cli::Invocation& invocation, const Deps& deps) {
    Findings findings;
    if (invocation.list) {
        for (const auto& finding : all_findings()) {
            findings.push_back(&finding);
        }
    } else {
        const auto& code = invocation.arguments.front();
        if (const auto known = require_code(code); !known.ok()) {
            deps.err(to_text(known.error()));
            return exit_code(known.error().kind);
        }
        findings.push_back(find_finding(code));
    }
    const std::size_t width = deps.width == 0
                                  ? k_reading_width
                                  : std::clamp<std::size_t>(deps.width, 40, k_reading_width);
    deps.out(rendered(findings, invocation, width));
    return k_exit_ok;
}

} // namespace di::app
