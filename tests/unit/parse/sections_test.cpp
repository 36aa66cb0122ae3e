#include "parse/sections.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace di::parse {
namespace {

using namespace std::string_literals;

const std::string k_nonce = "5f1d0c7ab2e94c3d";

std::string begin(const std::string& name, const std::string& nonce = k_nonce) {
    return "\n" + nonce + "<" + name + "\n";
}

std::string
end(const std::string& name, const std::string& codes = "0", const std::string& nonce = k_nonce) {
    return "\n" + nonce + ">" + name + (codes.empty() ? "" : " ") + codes + "\n";
}

std::string
section(const std::string& name, const std::string& text, const std::string& codes = "0") {
    return begin(name) + text + end(name, codes);
}

const std::string k_end = "\n" + k_nonce + ".\n";

} // namespace

TEST_CASE("sections come out byte by byte") {
    const auto text = GENERATE(""s,
                               "a"s,
                               "a\n"s,
                               "\n"s,
                               "\n\na\n\n"s,
                               "a\0b\n"s,
                               "x\r\n"s,
                               "5f1d0c7ab2e94c3d>host 0\n"s,
                               "<host\n>host 0\n"s);
    CAPTURE(text);
    const auto out = section("host", text) + section("net", "lo\n", "3") + k_end;
    const auto sections = read_sections(out, k_nonce);
    REQUIRE(sections.find("host") != nullptr);
    CHECK(sections.find("host")->text == text);
    CHECK(sections.find("host")->whole());
    REQUIRE(sections.find("net") != nullptr);
    CHECK(sections.find("net")->text == "lo\n");
    CHECK(sections.find("net")->code == 3);
    CHECK(sections.complete);
    CHECK(sections.find("rdma") == nullptr);
}

TEST_CASE("the first exit code that is not 0 counts") {
    struct Case {
        std::string codes;
        std::optional<int> code;
    };

    const auto c = GENERATE(values<Case>({
        {"0", 0},
        {"127", 127},
        {"127 0", 127},
        {"0 137", 137},
        {"0 0", 0},
        {"141 137", 141},
        {"", std::nullopt}, // stopped at the cap
        {"x", std::nullopt},
        {"0 -1", std::nullopt},
        {"4294967296", std::nullopt},
    }));
    CAPTURE(c.codes);
    const auto out = section("ibstat", "text", c.codes);
    const auto sections = read_sections(out, k_nonce);
    REQUIRE(sections.find("ibstat") != nullptr);
    CHECK(sections.find("ibstat")->code == c.code);
    CHECK(sections.find("ibstat")->whole() == c.code.has_value());
}

TEST_CASE("a text as long as the cap may go on") {
    const auto at_cap = section("rdma", std::string(k_section_cap, 'x'));
    CHECK(read_sections(at_cap, k_nonce).find("rdma")->capped);
    const auto below = section("rdma", std::string(k_section_cap - 1, 'x'));
    CHECK(!read_sections(below, k_nonce).find("rdma")->capped);
}

TEST_CASE("markers of another run, or none, are text or nothing") {
    const std::string foreign = begin("host", "ffff") + "forged" + end("host", "0", "ffff");
    CHECK(read_sections(foreign, k_nonce).closed.empty());
    const auto out = begin("net") + foreign + end("net");
    const auto sections = read_sections(out, k_nonce);
    REQUIRE(sections.closed.size() == 1);
    CHECK(sections.closed.front().text == foreign);
    CHECK(read_sections("", k_nonce).closed.empty());
    CHECK(read_sections("\n<host\n\n>host 0\n\n.\n", "").closed.empty());
    CHECK(!read_sections(k_nonce + ".\n", k_nonce).complete);
}

TEST_CASE("contradicting markers make a name nobody's") {
    struct Case {
        std::string trap;
        std::string out;
        std::vector<std::string> kept;
    };

    const auto c = GENERATE(values<Case>({
        {"the same name twice", section("a", "1") + section("b", "2") + section("a", "3"), {"b"}},
        {"opened inside another", begin("a") + begin("b") + end("b") + end("a"), {"b"}},
        {"closed by another name", begin("a") + "1" + end("b") + "2" + end("a"), {"a"}},
        {"closed before it was opened", end("a") + section("a", "1"), {}},
        {"closed twice", section("a", "1") + end("a") + section("b", "2"), {"b"}},
        {"opened and never closed", section("b", "2") + begin("a") + "1", {"b"}},
        {"ended inside a section", begin("a") + k_end + end("a"), {"a"}},
        {"without a name", begin("") + "1" + end("", "") + section("b", "2"), {"b"}},
    }));
    CAPTURE(c.trap);
    std::vector<std::string> kept;
    for (const auto& found : read_sections(c.out, k_nonce).closed) {
        kept.emplace_back(found.name);
    }
    CHECK(kept == c.kept);
    CHECK(!read_sections(c.out, k_nonce).complete);
}

TEST_CASE("no prefix of an output shows what the whole does not") {
    const auto out = section("host", "a\nb\n") + section("rdma", "", "1") + section("net", "x") +
                     section("ibstat", "CA\n", "127 0") + k_end;
    const auto whole = read_sections(out, k_nonce);
    for (std::size_t size = 0; size <= out.size(); ++size) {
        CAPTURE(size);
        const auto prefix = read_sections(std::string_view(out).substr(0, size), k_nonce);
        for (const auto& found : prefix.closed) {
            const auto* const known = whole.find(found.name);
            REQUIRE(known != nullptr);
            CHECK(found.text == known->text);
            CHECK(found.code == known->code);
        }
        CHECK(prefix.tangled.empty());
        CHECK(prefix.complete == (size == out.size()));
    }
}

TEST_CASE("hostile amounts cost neither time nor sense") {
    std::string flood;
    for (int i = 0; i < 20'000; ++i) {
        flood += section("s" + std::to_string(i), "");
    }
    CHECK(read_sections(flood, k_nonce).closed.size() <= 256);
    const auto long_line = section("net", std::string(1'000'000, 'y')) + k_end;
    CHECK(read_sections(long_line, k_nonce).complete);
    CHECK(read_sections(std::string(1'000'000, '\n'), k_nonce).closed.empty());
    CHECK(read_sections("\n" + k_nonce + std::string(1'000'000, '<'), k_nonce).closed.empty());
}

} // namespace di::parse
