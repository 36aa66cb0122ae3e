#include "render/text_layout.hpp"

#include <catch2/catch.hpp>

using namespace di::render;

TEST_CASE("columns are padded by characters and lines end without spaces", "[render]") {
    CHECK(layout_columns({{{"A", {}}, {"B", {}}}, {{"long", {}}, {"", {}}}}, 0, Color::off) ==
          "A      B\nlong\n");
    CHECK(layout_columns({{{"K\xc3\xb6ln", {}}, {"x", {}}}, {{"Bonn", {}}, {"y", {}}}},
                         0,
                         Color::off) == "K\xc3\xb6ln   x\nBonn   y\n");
}

TEST_CASE("the last column hangs under itself when the terminal is narrow", "[render]") {
    CHECK(layout_columns({{{"ab", {}}, {"one two three four five six seven", {}}}},
                         30,
                         Color::off) == "ab   one two three four five\n     six seven\n");
}

TEST_CASE("a terminal too narrow for a column is left to wrap by itself", "[render]") {
    CHECK(layout_columns({{{"ab", {}}, {"one two three", {}}}}, 10, Color::off) ==
          "ab   one two three\n");
}

TEST_CASE("text is broken at spaces and long words stay whole", "[render]") {
    CHECK(wrap("a bb ccc", 4) == std::vector<std::string>{"a bb", "ccc"});
    CHECK(wrap("unbreakable word", 5) == std::vector<std::string>{"unbreakable", "word"});
    CHECK(wrap("", 5) == std::vector<std::string>{""});
    CHECK(wrap("kept as it is", 0) == std::vector<std::string>{"kept as it is"});
}

TEST_CASE("no rows give no text", "[render]") {
    CHECK(layout_columns({}, 80, Color::off).empty());
}
