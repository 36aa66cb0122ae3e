// Text to documents, as kubectl takes it (checked against kubectl 1.32, create --dry-run=client).
#include "recipe/yaml_reader.hpp"

#include <catch2/catch.hpp>

namespace di::test {
namespace {

using recipe::Documents;
using recipe::parse_documents;

Documents parse(std::string_view text) {
    return parse_documents(text, std::make_shared<const std::string>("f.yaml"));
}

std::string json(std::string_view text) {
    const auto documents = parse(text);
    if (!documents.errors.empty()) {
        return "error: " + documents.errors.front().cause;
    }
    std::string all;
    for (const auto& root : documents.roots) {
        all += (all.empty() ? "" : " ") + to_json(*root);
    }
    return all;
}

} // namespace

TEST_CASE("documents are read with kubectl's eyes", "[recipe]") {
    struct Case {
        std::string what;
        std::string text;
        std::string json;
    };

    const auto test = GENERATE(values<Case>(
        {{"an empty file", "", ""},
         {"comments alone", "# a\n---\n# b\n", ""},
         {"several documents", "a: 1\n---\n\n---\nb: x\n", R"({"a":1} {"b":"x"})"},
         {"an end mark", "a: x\n...\n---\nb: x\n", R"({"a":"x"} {"b":"x"})"},
         {"the last of equal keys", "a: 1\nb: 2\na: 3\n", R"({"a":3,"b":2})"},
         {"YAML 1.1 booleans",
          "a: [y, No, on, 'y', \"on\"]\n",
          R"({"a":[true,false,true,"y","on"]})"},
         {"numbers",
          "a: [1, 0x1F, 1.5, 1_000, .inf, 1.2.3]\n",
          R"({"a":[1,0x1F,1.5,1_000,.inf,"1.2.3"]})"},
         {"nulls", "a:\nb: ~\nc: null\nd: ''\n", R"({"a":null,"b":null,"c":null,"d":""})"},
         {"a tag", "a: !!str 1\n", R"({"a":"1"})"},
         {"an alias", "a: &x {k: v}\nb: *x\n", R"({"a":{"k":"v"},"b":{"k":"v"}})"},
         {"an alias as key", "a: &x k\n*x : v\n", R"({"a":"k","k":"v"})"},
         {"a merge",
          "a: &x {k: v, l: w}\nb:\n  <<: *x\n  k: own\n",
          R"({"a":{"k":"v","l":"w"},"b":{"k":"own","l":"w"}})"},
         {"own keys win wherever the merge stands",
          "a: &x {k: v}\nb:\n  k: own\n  <<: *x\n",
          R"({"a":{"k":"v"},"b":{"k":"own"}})"},
         {"a merge of several: the first wins",
          "a: &x {k: 1}\nb: &y {k: 2, l: 3}\nc: {<<: [*x, *y]}\n",
          R"({"a":{"k":1},"b":{"k":2,"l":3},"c":{"k":1,"l":3}})"},
         {"a quoted << is a key like others", "a: {'<<': x}\n", R"({"a":{"<<":"x"}})"},
         {"block scalars",
          "a: |\n  x\n  y\nb: >-\n  x\n  y\n",
          R"({"a":"x\u000ay\u000a","b":"x y"})"},
         {"a byte order mark and CR LF",
          "\xEF\xBB\xBF"
          "a: x\r\nb:\r\n- z\r\n",
          R"({"a":"x","b":["z"]})"},
         {"JSON indented by TABs", "{\n\t\"a\": [\n\t\t\"x\"\n\t]\n}\n", R"({"a":["x"]})"},
         {"JSON's surrogate pairs", R"({"a": "\ud83d\ude00"})", "{\"a\":\"\xF0\x9F\x98\x80\"}"}}));
    CAPTURE(test.what);
    CHECK(json(test.text) == test.json);
}

TEST_CASE("what is no YAML is named with its line", "[recipe]") {
    struct Case {
        std::string what;
        std::string text;
        int line;
    };

    const auto test = GENERATE(
        values<Case>({{"a TAB in an indentation", "a:\n- b: 1\n\tc: 2\n", 3},
                      {"an open bracket", "a: [1, 2\nb: 3\n", 2},
                      {"a NUL byte", std::string("a: b\nc: \0", 9), 2},
                      {"an escape code", "a: b\nc: \x1b[31m\n", 2},
                      {"a key that is a list", "[a, b]: c\n", 1},
                      {"an unknown alias", "a: b\nc: *d\n", 2},
                      {"a merge of a scalar", "a:\n  <<: b\n", 2},
                      {"an anchor inside itself", "a: &x\n  b: *x\n", 2},
                      {"bytes that are no UTF-8", "a: b\nc: \xff\n", 0},
                      {"a template", "a:\n  {{- range .b }}\n  c: 1\n  {{- end }}\n", 2}}));
    CAPTURE(test.what);
    const auto documents = parse(test.text);
    REQUIRE(documents.errors.size() == 1);
    CHECK(documents.errors.front().line == test.line);
    CHECK_FALSE(documents.errors.front().cause.empty());
}

TEST_CASE("documents before a broken one are kept", "[recipe]") {
    const auto documents = parse("a: 1\n---\nb: [\n");
    CHECK(documents.roots.size() == 1);
    CHECK(documents.errors.size() == 1);
}

TEST_CASE("a small text cannot stand for an endless document", "[recipe]") {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const auto last = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
        for (int j = 0; j < 9; ++j) {
            bomb += ", " + last;
        }
        bomb += "]\n";
    }
    CHECK(parse(bomb).errors.size() == 1);
    CHECK(parse(std::string(100'000, '[')).errors.size() == 1);
    CHECK(parse("a: " + std::string(300, '[') + std::string(300, ']')).errors.size() == 1);
}

TEST_CASE("nodes know where they stand", "[recipe]") {
    const auto documents = parse("# one\na:\n  b: c\n---\nd: e\n");
    REQUIRE(documents.roots.size() == 2);
    CHECK(to_text(place_of(recipe::member(*documents.roots[0], {"a", "b"}))) == "f.yaml:3");
    CHECK(to_text(place_of(*documents.roots[1])) == "f.yaml:5");
    CHECK(recipe::member(*documents.roots[0], {"a", "x", "y"}).kind == recipe::NodeKind::null);
}

} // namespace di::test
