#include "kubesim/selectors.hpp"

#include <catch2/catch.hpp>

using di::kubesim::matches;
using di::kubesim::parse_field_selector;
using di::kubesim::parse_label_selector;
using di::kubesim::StringMap;

namespace {

const StringMap k_worker{{"role", "decode"}, {"app.kubernetes.io/name", "engine"}, {"empty", ""}};

struct Case {
    std::string selector;
    bool selected;
};

} // namespace

TEST_CASE("label selectors choose as the API server chooses", "[kubesim][selectors]") {
    const auto example = GENERATE(values<Case>({
        {"", true},
        {"role=decode", true},
        {"role==decode", true},
        {" role = decode ", true},
        {"role=prefill", false},
        {"role!=prefill", true},
        {"role!=decode", false},
        {"missing!=x", true},
        {"role in (prefill, decode)", true},
        {"role in (prefill)", false},
        {"role notin (prefill)", true},
        {"role notin (decode,prefill)", false},
        {"missing notin (a)", true},
        {"missing in (a)", false},
        {"role", true},
        {"missing", false},
        {"!missing", true},
        {"! missing", true},
        {"!role", false},
        {"empty=", true},
        {"missing=", false},
        {"app.kubernetes.io/name=engine", true},
        {"role=decode,!missing,role in (decode,x)", true},
        {"role=decode,role=prefill", false},
    }));
    CAPTURE(example.selector);
    const auto selector = parse_label_selector(example.selector);
    REQUIRE(selector.ok());
    CHECK(matches(*selector, k_worker) == example.selected);
}

TEST_CASE("label selectors that make no sense are refused", "[kubesim][selectors]") {
    const auto* const text = GENERATE("=x",
                                      "!",
                                      "a in b",
                                      "a in (b",
                                      "a within (b)",
                                      "in (b)",
                                      "a,,b",
                                      "a b",
                                      "a>1",
                                      "a!",
                                      ",",
                                      "(a)",
                                      "a=b)(");
    CAPTURE(text);
    const auto selector = parse_label_selector(text);
    REQUIRE_FALSE(selector.ok());
    CHECK(selector.error().what == "unable to parse requirement");
}

TEST_CASE("field selectors know the fields of their resource only", "[kubesim][selectors]") {
    const StringMap fields{{"status.phase", "Running"}, {"spec.nodeName", ""}};
    const auto chosen = parse_field_selector("status.phase=Running,spec.nodeName!=n1",
                                             {"status.phase", "spec.nodeName"});
    REQUIRE(chosen.ok());
    CHECK(matches(*chosen, fields));
    const auto unknown = parse_field_selector("spec.foo=1", {"status.phase"});
    REQUIRE_FALSE(unknown.ok());
    CHECK(unknown.error().what == "field label not supported: spec.foo");
    const auto set = parse_field_selector("status.phase in (Running)", {"status.phase"});
    CHECK_FALSE(set.ok());
    CHECK(parse_field_selector("", {})->empty());
}
