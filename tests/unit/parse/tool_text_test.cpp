#include "parse/tool_text.hpp"
#include "unit/parse/captured.hpp"

namespace di::parse {
namespace {

using model::SkipReason;

TEST_CASE("lines come without escape codes and line ends, the last one says whether it ended") {
    struct Case {
        std::string text;
        std::vector<std::string> lines;
        bool cut;
    };

    const auto& [text, lines, cut] = GENERATE(values<Case>({
        {"", {}, false},
        {"\n", {""}, false},
        {"a\nb\n", {"a", "b"}, false},
        {"a\r\nb", {"a", "b"}, true},
        {"\x1b[4mGPU0\tGPU1\x1b[0m\n", {"GPU0\tGPU1"}, false},
        {"\x1b[38;5;196mred\x1b[0m plain", {"red plain"}, true},
        {"cut in a code\x1b[38;5", {"cut in a code"}, true},
        {"\x1b[0m", {}, false},
        {"lone \x1b escape\n", {"lone \x1b escape"}, false},
    }));
    CAPTURE(text);
    const LineReader reader(text);
    std::vector<std::string> found;
    for (const auto& line : reader.lines()) {
        found.emplace_back(line.text);
    }
    CHECK(found == lines);
    CHECK(reader.cut() == cut);
}

TEST_CASE("a field is split at its first colon") {
    struct Case {
        std::string line;
        std::string key;
        std::string value;
    };

    const auto& [line, key, value] = GENERATE(values<Case>({
        {"\t\tState: Active", "State", "Active"},
        {"    ClusterUUID                       : 6d8c", "ClusterUUID", "6d8c"},
        {"Timestamp : Tue Oct  7 09:41:22 2025", "Timestamp", "Tue Oct  7 09:41:22 2025"},
        {"Port 1:", "Port 1", ""},
        {":", "", ""},
    }));
    const auto found = field(line);
    REQUIRE(found);
    CHECK(found->key == key);
    CHECK(found->value == value);
    CHECK_FALSE(field("no colon"));
}

TEST_CASE("a number leads its unit") {
    struct Case {
        std::string text;
        std::optional<double> number;
    };

    const auto& [text, number] = GENERATE(values<Case>({
        {"400", 400.0},
        {"2.5", 2.5},
        {"26.562 GB/s", 26.562},
        {"26,562 GB/s", 26.562},
        {"4X (2)", 4.0},
        {"40 (FDR10)", 40.0},
        {"", std::nullopt},
        {"N/A", std::nullopt},
        {"-1", std::nullopt},
        {"1.2.3", std::nullopt},
        {".", std::nullopt},
    }));
    CAPTURE(text);
    CHECK(leading_number(text) == number);
}

TEST_CASE("kubectl's remarks are not the tool's words") {
    const std::string err =
        "Defaulted container \"main\" out of: main, sidecar\n"
        "Unable to use a TTY - input is not a terminal or the right kind of file\n"
        "libibverbs: Warning: no driver\n\n"
        "command terminated with exit code 3\n";
    CHECK(messages({"one\r\n  \ntwo", err, 3}) ==
          std::vector<std::string_view>{"libibverbs: Warning: no driver", "one", "two"});
}

TEST_CASE("what could not be read is quoted, escaped and short; a refusal is named as one") {
    const std::string hostile = "\x1b]0;title\x07" + std::string(1000, 'y') + "\n";
    const auto quoted = could_not_read({hostile, {}, 0}, "ibstat");
    CHECK(quoted.reason == SkipReason::unreadable);
    CHECK(quoted.why.size() <= 200);
    CHECK(quoted.why.find('\x1b') == std::string::npos);
    const auto refused =
        could_not_read({"x\n", "cat: /proc/7/limits: Permission denied\n", 1}, "cat");
    CHECK(refused ==
          model::Unseen{SkipReason::no_permission, "cat: /proc/7/limits: Permission denied"});
    const auto mute = could_not_read({{}, "command terminated with exit code 5\n", 5}, "ibstat");
    CHECK(mute.why == "ibstat printed nothing and ended with exit code 5");
    CHECK(cut_short("ibstat").reason == SkipReason::truncated);
}

} // namespace
} // namespace di::parse
