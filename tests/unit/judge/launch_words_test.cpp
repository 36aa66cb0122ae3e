#include "judge/launch_words.hpp"

#include <catch2/catch.hpp>

namespace di::judge {

TEST_CASE("shell text among the arguments is split like a shell does") {
    using Words = std::vector<std::string>;

    struct Case {
        Words arguments;
        Words words;
    };

    const auto test = GENERATE(values<Case>({
        {{}, {}},
        {{"--a", "b c"}, {"--a", "b c"}},
        {{R"({"a": "b c"})"}, {R"({"a": "b c"})"}},
        {{R"(--a={"b": "c d"})"}, {R"(--a={"b": "c d"})"}},
        {{"sh", "-c", "python -m  x\n --role\tp"},
         {"sh", "-c", "python", "-m", "x", "--role", "p"}},
        {{"-lc", R"(x '{"a": 1}' y)"}, {"-lc", "x", R"({"a": 1})", "y"}},
        {{"-c", R"(x "{\"a\": \"b c\"}")"}, {"-c", "x", R"({"a": "b c"})"}},
        {{"-c", R"(x a\ b)"}, {"-c", "x", "a b"}},
        {{"-c", "x \\\n y"}, {"-c", "x", "", "y"}},
        {{"-c", R"(x 'never closed)"}, {"-c", "x", "never closed"}},
        {{"-c", "  "}, {"-c"}},
        {{"-c", "a b", "c d"}, {"-c", "a", "b", "c d"}},
        {{"--exec", "a b"}, {"--exec", "a b"}},
    }));
    CAPTURE(test.arguments);
    CHECK(launch_words(test.arguments) == test.words);
}

TEST_CASE("an option's value is the last one given") {
    const std::vector<std::string> words = {"--a", "1", "--a=2", "--ab", "3", "--b", "--c"};
    CHECK(option_value(words, "--a") == "2");
    CHECK(option_value(words, "--ab") == "3");
    CHECK(option_value(words, "--b") == "--c");
    CHECK_FALSE(option_value(words, "--c").has_value());
    CHECK_FALSE(option_value(words, "--d").has_value());
    CHECK(has_word(words, "--ab"));
    CHECK_FALSE(has_word(words, "--abc"));
}

TEST_CASE("JSON strings are found at any depth, in any spacing, and in broken text") {
    using Values = std::vector<std::string>;

    struct Case {
        std::string text;
        Values values;
    };

    const auto test = GENERATE(values<Case>({
        {R"({"k":"a"})", {"a"}},
        {R"({ "k" : "a" , "x":{"k":"b"}})", {"a", "b"}},
        {R"({"k":["a", "b" ,"c"]})", {"a", "b", "c"}},
        {R"({"k":[]})", {}},
        {R"({"k":1,"kk":"x"})", {}},
        {R"({"x":"k","y":"\"k\":\"no\""})", {}},
        {R"({"k":"a\"b"})", {"a\"b"}},
        {R"({"k":)", {}},
        {R"({"k":["a",)", {"a"}},
        {R"({"k":"cut)", {}},
        {R"("k)", {}},
        {R"("k":"\)", {}},
        {"", {}},
    }));
    CAPTURE(test.text);
    CHECK(json_strings(test.text, "k") == test.values);
}

} // namespace di::judge
