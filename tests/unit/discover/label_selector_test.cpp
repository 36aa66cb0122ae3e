#include "discover/label_selector.hpp"

#include <catch2/catch.hpp>

using namespace di;
using discover::matches;
using discover::parse_label_selector;

namespace {

const model::StringMap k_labels = {{"app", "vllm"},
                                   {"role", "prefill"},
                                   {"empty", ""},
                                   {"index", "7"},
                                   {"nvidia.com/dynamo-component", "Decode_Worker.v2"},
                                   {"in", "in"}};

} // namespace

TEST_CASE("selectors match as the API server matches them", "[discover][selector]") {
    struct Case {
        std::string_view selector;
        bool expected;
    };

    const auto row = GENERATE(values<Case>({
        {"", true},
        {"  ", true},
        {"app=vllm", true},
        {"app==vllm", true},
        {"app = vllm", true},
        {"app=sglang", false},
        {"app=VLLM", false},
        {"missing=x", false},
        {"empty=", true},
        {"empty", true},
        {"missing=", false},
        {"app!=sglang", true},
        {"app!=vllm", false},
        {"missing!=x", true},
        {"app,role", true},
        {"app,missing", false},
        {"!missing", true},
        {"! missing", true},
        {"!app", false},
        {"role in (prefill,decode)", true},
        {"role in ( decode , prefill )", true},
        {"role in(decode)", false},
        {"empty in (,x)", true},
        {"empty in (x,)", true},
        {"empty in ()", true}, // the empty value alone: parseValues of apimachinery's labels
        {"app in ()", false},
        {"role in (decode)", false},
        {"missing in (a)", false},
        {"role notin (decode)", true},
        {"role notin (prefill,decode)", false},
        {"missing notin (a)", true},
        {"app=vllm,role in (prefill),!missing,index>3", true},
        {"app=vllm,role in (decode),!missing", false},
        {"index>6", true},
        {"index > 7", false},
        {"index<8", true},
        {"index<7", false},
        {"app>1", false},
        {"index>x", false},
        {"missing<1", false},
        {"nvidia.com/dynamo-component=Decode_Worker.v2", true},
        {"in in (in)", true},
        {"in=in", true},
        {"notin", false},
    }));
    CAPTURE(row.selector);
    const auto selector = parse_label_selector(row.selector);
    REQUIRE(selector.ok());
    CHECK(matches(*selector, k_labels) == row.expected);
}

TEST_CASE("a selector that is none is refused with its cause", "[discover][selector]") {
    struct Case {
        std::string_view selector;
        std::string_view cause;
    };

    const auto row = GENERATE(values<Case>({
        {"=x", "label key is missing"},
        {",", "label key is missing"},
        {"a=1,", "nothing after the last comma"},
        {"a=1,,b", "label key is missing"},
        {"!", "label key is missing"},
        {"a in", "'(' is missing at the end"},
        {"a in x", "found 'x' instead of '('"},
        {"a in (x", "')' is missing at the end"},
        {"a in (", "')' is missing at the end"},
        {"a in (x y)", "found 'y' instead of ')'"},
        {"a b", "'b' is no operator"},
        {"a=b c", "found 'c' instead of ','"},
        {"a ~ b", "'~' is no operator"},
        {"a=b=c", "found '=' instead of ','"},
        {"a==", ""},
        {"k$y=1", "'k$y' is no label key"},
        {"a=v@l", "'v@l' is no label value"},
        {"a)", "')' is no operator"},
        {"(a)", "label key is missing"},
    }));
    CAPTURE(row.selector);
    const auto selector = parse_label_selector(row.selector);
    if (row.cause.empty()) {
        CHECK(selector.ok());
        return;
    }
    REQUIRE(!selector.ok());
    CHECK(selector.error().kind == ErrorKind::usage);
    CHECK(selector.error().cause == row.cause);
    CHECK(selector.error().object == "'" + std::string(row.selector) + "'");
}

TEST_CASE("a selector cut anywhere is parsed or refused", "[discover][selector]") {
    const std::string text = "app=vllm,role in (prefill,decode),!missing,index>3, a notin (b)";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        const auto selector = parse_label_selector(std::string_view(text).substr(0, cut));
        CHECK((selector.ok() || !selector.error().cause.empty()));
    }
}
