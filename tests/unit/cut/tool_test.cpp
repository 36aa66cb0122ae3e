// Every captured output of the corpus, each of its streams cut anywhere.
#include "base/strings.hpp"
#include "judge/tools.hpp"
#include "parse/tools.hpp"
#include "support/folder_tests.hpp"
#include "unit/cut/cuts.hpp"
#include "unit/parse/captured.hpp"

#include <array>

namespace di::test {
namespace {

namespace fs = std::filesystem;

using model::Status;
using model::Tool;
using parse::Captured;

const fs::path k_corpus = fs::path(DI_TEST_DATA) / "corpus" / "open";

/// How a record of a tool's output begins. What the tool prints for fewer devices, GPUs or
/// variables is a whole output too: a cut between two records cannot be told.
struct Records {
    Tool tool;
    std::string_view begin;
};

constexpr std::array k_records = {
    Records{Tool::ib_link, "CA '"},
    Records{Tool::ibv_devinfo, "hca_id:"},
    Records{Tool::nvlink_status, "GPU "},
    Records{Tool::env, ""},
};

/// Behind the end of a line, or where only its newline is missing, before a record.
bool is_between_records(Tool tool, std::string_view text, std::size_t size) {
    const bool line_end = size == 0 || text[size - 1] == '\n' || text[size] == '\n';
    const auto rest = text.substr(std::min(text.find_first_not_of('\n', size), text.size()));
    return line_end && std::any_of(k_records.begin(), k_records.end(), [&](const auto& records) {
               return records.tool == tool && rest.starts_with(records.begin);
           });
}

Status judged(Tool tool, const Captured& output) {
    const auto reading = parse::read_tool(tool, output.view());
    return judge::judge_tool(tool, reading, {model::SubjectKind::file, "", "output"}).status;
}

void check_cuts(Tool tool, const Captured& whole) {
    const bool good = judged(tool, whole) == Status::ok;
    for (const auto size : cuts_of(whole.out)) {
        const auto status = judged(tool, {whole.out.substr(0, size), whole.err, whole.rc});
        if (status == Status::ok && !good && !is_between_records(tool, whole.out, size)) {
            FAIL_CHECK("stdout is ok when cut at " << size);
        }
    }
    for (const auto size : cuts_of(whole.err)) {
        const auto status = judged(tool, {whole.out, whole.err.substr(0, size), whole.rc});
        if (status == Status::ok && !good) {
            FAIL_CHECK("stderr is ok when cut at " << size);
        }
    }
    SUCCEED();
}

/// By the corpus' index.
void check_single_case(const fs::path& folder) {
    const auto index = parse::file_text((k_corpus / "INDEX.tsv").string());
    for (const auto row : lines(index)) {
        const auto columns = split(row, '\t');
        if (columns.at(0) == folder.filename().string()) {
            check_cuts(*model::tool_named(columns.at(1)), parse::captured(std::string(columns[0])));
        }
    }
}

/// Every probe of every pod.
void check_pods(const fs::path& folder) {
    for (const auto& pod : folders_of(folder / "pods")) {
        for (const auto& probe : folders_of(pod)) {
            if (const auto tool = model::tool_named(probe.filename().string())) {
                CAPTURE(probe);
                check_cuts(*tool, parse::captured(fs::relative(probe, k_corpus).string()));
            }
        }
    }
}

std::vector<fs::path> single_cases() {
    auto folders = folders_of(k_corpus);
    std::erase(folders, k_corpus / "multi");
    return folders;
}

const FolderTests k_single("cut: tool ", single_cases(), check_single_case);
const FolderTests k_multi("cut: tools of ", folders_of(k_corpus / "multi"), check_pods);

} // namespace
} // namespace di::test
