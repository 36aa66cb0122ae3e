#include "judge.hpp"

#include "captured.hpp"
#include "judge/tools.hpp"
#include "parse/tools.hpp"
#include "reporting.hpp"
#include "verdict/standalone.hpp"

#include <fmt/format.h>

namespace di::app {
namespace {

Result<CapturedOutput> read_output(const cli::Capture& capture, const Deps& deps) {
    CapturedOutput output;
    auto out = read_captured(capture.out, deps);
    if (!out.ok()) {
        return out.error();
    }
    output.out = *std::move(out);
    if (capture.err) {
        auto err = read_captured(*capture.err, deps);
        if (!err.ok()) {
            return err.error();
        }
        output.err = *std::move(err);
    }
    output.rc = exit_code_of(capture.rc, output.err);
    return output;
}

} // namespace

Result<std::string> read_captured(const std::string& path, const Deps& deps) {
    const bool standard_input = path == "-";
    auto file = deps.surroundings.read_file(standard_input ? "/dev/stdin" : path);
    if (file.outcome == kubeconfig::FileText::Outcome::read) {
        return std::move(file.text);
    }
    return Error{ErrorKind::usage,
                 "cannot read " + (standard_input ? "standard input" : path),
                 "",
                 file.detail.empty() ? "no such file" : file.detail,
                 ""};
}

int exit_code_of(std::optional<int> given, const std::string& err) {
    return given ? *given : parse::reported_exit_code(err).value_or(0);
}

int run_judge(const cli::Invocation& invocation, const Deps& deps) {
    const auto& capture = invocation.capture;
    if (capture.out == "-" && deps.surroundings.terminal_on_stdin && !invocation.quiet) {
        deps.err("reading standard input, end it with Ctrl-D ...\n");
    }
    const auto output = read_output(capture, deps);
    if (!output.ok()) {
        return give_up(output.error(), deps);
    }
    const auto name = capture.out == "-" ? std::string("standard input") : capture.out;
    const auto reading = parse::read_tool(*capture.tool, output->view());
    auto report = start_report(std::nullopt, {});
    report.place = fmt::format("{} of {}", to_string(*capture.tool), name);
    report.checks.push_back(
        judge::judge_tool(*capture.tool, reading, {model::SubjectKind::file, "", name}));
    report.counts = verdict::count_rows(report.checks);
    report.verdict = verdict::verdict_of_row(report.checks.front());
    auto shown = invocation;
    if (shown.format == cli::Format::table) {
        shown.format = cli::Format::wide; // the one row is never left out
    }
    deps.out(rendered(report, shown, deps));
    return report.verdict.readiness.exit_code;
}

} // namespace di::app
