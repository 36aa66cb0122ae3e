// Any text as the output of each tool, up to the row that it gets.
#include "judge/tools.hpp"

#include "parse/tools.hpp"
#include "render/json.hpp"
#include "tool_input.hpp"

#include <rapidjson/document.h>

namespace {

using namespace di;
using fuzz::require;
using model::SkipReason;
using model::Status;

void require_row(const model::Check& row, const model::ToolReading& reading) {
    require(!row.code.empty() && !row.detail.empty(), "a row has a code and words");
    require(reading || row.status == Status::skipped, "what was not seen is not judged");
    require(row.reason.has_value() == (row.status == Status::skipped), "skipped has a reason");
    require(row.next.has_value() == (row.status != Status::ok), "not ok has a next step");
    require(!row.overridden_by && !row.waived, "a row alone is nobody's to overrule");
    const auto json = render::render_json(row.facts);
    rapidjson::Document document;
    require(!document.Parse(json.data(), json.size()).HasParseError(), "facts are JSON");
}

} // namespace

DI_FUZZ_TARGET(tools) {
    const auto output = fuzz::tool_output(input);
    for (const auto name : model::tool_names()) {
        const auto tool = *model::tool_named(name);
        const auto reading = parse::read_tool(tool, output);
        require(reading || !reading.unseen()->why.empty(), "what was not seen says why");
        const model::Subject subject{model::SubjectKind::pod, "dynamo", "prefill-0"};
        const auto row = judge::judge_tool(tool, reading, subject);
        require(row.name == name, "a row is called like its tool");
        require_row(row, reading);
        const auto again = judge::judge_tool(tool, parse::read_tool(tool, output), subject);
        require(row.status == again.status && row.detail == again.detail &&
                    row.facts == again.facts,
                "the same text is judged the same");
    }
}
