// From what one tool printed to its row.
#include "base/strings.hpp"
#include "judge/rules.hpp"
#include "judge/tools.hpp"
#include "parse/tools.hpp"
#include "tool_cases.hpp"
#include "unit/parse/captured.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

namespace di::test {
namespace {

using model::Check;
using model::Status;
using model::Tool;

const std::vector<ToolCase>& all_cases() {
    static const auto k_cases = [] {
        auto cases = device_cases();
        for (const auto& more : {gpu_tool_cases(), library_cases()}) {
            cases.insert(cases.end(), more.begin(), more.end());
        }
        return cases;
    }();
    return k_cases;
}

Check judged(const std::string& probe, const parse::ToolOutput& output) {
    const auto tool = model::tool_named(probe);
    REQUIRE(tool);
    return judge::judge_tool(
        *tool, parse::read_tool(*tool, output), {model::SubjectKind::file, "", "output"});
}

Check judged(const ToolCase& test) {
    return judged(test.probe, {test.out, test.err, test.rc});
}

std::string with_crlf(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c == '\n' ? std::string("\r\n") : std::string(1, c);
    }
    return result;
}

} // namespace

TEST_CASE("each tool's output gets the row that an expert would give") {
    for (const auto& test : all_cases()) {
        CAPTURE(test.probe, test.what);
        const auto check = judged(test);
        CAPTURE(check.detail);
        CHECK(check.status == test.status);
        CHECK(contains(check.detail, test.says));
        CHECK(check.name == test.probe);
    }
}

TEST_CASE("each tool has an output that is ok, one that is not, and one that tells nothing") {
    std::map<std::string, std::set<Status>> seen;
    for (const auto& test : all_cases()) {
        seen[test.probe].insert(test.status);
    }
    for (const auto name : model::tool_names()) {
        CAPTURE(name);
        const auto& statuses = seen[std::string(name)];
        CHECK(statuses.count(Status::ok) == 1);
        CHECK(statuses.count(Status::warn) + statuses.count(Status::fail) >= 1);
        CHECK(statuses.count(Status::skipped) == 1);
    }
}

TEST_CASE("a tool's row is complete: code, reason when skipped, evidence, a next step unless ok") {
    for (const auto& test : all_cases()) {
        CAPTURE(test.probe, test.what);
        const auto check = judged(test);
        CHECK(judge::find_rule(check.code) != nullptr);
        CHECK(check.reason.has_value() == (check.status == Status::skipped));
        CHECK(check.next.has_value() == (check.status != Status::ok));
        CHECK_FALSE(check.detail.empty());
        CHECK_FALSE(check.evidence.empty());
    }
}

TEST_CASE("line ends of Windows change no row") {
    for (const auto& test : all_cases()) {
        CAPTURE(test.probe, test.what);
        const auto out = with_crlf(test.out);
        CHECK(judged(test.probe, {out, test.err, test.rc}).status == test.status);
    }
}

TEST_CASE("a tool that is missing, refused, hung or foreign is skipped for that reason") {
    struct Silence {
        std::string out;
        std::string err;
        int rc;
        model::SkipReason reason;
    };

    const auto silence = GENERATE(values<Silence>({
        {"",
         "sh: 1: TOOL: not found\ncommand terminated with exit code 127\n",
         127,
         model::SkipReason::tool_missing},
        {"OCI runtime exec failed: exec failed: unable to start container process: exec: \"TOOL\": "
         "executable file not found in $PATH: unknown\n",
         "command terminated with exit code 126\n",
         126,
         model::SkipReason::tool_missing},
        {"",
         "Error from server (Forbidden): pods \"p\" is forbidden: User \"u\" cannot create "
         "resource \"pods/exec\"\n",
         1,
         model::SkipReason::no_permission},
        {"", "command terminated with exit code 124\n", 124, model::SkipReason::timed_out},
        {"", "command terminated with exit code 137\n", 137, model::SkipReason::timed_out},
        {"<html><body>502 Bad Gateway</body></html>\n", "", 0, model::SkipReason::unreadable},
    }));
    const std::map<std::string, std::string> programs = {{"ib-devices", "ls"},
                                                         {"gdrcopy", "ls"},
                                                         {"ibv-devinfo-list", "ibv_devinfo"},
                                                         {"ibv-devinfo", "ibv_devinfo"},
                                                         {"ib-link", "ibstat"},
                                                         {"ib-sysfs", "grep"},
                                                         {"gpudirect-modules", "lsmod"},
                                                         {"gpu-topology", "nvidia-smi"},
                                                         {"nvlink-status", "nvidia-smi"},
                                                         {"gpu-fabric", "nvidia-smi"},
                                                         {"ucx-devices", "ucx_info"},
                                                         {"ucx-version", "ucx_info"},
                                                         {"memlock", "sh"},
                                                         {"nixl-tools", "sh"},
                                                         {"nixl-plugins", "ls"},
                                                         {"env", "env"}};
    for (const auto& [probe, program] : programs) {
        const auto named = [&](std::string text) {
            if (const auto at = text.find("TOOL"); at != std::string::npos) {
                text.replace(at, 4, program);
            }
            return text;
        };
        const auto out = named(silence.out);
        const auto err = named(silence.err);
        const auto check = judged(probe, {out, err, silence.rc});
        CAPTURE(probe, out, err, check.detail);
        CHECK(check.status == Status::skipped);
        CHECK(check.reason == silence.reason);
    }
}

TEST_CASE("output that means failure never reads as ok when it is cut") {
    const auto index = parse::file_text(std::string(DI_TEST_DATA) + "/corpus/open/INDEX.tsv");
    std::size_t tried = 0;
    for (const auto line : lines(index)) {
        const auto columns = split(line, '\t');
        if (columns.size() < 3 || columns[1] == "multi" || columns[2] != "fail") {
            continue;
        }
        const std::string name(columns[0]);
        const std::string probe(columns[1]);
        const auto whole = parse::captured(name);
        CAPTURE(name);
        const std::size_t step = 1 + whole.out.size() / 2000;
        for (std::size_t size = 0; size < whole.out.size(); size += step) {
            CAPTURE(size);
            const auto cut = whole.out.substr(0, size);
            CHECK(judged(probe, {cut, whole.err, whole.rc}).status != Status::ok);
            ++tried;
        }
    }
    CHECK(tried > 1000);
}

TEST_CASE("an environment names each variable with its status and why") {
    const auto check =
        judged("env", {"UCX_TLS=tcp\nUCX_LOG_LEVEL=info\nHF_TOKEN=hf_secret\n", "", 0});
    const auto* vars = check.facts.find("vars");
    REQUIRE(vars != nullptr);
    CHECK(*vars->find("UCX_TLS")->find("status") == model::Value("fail"));
    CHECK(*vars->find("UCX_LOG_LEVEL")->find("status") == model::Value("ok"));
    CHECK(vars->find("HF_TOKEN") == nullptr);
    CHECK(check.code == "ENV-001");
}

} // namespace di::test
