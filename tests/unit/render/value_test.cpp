#include "render/json.hpp"

#include <catch2/catch.hpp>
#include <rapidjson/document.h>
#include <yaml-cpp/yaml.h>

using namespace di;
using model::Value;

namespace {

std::string yaml_scalar_of(const Value& value) {
    return YAML::Load(render::render_yaml(Value().set("k", value)))["k"].Scalar();
}

} // namespace

TEST_CASE("every string survives YAML as the same string", "[render]") {
    for (const char* text :
         {"plain",     "yes",         "No",       "null",         "~",        "1",
          "1.5",       "0x1f",        "a: b",     "# no comment", "",         "- dash",
          "tab\there", "line\nbreak", "quote\"s", "back\\slash",  "mlx5_0:1", "*alias",
          "{flow}",    "true",        "y",        "K\xc3\xb6ln",  "\x1b[31m", "trailing ",
          ".inf",      "2026-11-30"}) {
        CAPTURE(text);
        CHECK(yaml_scalar_of(text) == text);
        const auto node = YAML::Load(render::render_yaml(Value().set("k", text)))["k"];
        CHECK((node.Tag() == "!" ||
               std::string_view("plain true").find(text) != std::string_view::npos ||
               node.Scalar() == text));
    }
    // A quoted word is tagged "!" by the reader: it cannot become a boolean or a number.
    for (const char* text : {"yes", "null", "1", "0x1f", "true", "y", ".inf", "2026-11-30"}) {
        CAPTURE(text);
        CHECK(YAML::Load(render::render_yaml(Value().set("k", text)))["k"].Tag() == "!");
    }
}

TEST_CASE("nested values keep their shape in both formats", "[render]") {
    Value value;
    value.set("empty", Value::object())
        .set("none", Value())
        .set("list", Value::array().push(1).push(true).push(2.5));
    value.set("rows", Value::array().push(Value().set("a", 1).set("b", Value::array().push("x"))));
    value.set("nested", Value::array().push(Value::array().push("deep")));

    const auto yaml = YAML::Load(render::render_yaml(value));
    CHECK(yaml["empty"].IsMap());
    CHECK(yaml["none"].IsNull());
    CHECK(yaml["list"][2].as<double>() == 2.5);
    CHECK(yaml["rows"][0]["b"][0].as<std::string>() == "x");
    CHECK(yaml["nested"][0][0].as<std::string>() == "deep");

    rapidjson::Document json;
    json.Parse(render::render_json(value).c_str());
    REQUIRE_FALSE(json.HasParseError());
    CHECK(std::string(json["rows"][0]["b"][0].GetString()) == "x");
    CHECK(std::string(json["nested"][0][0].GetString()) == "deep");
    CHECK(json["none"].IsNull());
}

TEST_CASE("bytes that are no text do not break the document", "[render]") {
    rapidjson::Document json;
    json.Parse(render::render_json(Value().set("k", "a\xff\xc3")).c_str());
    REQUIRE_FALSE(json.HasParseError());
    CHECK(std::string(json["k"].GetString()) == "a\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("setting a member twice keeps its place and the last value", "[render]") {
    Value value;
    value.set("a", 1).set("b", 2).set("a", 3);
    CHECK(render::render_json(value) == "{\n  \"a\": 3,\n  \"b\": 2\n}\n");
}
